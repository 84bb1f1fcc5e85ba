import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Gate } from "../../resources/index.ts";
import type { Channel, CrdBundle } from "./bundle.ts";
import { channelOf, specOf } from "./crd-facts.ts";
import { surveyCrds } from "./crd-survey.ts";
import { deadFields, fieldsOf } from "./dead-fields.ts";
import { gatedBundle } from "./gated-bundle.ts";

const group = "gateway.networking.k8s.io";

function crd(plural: string, channel: Channel, of = group): KubernetesObject {
  const schema = {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: {} } } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${of}`,
      annotations: { [`${group}/bundle-version`]: "v1.6.3", [`${group}/channel`]: channel },
    },
    spec: { group: of, versions: ["v1", "v1beta1"].map((name) => ({ name, served: true, schema })) },
  };
}

const safeUpgrades = { policy: crd("policy", "standard"), binding: crd("binding", "standard") };
const xMeshes = crd("xmeshes", "experimental", "gateway.networking.x-k8s.io");
const bundle: CrdBundle = {
  version: "v1.6.3",
  channels: {
    standard: { crds: [crd("gateways", "standard"), crd("httproutes", "standard")], safeUpgrades },
    experimental: { crds: [crd("gateways", "experimental"), xMeshes], safeUpgrades },
  },
};
const both: readonly Gate[] = ["GatewayExtraMinimalOCG", "MeshExtraMinimalOCG"];
const named = (of: CrdBundle, channel: Channel, plural: string) =>
  of.channels[channel].crds.find(({ metadata }) => metadata.name.startsWith(`${plural}.`));

describe("gatedBundle", () => {
  it("4.16, 4.18: is the pinned one while no gate is on", () => {
    expect(gatedBundle(bundle, [])).toBe(bundle);
  });

  it("4.18: adds the fields to every version, and nothing else", () => {
    const { channels } = gatedBundle(bundle, both);
    const gateways = channels.standard.crds[0]!;
    for (const version of specOf(gateways).versions) {
      const fields = fieldsOf(version);
      for (const field of [
        "trustBundle.name",
        "trustBundle.namespace",
        "trustBundle.bundleKey",
        "labelSelector",
      ]) {
        expect(fields).toContain(`spec.mesh.${field}`);
      }
    }
    expect(channels.standard.crds[1]).toBe(bundle.channels.standard.crds[1]);
    expect(specOf(bundle.channels.standard.crds[0]!).versions.flatMap((one) => [...fieldsOf(one)])).toEqual([
      "spec",
      "spec",
    ]);
    expect(JSON.stringify(gateways)).toContain('"default":"ca-bundle.crt"');
  });

  it("4.17: what it adds to is not called standard any more, and says by which gate", () => {
    const gateways = named(gatedBundle(bundle, ["GatewayExtraMinimalOCG"]), "standard", "gateways")!;
    expect(channelOf(gateways)).toBe("experimental");
    expect(gateways.metadata.annotations).toMatchObject({ "gatewright.dev/gates": "GatewayExtraMinimalOCG" });
    const others = gatedBundle(bundle, ["MeshExtraMinimalOCG"]).channels.standard.crds;
    expect(others.map(channelOf)).toEqual(["standard", "standard", "experimental"]);
  });

  it("4.2, 4.19: has XMesh in both channels while its gate is on", () => {
    expect(named(gatedBundle(bundle, ["GatewayExtraMinimalOCG"]), "standard", "xmeshes")).toBeUndefined();
    for (const channel of ["standard", "experimental"] as const) {
      const meshes = named(gatedBundle(bundle, both), channel, "xmeshes")!;
      expect([...fieldsOf(specOf(meshes).versions[0]!)]).toContain("spec.ocg.trustBundle.namespace");
    }
  });

  it("is one exact schema: what has the fields without the gate, or lacks them with it, is not right", () => {
    const extended = gatedBundle(bundle, both);
    const names = (of: CrdBundle, found: CrdBundle) =>
      surveyCrds(of, "standard", found.channels.standard.crds).mismatching.map(
        ({ name, isExperimental }) => ({
          name,
          isExperimental,
        }),
      );
    expect(names(extended, extended)).toEqual([]);
    expect(names(bundle, extended)).toEqual([{ name: `gateways.${group}`, isExperimental: true }]);
    expect(names(extended, bundle)).toEqual([{ name: `gateways.${group}`, isExperimental: false }]);
    expect(deadFields(extended, extended.channels.standard.crds)).toEqual([]);
    expect(deadFields(bundle, extended.channels.standard.crds)[0]?.fields).toEqual(["spec.mesh"]);
  });
});

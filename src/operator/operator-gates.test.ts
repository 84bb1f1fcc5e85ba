/** Experiments' gates, from the Platform to the CRDs and to whoever listens; on a stand-in for an API server. */
import { expect, it, onTestFinished, vi } from "vitest";
import { clientOf, startServer } from "../../test/kubernetes/start.ts";
import type { KubernetesObject } from "../kubernetes/index.ts";
import type { CrdBundle } from "./crds/bundle.ts";
import { channelOf, specOf } from "./crds/crd-facts.ts";
import { fieldsOf } from "./crds/dead-fields.ts";
import { createOperator } from "./operator.ts";
import {
  admissionPolicies,
  admissionPolicyBindings,
  clusterRoles,
  customResourceDefinitions,
  gatewayClasses,
  platforms,
} from "./resource-types.ts";

const group = "gateway.networking.k8s.io";
const crd = (plural: string, channel: string, of = group): KubernetesObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `${plural}.${of}`,
    annotations: { [`${group}/bundle-version`]: "v1.6.3", [`${group}/channel`]: channel },
  },
  spec: {
    group: of,
    versions: [
      {
        name: "v1",
        served: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
      },
    ],
  },
});
const safeUpgrades = { policy: crd("policy", "standard"), binding: crd("binding", "standard") };
const bundle: CrdBundle = {
  version: "v1.6.3",
  channels: {
    standard: { crds: [crd("gateways", "standard")], safeUpgrades },
    experimental: {
      crds: [crd("gateways", "experimental"), crd("xmeshes", "experimental", "gateway.networking.x-k8s.io")],
      safeUpgrades,
    },
  },
};

it("4.16, 4.18: are followed: the CRDs have their fields while they are on, and the platform is not upgradeable", async () => {
  const types = [
    customResourceDefinitions,
    platforms,
    clusterRoles,
    admissionPolicies,
    admissionPolicyBindings,
    gatewayClasses,
  ];
  const server = await startServer(types);
  const client = clientOf(server);
  const ask = async (featureGates: object) => {
    const platform = await client.get(platforms, "cluster");
    if (platform) await client.replace(platforms, { ...platform, spec: { featureGates } });
    else server.create(platforms, { metadata: { name: "cluster" }, spec: { featureGates } });
  };
  await ask({ GatewayAPI: true });
  const told: string[] = [];
  const operator = createOperator({
    client,
    bundle,
    profile: "kubernetes",
    // Without a policy of ours, for which the stand-in would have to know who we are.
    maturity: "dev-preview",
    version: "test",
    events: { gatesChanged: (gates) => told.push(gates.join("+")) },
  });
  onTestFinished(() => operator.stop());
  operator.start();
  operator.lead(true);

  const state = async () => {
    const crds = (await client.list(customResourceDefinitions)).items.map((one) => ({
      name: one.metadata.name.split(".", 1)[0],
      channel: channelOf(one),
      isExtended: specOf(one).versions.every((version) =>
        [...fieldsOf(version)].some((field) => /^spec[.](?:mesh|ocg)[.]trustBundle$/.test(field)),
      ),
    }));
    const status = (await client.get(platforms, "cluster"))?.["status"] as
      { conditions?: readonly { type: string; reason: string }[] } | undefined;
    return { crds, upgradeable: status?.conditions?.find(({ type }) => type === "Upgradeable")?.reason };
  };
  const becomes = (expected: Awaited<ReturnType<typeof state>>) =>
    vi.waitFor(async () => expect(await state()).toEqual(expected), { timeout: 20_000, interval: 50 });
  const plain = { name: "gateways", channel: "standard", isExtended: false };
  const extended = { name: "gateways", channel: "experimental", isExtended: true };
  const mesh = { name: "xmeshes", channel: "experimental", isExtended: true };
  await becomes({ crds: [plain], upgradeable: "FeatureGateInPreview" });
  await ask({ GatewayAPI: true, GatewayExtraMinimalOCG: true });
  await becomes({ crds: [extended], upgradeable: "ExperimentalGates" });
  await ask({ GatewayAPI: true, GatewayExtraMinimalOCG: true, MeshExtraMinimalOCG: true });
  await becomes({ crds: [extended, mesh], upgradeable: "ExperimentalGates" });
  // A CRD whose objects may be somebody's is never taken away.
  await ask({ GatewayAPI: true });
  await becomes({ crds: [plain, mesh], upgradeable: "FeatureGateInPreview" });
  expect(told).toEqual(["", "GatewayExtraMinimalOCG", "GatewayExtraMinimalOCG+MeshExtraMinimalOCG", ""]);
});

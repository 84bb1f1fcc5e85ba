import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { crdOwner, crdsReady, meshLabel, olmOrigins } from "./mesh-crds.ts";
import { meshNetworkPolicies } from "./network-policies.ts";
import { availableSince } from "./own-install.ts";

const crd = (name: string, labels: Readonly<Record<string, string>> = {}, isEstablished = true) =>
  ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name, labels },
    status: { conditions: [{ type: "Established", status: isEstablished ? "True" : "False" }] },
  }) satisfies KubernetesObject;

const ours = { [meshLabel]: "openshift-gateway" };
const olm = { "olm.managed": "true" };

describe("the mesh's CRDs", () => {
  it.each([
    ["ours", "ManagedByCIO", "True", [crd("a", ours), crd("b", ours)]],
    ["OLM's", "ManagedByOLM", "True", [crd("a", olm), crd("b", olm)]],
    ["some of both", "MixedOwnership", "True", [crd("a", ours), crd("b", olm)]],
    ["not all there", "NotReady", "False", [crd("a", ours)]],
    ["not all served", "NotReady", "False", [crd("a", ours), crd("b", ours, false)]],
    ["somebody's", "UnknownManagement", "False", [crd("a", ours), crd("b")]],
    ["none", "NoneExist", "Unknown", []],
  ] as const)("1.5.3: %s: %s", (_, reason, status, found) => {
    const byName = new Map<string, KubernetesObject>(found.map((one) => [one.metadata.name, one]));
    expect(crdsReady(["a", "b"], (name) => byName.get(name), [])).toMatchObject({
      type: "CRDsReady",
      status,
      reason,
    });
    expect(crdsReady(["a", "b"], (name) => byName.get(name), ["no"]).reason).toBe("Error");
  });

  it("1.5.7: what has our label is ours, whatever OLM has written on it before", () => {
    expect(crdOwner(crd("a", { ...olm, ...ours }))).toBe("ours");
    expect(crdOwner(crd("a", { "olm.managed": "false" }))).toBe("unknown");
  });

  it("1.5.7: every label of OLM names what brought it; a namespace is what follows the last dot", () => {
    const labels = {
      ...olm,
      "operators.coreos.com/servicemeshoperator3.openshift-operators": "",
      "operators.coreos.com/sail.operator.team": "",
      "example.com/other.team": "",
    };
    expect(olmOrigins(crd("a", labels))).toEqual([
      { name: "servicemeshoperator3", namespace: "openshift-operators" },
      { name: "sail.operator", namespace: "team" },
    ]);
  });
});

describe("the control plane", () => {
  const deployment = (observedGeneration: number, status: string) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "istiod", generation: 3 },
    status: {
      observedGeneration,
      conditions: [{ type: "Available", status, lastTransitionTime: "2026-01-01T00:00:10Z" }],
    },
  });

  it("1.5.8: is in step when its Deployment is as it should be and available", () => {
    expect(availableSince(deployment(3, "True"))).toBe("3-1767225610");
    expect(availableSince(deployment(2, "True"))).toBeUndefined();
    expect(availableSince(deployment(3, "False"))).toBeUndefined();
    expect(availableSince(undefined)).toBeUndefined();
  });
});

describe("network policies", () => {
  const object = (kind: string, name: string, namespace?: string) => ({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind,
    metadata: { name, uid: `uid-${name}`, ...(namespace !== undefined && { namespace }) },
  });

  it("1.6.12: are for Gateways beside the control plane whose name a label can have", () => {
    const names = meshNetworkPolicies(object("GatewayClass", "openshift-default"), [
      object("Gateway", "web", "openshift-ingress"),
      object("Gateway", "elsewhere", "team"),
      object("Gateway", "x".repeat(64), "openshift-ingress"),
    ]).map(({ object: { metadata } }) => metadata.name);
    expect(names).toEqual(["istiod-allow", "web-allow"]);
  });
});

import { describe, expect, it } from "vitest";
import { problemsOf, readAs } from "../../test/resources/problems-of.ts";

const gateway = (mesh: unknown) => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: { name: "it", namespace: "edge" },
  spec: { gatewayClassName: "c", listeners: [{ name: "http", port: 80, protocol: "HTTP" }], mesh },
});
const mesh = (ocg: unknown) => ({
  apiVersion: "gateway.networking.x-k8s.io/v1alpha1",
  kind: "XMesh",
  metadata: { name: "it" },
  spec: { controllerName: "example.com/mesh", ocg },
});
const labelSelector = { matchLabels: { mesh: "one" } };

describe("spec.mesh of a Gateway", () => {
  it("4.1, 4.3, 4.23: has a bundle with the usual key, and room for other kinds", () => {
    const { spec } = readAs("Gateway", gateway({ trustBundle: { name: "ca" }, labelSelector }));
    expect(spec.mesh).toEqual({
      trustBundle: { kind: "ConfigMap", name: "ca", bundleKey: "ca-bundle.crt" },
      labelSelector,
    });
    const given = {
      kind: "ClusterTrustBundle",
      name: "ca",
      namespace: "mesh-system",
      bundleKey: "roots.pem",
    };
    const other = readAs("Gateway", gateway({ trustBundle: given, labelSelector }));
    expect(other.spec.mesh?.trustBundle).toEqual(given);
  });

  it("4.4: must have a name, a key that a ConfigMap can have, and a selector", () => {
    expect(problemsOf(gateway({ trustBundle: {}, labelSelector }))).toEqual([
      "spec.mesh.trustBundle.name: is required",
    ]);
    expect(problemsOf(gateway({ trustBundle: { name: "ca" } }))).toEqual([
      "spec.mesh.labelSelector: is required",
    ]);
    expect(problemsOf(gateway({ trustBundle: { name: "ca", bundleKey: "../ca" }, labelSelector }))).toEqual([
      expect.stringContaining("spec.mesh.trustBundle.bundleKey"),
    ]);
  });
});

describe("spec.ocg of an XMesh", () => {
  it("4.2, 4.3: has a bundle with the usual key", () => {
    const { spec } = readAs("XMesh", mesh({ trustBundle: { name: "ca", namespace: "mesh-system" } }));
    expect(spec.ocg?.trustBundle).toEqual({
      kind: "ConfigMap",
      name: "ca",
      namespace: "mesh-system",
      bundleKey: "ca-bundle.crt",
    });
  });

  it("4.4: must say name and namespace", () => {
    expect(problemsOf(mesh({ trustBundle: {} })).toSorted()).toEqual([
      "spec.ocg.trustBundle.name: is required",
      "spec.ocg.trustBundle.namespace: is required",
    ]);
  });
});

import { describe, expect, it, vi } from "vitest";
import { KubernetesError, type KubernetesObject } from "../../kubernetes/index.ts";
import { DefaultMesh } from "./default-mesh.ts";

const ours = "gatewright.dev/gateway-controller";

function start(found: KubernetesObject | undefined, failures: readonly KubernetesError[] = []) {
  const [created, written, troubles]: [KubernetesObject[], string[], (string | undefined)[]] = [[], [], []];
  const left = [...failures];
  const mesh = new DefaultMesh({
    client: {
      get: () => Promise.resolve(found ?? created[0]),
      create: (_type, object) => {
        const failure = left.shift();
        if (failure) return Promise.reject(failure);
        created.push(object);
        return Promise.resolve(object);
      },
    },
    controllerNames: [ours, "example.com/second"],
    tryEvery: 1,
    written: (what) => written.push(what),
    trouble: (_where, message) => troubles.push(message),
  });
  mesh.want(true);
  return { mesh, created, written, troubles };
}

const meshOf = (controllerName: string): KubernetesObject => ({
  apiVersion: "gateway.networking.x-k8s.io/v1alpha1",
  kind: "XMesh",
  metadata: { name: "gatewright" },
  spec: { controllerName, description: "the admin's own words" },
});

describe("the mesh of our own", () => {
  it("4.20: is made with a name and a controller where there is none", async () => {
    const { created, written } = start(undefined);
    await vi.waitFor(() => expect(written).toEqual(["XMesh gatewright created"]));
    expect(created).toEqual([
      {
        apiVersion: "gateway.networking.x-k8s.io/v1alpha1",
        kind: "XMesh",
        metadata: { name: "gatewright" },
        spec: { controllerName: ours },
      },
    ]);
  });

  it("4.20: is left as it is where it is ours", async () => {
    const { created, troubles } = start(meshOf("example.com/second"));
    await vi.waitFor(() => expect(troubles).toEqual([undefined]));
    expect(created).toEqual([]);
  });

  it("4.20: is left alone where it is somebody else's, which is told", async () => {
    const { created, troubles } = start(meshOf("example.com/mesh"));
    await vi.waitFor(() => expect(troubles).toHaveLength(1));
    expect(troubles[0]).toContain("belongs to example.com/mesh");
    expect(created).toEqual([]);
  });

  it("is tried again until its CRD is there", async () => {
    const missing = () => new KubernetesError("not served", { code: "KUBERNETES_REFUSED", status: 404 });
    const { written, troubles } = start(undefined, [missing(), missing()]);
    await vi.waitFor(() => expect(written).toHaveLength(1));
    expect(troubles).toEqual(["not served", "not served", undefined]);
  });

  it("is not made once it is not wanted any more", async () => {
    const { mesh, created } = start(undefined);
    await mesh.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(created).toEqual([]);
  });
});

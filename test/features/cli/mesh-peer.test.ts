/** Both halves of GEP-3951 as two programs: `gatewright run` with the gate, and `gatewright mesh-peer` in front of a workload. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { makeCa, makeCertificate } from "../../certificates.ts";
import { httpBackend } from "../support/backends.ts";
import { secret, service } from "../support/objects.ts";
import { folderOf, freePort, gatewright, startGatewright } from "./program.ts";

const bundle = (name: string, certificates: string) => `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: mesh-system }
data: { ca-bundle.crt: ${JSON.stringify(certificates)} }
`;
const mesh = `
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XMesh
metadata: { name: mesh }
spec:
  controllerName: example.com/mesh
  ocg: { trustBundle: { name: ocg-ca, namespace: mesh-system } }
`;
const gatewayObjects = (port: number) => `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: edge }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: ${port}, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
  tls: { backend: { clientCertificateRef: { name: gateway } } }
  mesh:
    trustBundle: { name: mesh-ca, namespace: mesh-system }
    labelSelector: { matchLabels: { mesh: one } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop, labels: { mesh: one } }
spec:
  parentRefs: [{ name: web, namespace: edge }]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]
`;

it("4.16, 4.17: run and mesh-peer speak to each other, and say loudly that they are experiments", async () => {
  const web = await httpBackend("web");
  const [port, peerPort] = [await freePort(), await freePort()];
  const [meshCa, gatewayCa] = [await makeCa(), await makeCa()];
  const own = await makeCertificate({ ca: meshCa, names: ["web"] });
  const shown = await makeCertificate({ ca: gatewayCa, clientAuth: true });
  const bundles = `${mesh}${bundle("ocg-ca", gatewayCa.certificate)}`;
  const ofPeer = folderOf({ "mesh.yaml": bundles, "own.yaml": secret("web", own) });
  const ofGateway = folderOf({
    "mesh.yaml": bundles + bundle("mesh-ca", meshCa.certificate),
    "gateway.yaml": gatewayObjects(port) + secret("gateway", shown, "edge") + service("web", [peerPort]),
  });
  const flags = `--mesh mesh --certificate shop/web --listen 127.0.0.1:${peerPort} --workload ${web.port}`;
  const peer = startGatewright(["mesh-peer", "-f", ofPeer, ...flags.split(" ")]);
  await peer.find(/"ready"/, "stderr");
  expect(peer.stderr).toContain("EXPERIMENTAL, not for production: MeshExtraMinimalOCG");

  const run = startGatewright(["run", "-f", ofGateway, "--admin", "off", "--gate", "GatewayExtraMinimalOCG"]);
  await run.find(/Ctrl-C stops/);
  expect(run.stderr).toContain("EXPERIMENTAL, not for production: GatewayExtraMinimalOCG");
  const status = async () => (await fetch(`http://127.0.0.1:${port}/`)).status;
  expect(await status()).toBe(200);

  // The peer's mesh has another CA for gateways: files are followed, and nobody is let in any more.
  writeFileSync(join(ofPeer, "mesh.yaml"), `${mesh}${bundle("ocg-ca", "nothing")}`);
  await vi.waitFor(async () => expect(await status()).toBeGreaterThanOrEqual(500), {
    timeout: 30_000,
    interval: 100,
  });
  expect(await peer.stop()).toBe(0);
  expect(await run.stop()).toBe(0);
});

it("4.16: check says that the gate is off, and nothing of it with the gate", async () => {
  const [meshCa, gatewayCa] = [await makeCa(), await makeCa()];
  const shown = await makeCertificate({ ca: gatewayCa, clientAuth: true });
  const folder = folderOf({
    "all.yaml":
      gatewayObjects(8080) +
      secret("gateway", shown, "edge") +
      service("web", [1]) +
      `---${mesh}` +
      bundle("ocg-ca", gatewayCa.certificate) +
      bundle("mesh-ca", meshCa.certificate),
  });
  const off = await gatewright(["check", "-f", folder]);
  expect([off.code, off.stdout]).toEqual([
    1,
    expect.stringContaining("turn on the gate GatewayExtraMinimalOCG"),
  ]);
  const on = await gatewright(["check", "-f", folder, "--gate", "GatewayExtraMinimalOCG"]);
  expect([on.code, on.stderr]).toEqual([0, ""]);
});

it("says how it is used", async () => {
  const wrong = async (...args: string[]) => {
    const { code, stderr } = await gatewright(["mesh-peer", ...args]);
    return [code, stderr.split("\n")[0]];
  };
  const certificate = ["--certificate", "shop/web"];
  expect(await wrong("--certificate", "web", "--workload", "80")).toEqual([
    2,
    expect.stringContaining("--certificate: write NAMESPACE/NAME"),
  ]);
  expect(await wrong(...certificate, "--workload", "web:80")).toEqual([
    2,
    expect.stringContaining("--workload: write ADDRESS:PORT"),
  ]);
  expect(await wrong(...certificate, "--workload", "80", "-f", "/nowhere")).toEqual([
    1,
    expect.stringContaining("/nowhere"),
  ]);
  const { code, stderr } = await gatewright(["run"]);
  expect([code, stderr.split("\n")[0]]).toEqual([2, expect.stringContaining("give -f PATH for files")]);
});

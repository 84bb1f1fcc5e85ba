/** GEP-3951 with objects of an API server, which both halves read by kubeconfig: what they ask for, what they may not read, what they write. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { expect, it, onTestFinished, vi } from "vitest";
import { clusterSource, meshPeerSource } from "../../src/controller/index.ts";
import type { ResourceKind } from "../../src/resources/index.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { Refusal, type ApiServer, type ObjectBody } from "../kubernetes/api-server.ts";
import { allTypes, typeOf } from "../kubernetes/gateway-objects.ts";
import { startServer } from "../kubernetes/start.ts";
import { httpBackend } from "./support/backends.ts";
import { startGatewayFrom } from "./support/gateway-under-test.ts";
import { secret, service } from "./support/objects.ts";

const controllerName = "gatewright.dev/out-of-cluster";
const patience = { timeout: 30_000, interval: 50 };

function create(server: ApiServer, yaml: string): void {
  for (const document of loadAll(yaml, undefined, { schema: CORE_SCHEMA })) {
    if (document === null || document === undefined) continue;
    const {
      apiVersion: _version,
      kind,
      ...body
    } = document as ObjectBody & { apiVersion: string; kind: string };
    server.create(typeOf(kind as ResourceKind), body);
  }
}

function kubeconfigOf(server: ApiServer): string {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-outside-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "kubeconfig");
  const ca = Buffer.from(server.ca).toString("base64");
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "it",
      contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
      clusters: [{ name: "it", cluster: { server: server.url, "certificate-authority-data": ca } }],
      users: [{ name: "it", user: { token: "secret" } }],
    }),
  );
  return file;
}

const bundle = (name: string, certificates: string, namespace = "mesh-system") => `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: ${namespace} }
data: { ca-bundle.crt: ${JSON.stringify(certificates)} }
`;
const gateway = (name: string, port: number, bundles: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ${name}, namespace: edge }
spec:
  gatewayClassName: outside
  listeners: [{ name: http, port: ${port}, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
  tls: { backend: { clientCertificateRef: { name: gateway } } }
  mesh:
    trustBundle: { name: mesh-ca, namespace: ${bundles} }
    labelSelector: { matchLabels: { mesh: one } }
`;
const objects = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: outside }
spec: { controllerName: ${controllerName} }
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XMesh
metadata: { name: mesh }
spec:
  controllerName: ${controllerName}
  ocg: { trustBundle: { name: ocg-ca, namespace: mesh-system } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop, labels: { mesh: one } }
spec:
  parentRefs: [{ name: web, namespace: edge }, { name: denied, namespace: edge }]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]
`;

it("4.5, 4.7, 4.9, 4.19: both halves read what they need, and no more; a bundle that they may not read is told", async () => {
  const server = await startServer(allTypes);
  server.intercept = ({ path }) => {
    if (path.includes("/namespaces/vault/")) throw new Refusal(403, "Forbidden", "may not");
    return false;
  };
  const kubeconfig = kubeconfigOf(server);
  const [meshCa, gatewayCa] = [await makeCa(), await makeCa()];
  create(
    server,
    objects +
      gateway("web", 80, "mesh-system") +
      gateway("denied", 81, "vault") +
      bundle("mesh-ca", meshCa.certificate) +
      bundle("ocg-ca", gatewayCa.certificate) +
      bundle("unrelated", "") +
      secret("gateway", await makeCertificate({ ca: gatewayCa, clientAuth: true }), "edge") +
      secret("workload", await makeCertificate({ ca: meshCa, names: ["web"] })),
  );

  const web = await httpBackend("web");
  const version = "test";
  const ofPeer = await clusterSource({ kubeconfig, kinds: ["XMesh"], writes: false, version });
  const peer = await startGatewayFrom(
    meshPeerSource(ofPeer.source, {
      mesh: "mesh",
      certificate: { namespace: "shop", name: "workload" },
      listen: { address: "127.0.0.1", port: 15443 },
      workload: { address: "127.0.0.1", port: web.port },
      protocol: "http",
    }),
  );
  create(server, service("web", [peer.at().port]));
  const ofGateway = await clusterSource({ kubeconfig, writes: true, version });
  const outside = await startGatewayFrom(ofGateway.source, {
    settings: { controllerNames: [controllerName], implicitClasses: false },
    gates: ["GatewayExtraMinimalOCG", "MeshExtraMinimalOCG"],
  });
  await vi.waitFor(async () => expect((await outside.get({ port: 80 })).from).toBe("web"), patience);
  expect((await outside.get({ port: 81 })).status).toBe(500);

  const statusOf = (kind: ResourceKind, key: string) =>
    JSON.stringify(server.store(typeOf(kind)).get(key)["status"] ?? {});
  await vi.waitFor(() => {
    expect(statusOf("Gateway", "edge/web")).toContain('"Experimental"');
    expect(statusOf("Gateway", "edge/denied")).toMatch(
      /InvalidCACertificateRef.*vault\/mesh-ca is not valid/,
    );
    expect(statusOf("XMesh", "mesh")).toContain('"supportedFeatures":[{"name":"MeshExtraMinimalOCG"}]');
  }, patience);
  const asked = new Set(
    server.requests.flatMap(({ path, query }) =>
      /configmaps|secrets/.test(path)
        ? [`${path.split("/").slice(4).join("/")} ${query.get("fieldSelector")}`]
        : [],
    ),
  );
  expect([...asked].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    "edge/secrets metadata.name=gateway",
    "mesh-system/configmaps metadata.name=mesh-ca",
    "mesh-system/configmaps metadata.name=ocg-ca",
    "shop/secrets metadata.name=workload",
    "vault/configmaps metadata.name=mesh-ca",
  ]);
  expect(outside.faults).toEqual([]);
});

/** GEP-3951, both halves: a gateway from outside, and the inbound proxy of a workload that trusts what its mesh says. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { meshPeerSource } from "../../src/controller/index.ts";
import { callGrpc } from "../../src/driver-kit/traffic/grpc.ts";
import { connectHttp2 } from "../../src/driver-kit/traffic/http2-client.ts";
import { memorySource, type MemorySource } from "../../src/sources/index.ts";
import { makeCa, makeCertificate, type MadeAuthority } from "../certificates.ts";
import { tlsExchange } from "../tls-client.ts";
import { grpcBackend, httpBackend } from "./support/backends.ts";
import {
  objectsIn,
  startGateway,
  startGatewayFrom,
  type GatewayUnderTest,
} from "./support/gateway-under-test.ts";
import { secret, service } from "./support/objects.ts";

const failures = [500, 502, 503, 504];

const bundle = (name: string, ...authorities: readonly MadeAuthority[]) => `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: mesh-system }
data: { ca-bundle.crt: ${JSON.stringify(authorities.map(({ certificate }) => certificate).join(""))} }
`;
const mesh = (ocg = "  ocg: { trustBundle: { name: ocg-ca, namespace: mesh-system } }") => `
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XMesh
metadata: { name: gatewright }
spec:
  controllerName: gatewright.dev/gateway-controller
${ocg}
`;
const gatewayAndRoute = (kind = "HTTPRoute") => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: edge }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
  tls: { backend: { clientCertificateRef: { name: gateway } } }
  mesh:
    trustBundle: { name: mesh-ca, namespace: mesh-system }
    labelSelector: { matchLabels: { mesh: one } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: ${kind}
metadata: { name: web, namespace: shop, labels: { mesh: one } }
spec:
  parentRefs: [{ name: web, namespace: edge }]
  rules: [{ backendRefs: [{ name: web, port: 80 }] }]
`;

interface Ends {
  readonly gateway: GatewayUnderTest;
  readonly peer: Awaited<ReturnType<typeof startGatewayFrom>>;
  /** What the peer reads. */
  readonly objects: MemorySource;
  readonly meshCa: MadeAuthority;
  readonly gatewayCa: MadeAuthority;
}

async function startEnds(workload: number, protocol: "http" | "h2c" = "http"): Promise<Ends> {
  const [meshCa, gatewayCa] = [await makeCa({ name: "mesh" }), await makeCa({ name: "gateways" })];
  const own = await makeCertificate({ ca: meshCa, uris: ["spiffe://mesh/ns/shop/sa/web"] });
  const objects = memorySource(objectsIn(mesh() + bundle("ocg-ca", gatewayCa) + secret("workload", own)));
  const peer = await startGatewayFrom(
    meshPeerSource(objects, {
      mesh: "gatewright",
      certificate: { namespace: "shop", name: "workload" },
      listen: { address: "127.0.0.1", port: 15443 },
      workload: { address: "127.0.0.1", port: workload },
      protocol,
    }),
  );
  const shown = await makeCertificate({ ca: gatewayCa, commonName: "the gateway", clientAuth: true });
  const gateway = await startGateway(
    gatewayAndRoute(protocol === "h2c" ? "GRPCRoute" : "HTTPRoute") +
      mesh() +
      bundle("mesh-ca", meshCa) +
      bundle("ocg-ca", gatewayCa) +
      secret("gateway", shown, "edge") +
      service("web", [peer.at().port]),
    { gates: ["GatewayExtraMinimalOCG", "MeshExtraMinimalOCG"] },
  );
  return { gateway, peer, objects, meshCa, gatewayCa };
}

async function change({ objects, peer }: Ends, yaml: string): Promise<void> {
  objects.batch((batch) => objectsIn(yaml).forEach((object) => batch.set(object)));
  await peer.controller.settled();
}

describe("a workload behind its peer", () => {
  it("4.9, 4.10, 4.19: is reached by a gateway from outside, which is told apart from others", async () => {
    const web = await httpBackend("web");
    const { gateway, peer, meshCa } = await startEnds(web.port);
    const { seen } = await gateway.get({ host: "shop.test", path: "/cart" });
    expect(seen).toMatchObject({ backend: "web", host: "shop.test" });
    expect(web.requests[0]?.tls).toBeUndefined();
    expect(gateway.condition("XMesh", "gatewright", "Accepted")).toBe("True/Accepted");
    // Without a certificate, with one of the mesh's own, with one of somebody else's: nobody is let in.
    const { port } = peer.at();
    const others = [
      undefined,
      await makeCertificate({ ca: meshCa, clientAuth: true }),
      await makeCertificate({ ca: await makeCa({ name: "gateways" }), clientAuth: true }),
    ];
    for (const other of others) {
      const shown = other ? { cert: other.certificates, key: other.privateKey } : {};
      const exchange = tlsExchange(port, { rejectUnauthorized: false, ...shown });
      expect(await exchange.then(({ text }) => text).catch(() => "")).toBe("");
    }
    expect(web.requests).toHaveLength(1);
  });

  it("4.14, 4.22: both sides' CAs and certificates can be rotated", async () => {
    const web = await httpBackend("web");
    const ends = await startEnds(web.port);
    const { gateway, meshCa, gatewayCa } = ends;
    const status = async () => (await gateway.get({ host: "shop.test" })).status;
    const [nextMesh, nextGateway] = [await makeCa({ name: "mesh 2" }), await makeCa({ name: "gateways 2" })];
    await change(ends, bundle("ocg-ca", gatewayCa, nextGateway));
    await gateway.apply(bundle("mesh-ca", meshCa, nextMesh) + bundle("ocg-ca", gatewayCa, nextGateway));
    expect(await status()).toBe(200);
    await change(ends, secret("workload", await makeCertificate({ ca: nextMesh, names: ["web"] })));
    await gateway.apply(
      secret("gateway", await makeCertificate({ ca: nextGateway, clientAuth: true }), "edge"),
    );
    expect(await status()).toBe(200);
    await change(ends, bundle("ocg-ca", nextGateway));
    await gateway.apply(bundle("mesh-ca", nextMesh) + bundle("ocg-ca", nextGateway));
    expect(await status()).toBe(200);
    await change(ends, bundle("ocg-ca", gatewayCa));
    // Another certificate is another connection, and that is judged anew.
    await gateway.apply(
      secret("gateway", await makeCertificate({ ca: nextGateway, clientAuth: true }), "edge"),
    );
    expect(failures).toContain(await status());
    expect(web.requests).toHaveLength(3);
  });

  it("4.6, attack 35: lets nobody in without a bundle, and those it vouches for once it is mended", async () => {
    const web = await httpBackend("web");
    const ends = await startEnds(web.port);
    const { gateway, gatewayCa, objects, peer } = ends;
    const status = async () => (await gateway.get({ host: "shop.test" })).status;
    const patience = { timeout: 20_000, interval: 50 };
    const mended = async () => {
      await change(ends, mesh() + bundle("ocg-ca", gatewayCa));
      const port = await vi.waitFor(() => peer.at().port, patience);
      await gateway.apply(service("web", [port]));
      expect(await status()).toBe(200);
    };
    const broken = async () => {
      await vi.waitFor(() => expect(peer.driver.describe().listeners).toEqual([]), patience);
      await vi.waitFor(async () => expect(failures).toContain(await status()), patience);
      served = web.requests.length;
      expect(failures).toContain(await status());
      expect(web.requests).toHaveLength(served);
    };
    let served = 0;
    await mended();
    await change(ends, bundle("ocg-ca"));
    await broken();
    await mended();
    await change(ends, mesh("  description: trusts nobody"));
    await broken();
    await mended();
    await change(
      ends,
      mesh("  ocg: { trustBundle: { kind: Secret, name: ocg-ca, namespace: mesh-system } }"),
    );
    await broken();
    await mended();
    objects.delete("XMesh", "gatewright");
    await broken();
  });

  it("4.9, 4.10: is not reached with a certificate that has expired, on either side", async () => {
    const web = await httpBackend("web");
    const ends = await startEnds(web.port);
    const { gateway, meshCa, gatewayCa } = ends;
    const old = await makeCertificate({ ca: gatewayCa, clientAuth: true, expired: true });
    await gateway.apply(secret("gateway", old, "edge"));
    expect(failures).toContain((await gateway.get({ host: "shop.test" })).status);
    const good = await makeCertificate({ ca: gatewayCa, clientAuth: true });
    await gateway.apply(secret("gateway", good, "edge"));
    await change(ends, secret("workload", await makeCertificate({ ca: meshCa, expired: true })));
    expect(failures).toContain((await gateway.get({ host: "shop.test" })).status);
    expect(web.requests).toHaveLength(0);
  });

  it("4.15: speaks gRPC where it says so", async () => {
    const calls = await grpcBackend("calls");
    const { gateway } = await startEnds(calls.port, "h2c");
    const client = await connectHttp2(gateway.at());
    onTestFinished(() => client.close());
    expect(await callGrpc(client, { path: "/shop.Cart/Add", messages: ["hi"] })).toMatchObject({
      status: 0,
      messages: ["calls: hi"],
    });
  });
});

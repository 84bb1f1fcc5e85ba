/** GEP-3951, the gateway's half: meshed routes by mutual TLS, with real certificates and real connections. */
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  makeCa,
  makeCertificate,
  type CertificateOptions,
  type MadeAuthority,
  type MadeCertificate,
} from "../certificates.ts";
import { httpBackend, tcpBackend } from "./support/backends.ts";
import { startGateway, type GatewayUnderTest } from "./support/gateway-under-test.ts";
import { secret, service } from "./support/objects.ts";

const failures = [500, 502, 503, 504];

const bundle = (name: string, ...authorities: readonly MadeAuthority[]) =>
  bundleText(name, authorities.map(({ certificate }) => certificate).join(""));
const bundleText = (name: string, text: string) => `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: mesh-system }
data: { ca-bundle.crt: ${JSON.stringify(text)} }
`;

const meshedGateway = (more = "") => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: edge }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }
    - { name: tcp, port: 9000, protocol: TCP, allowedRoutes: { namespaces: { from: All } } }
  tls: { backend: { clientCertificateRef: { name: gateway } } }
  mesh:
    trustBundle: { name: mesh-ca, namespace: mesh-system }
    labelSelector: { matchLabels: { mesh: one } }
${more}`;

const mesh = (map = "ocg-ca") => `
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XMesh
metadata: { name: mesh }
spec:
  controllerName: example.com/mesh
  ocg: { trustBundle: { name: ${map}, namespace: mesh-system } }
`;

const route = (name: string, labels = "{}", kind = "HTTPRoute", section = "http") => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: ${kind}
metadata: { name: ${name}, namespace: shop, labels: ${labels} }
spec:
  parentRefs: [{ name: web, namespace: edge, sectionName: ${section} }]
  ${kind === "TCPRoute" ? "" : `hostnames: [${name}.test]`}
  rules: [{ backendRefs: [{ name: ${name}, port: 80 }] }]
`;
const namespace = (labels: string) => `
---
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: ${labels} }
`;
const isMeshed = "{ mesh: one }";

interface World {
  /** Of the workloads. */
  readonly meshCa: MadeAuthority;
  /** Of the gateway. */
  readonly gatewayCa: MadeAuthority;
  readonly shown: MadeCertificate;
  /** What a workload shows, and asks for. */
  readonly workload: (options?: Partial<CertificateOptions>) => Promise<WorkloadTls>;
  readonly objects: string;
}

type WorkloadTls = MadeCertificate & { readonly clientAuthority: string };

async function world(): Promise<World> {
  const [meshCa, gatewayCa] = [await makeCa({ name: "mesh" }), await makeCa({ name: "gateways" })];
  const shown = await makeCertificate({ ca: gatewayCa, commonName: "the gateway", clientAuth: true });
  return {
    meshCa,
    gatewayCa,
    shown,
    workload: async (options) => ({
      ...(await makeCertificate({ ca: meshCa, uris: ["spiffe://mesh/ns/shop/sa/web"], ...options })),
      clientAuthority: gatewayCa.certificate,
    }),
    objects:
      meshedGateway() +
      mesh() +
      bundle("mesh-ca", meshCa) +
      bundle("ocg-ca", gatewayCa) +
      secret("gateway", shown, "edge"),
  };
}

const gates = ["GatewayExtraMinimalOCG"] as const;
const start = (yaml: string): Promise<GatewayUnderTest> => startGateway(yaml, { gates });

describe("a meshed route", () => {
  it("4.9, 4.10, 4.11, 4.22: goes to its backends by mutual TLS, and others stay in clear text", async () => {
    const { objects, workload } = await world();
    const meshed = await httpBackend("meshed", { tls: await workload() });
    const plain = await httpBackend("plain");
    const gateway = await start(
      objects +
        route("meshed", isMeshed) +
        route("plain") +
        service("meshed", [meshed.port]) +
        service("plain", [plain.port]),
    );
    const { seen } = await gateway.get({ host: "meshed.test" });
    expect(seen).toMatchObject({ backend: "meshed", tls: { clientCertificate: "the gateway" } });
    expect(seen?.tls?.serverName).toBeUndefined();
    expect((await gateway.get({ host: "plain.test" })).seen).toMatchObject({ backend: "plain" });
    expect(plain.requests[0]?.tls).toBeUndefined();
    expect(gateway.condition("Gateway", "edge/web", "MeshTrust")).toBe("True/Experimental");
  });

  it("4.10: is never sent in clear text, nor to a workload of another CA or with an expired certificate", async () => {
    const { objects, workload } = await world();
    const backends = {
      plain: await httpBackend("plain"),
      foreign: await httpBackend("foreign", { tls: await workload({ ca: await makeCa({ name: "mesh" }) }) }),
      expired: await httpBackend("expired", { tls: await workload({ expired: true }) }),
    };
    const names = Object.keys(backends) as (keyof typeof backends)[];
    const gateway = await start(
      objects + names.map((name) => route(name, isMeshed) + service(name, [backends[name].port])).join(""),
    );
    for (const name of names) {
      const { status } = await gateway.get({ host: `${name}.test` });
      expect({ name, isRefused: failures.includes(status), seen: backends[name].requests }).toEqual({
        name,
        isRefused: true,
        seen: [],
      });
    }
  });

  it("4.9: is not let in by a workload once the gateway's certificate has expired", async () => {
    const { objects, workload, gatewayCa, shown } = await world();
    const web = await httpBackend("web", { tls: await workload() });
    const gateway = await start(objects + route("web", isMeshed) + service("web", [web.port]));
    expect((await gateway.get({ host: "web.test" })).status).toBe(200);
    const old = await makeCertificate({ ca: gatewayCa, clientAuth: true, expired: true });
    await gateway.apply(secret("gateway", old, "edge"));
    expect(failures).toContain((await gateway.get({ host: "web.test" })).status);
    await gateway.apply(secret("gateway", shown, "edge"));
    expect((await gateway.get({ host: "web.test" })).status).toBe(200);
    expect(web.requests).toHaveLength(2);
  });

  it("4.8, 4.12: follows the labels of the route and of its namespace", async () => {
    const { objects, workload } = await world();
    const meshed = await httpBackend("meshed", { tls: await workload() });
    const plain = await httpBackend("plain");
    const gateway = await start(objects + route("web") + service("web", [plain.port]));
    const asked = async () => {
      const answer = await gateway.get({ host: "web.test" });
      return answer.seen?.backend ?? answer.status;
    };
    expect(await asked()).toBe("plain");
    await gateway.apply(route("web", isMeshed));
    expect(failures).toContain(await asked());
    await gateway.apply(service("web", [meshed.port]));
    expect(await asked()).toBe("meshed");
    await gateway.apply(route("web") + namespace(isMeshed));
    expect(await asked()).toBe("meshed");
    await gateway.apply(namespace("{ mesh: two }") + service("web", [plain.port]));
    expect(await asked()).toBe("plain");
    expect(plain.requests).toHaveLength(2);
  });

  it("attack 36: ends what is under way as it began when its namespace loses the label", async () => {
    const { objects, workload } = await world();
    let [begin, end] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ended = new Promise<void>((resolve) => (end = resolve));
    const meshed = await httpBackend("meshed", {
      tls: await workload(),
      answer: async () => {
        begin();
        await ended;
        return {};
      },
    });
    const plain = await httpBackend("plain");
    const gateway = await start(objects + route("web") + namespace(isMeshed) + service("web", [meshed.port]));
    const underWay = gateway.get({ host: "web.test" });
    await begun;
    await gateway.apply(namespace("{}") + service("web", [plain.port]));
    expect((await gateway.get({ host: "web.test" })).from).toBe("plain");
    end();
    expect((await underWay).seen).toMatchObject({
      backend: "meshed",
      tls: { clientCertificate: "the gateway" },
    });
  });

  it("4.14: both CAs are good while both are in the bundle", async () => {
    const { objects, workload, meshCa } = await world();
    const next = await makeCa({ name: "next" });
    const before = await httpBackend("before", { tls: await workload() });
    const after = await httpBackend("after", { tls: await workload({ ca: next }) });
    const names = ["before", "after"];
    const gateway = await start(
      objects +
        names.map((name) => route(name, isMeshed)).join("") +
        service("before", [before.port]) +
        service("after", [after.port]),
    );
    const served = async () => {
      const answers = await Promise.all(names.map((name) => gateway.get({ host: `${name}.test` })));
      return answers.map(({ status }) => status === 200);
    };
    expect(await served()).toEqual([true, false]);
    await gateway.apply(bundle("mesh-ca", meshCa, next));
    expect(await served()).toEqual([true, true]);
    await gateway.apply(bundle("mesh-ca", next));
    expect(await served()).toEqual([false, true]);
  });

  it("4.13: one bundle may be both, and different ones may hold the same CA", async () => {
    const ca = await makeCa({ name: "both" });
    const shown = await makeCertificate({ ca, commonName: "the gateway", clientAuth: true });
    const own = await makeCertificate({ ca, names: ["web"] });
    const web = await httpBackend("web", { tls: { ...own, clientAuthority: ca.certificate } });
    const common =
      meshedGateway() +
      secret("gateway", shown, "edge") +
      route("web", isMeshed) +
      service("web", [web.port]);
    const shared = await start(common + mesh("mesh-ca") + bundle("mesh-ca", ca));
    expect((await shared.get({ host: "web.test" })).from).toBe("web");
    const alike = await start(common + mesh() + bundle("mesh-ca", ca) + bundle("ocg-ca", ca));
    expect((await alike.get({ host: "web.test" })).from).toBe("web");
  });

  it("4.15: byte streams go the same way, and never in clear text", async () => {
    const { objects, workload } = await world();
    const { certificates, privateKey, clientAuthority } = await workload();
    const server = createServer(
      {
        cert: certificates,
        key: privateKey,
        ca: clientAuthority,
        requestCert: true,
        rejectUnauthorized: true,
      },
      (socket) => socket.on("error", () => {}).end(`hello ${String(socket.getPeerCertificate().subject.CN)}`),
    );
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const plain = await tcpBackend("plain");
    const { port } = server.address() as AddressInfo;
    const gateway = await start(
      objects + route("bytes", isMeshed, "TCPRoute", "tcp") + service("bytes", [port]),
    );
    expect(await textFrom(gateway.at(9000))).toBe("hello the gateway");
    await gateway.apply(service("bytes", [plain.port]));
    // It greets in clear text, which nobody takes for an answer.
    expect(await textFrom(gateway.at(9000))).toBe("");
  });

  it("4.10, 4.22: has its peers' names checked where a BackendTLSPolicy says them", async () => {
    const { objects, workload } = await world();
    const web = await httpBackend("web", { tls: await workload({ names: ["web.mesh.test"] }) });
    const named = (hostname: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: { name: web, namespace: shop }
spec:
  targetRefs: [{ group: "", kind: Service, name: web }]
  validation: { hostname: ${hostname}, wellKnownCACertificates: System }
`;
    const gateway = await start(
      objects + route("web", isMeshed) + service("web", [web.port]) + named("web.mesh.test"),
    );
    expect((await gateway.get({ host: "web.test" })).seen?.tls).toEqual({
      serverName: "web.mesh.test",
      clientCertificate: "the gateway",
    });
    await gateway.apply(named("other.mesh.test"));
    expect(failures).toContain((await gateway.get({ host: "web.test" })).status);
    expect(web.requests).toHaveLength(1);
  });
});

describe("a trust bundle that is no good", () => {
  it("4.6, attack 35: is never 'trust all', whatever it was before, and says what to mend", async () => {
    const { objects, workload, meshCa } = await world();
    const web = await httpBackend("web", { tls: await workload() });
    const plain = await httpBackend("plain");
    const gateway = await start(
      objects +
        route("web", isMeshed) +
        service("web", [web.port]) +
        route("plain", isMeshed) +
        service("plain", [plain.port]),
    );
    const leaf = await makeCertificate({ ca: meshCa });
    const broken: readonly (readonly [string, string, string])[] = [
      ["empty", "", "holds no PEM certificate"],
      ["not PEM", "trust everybody", "holds no PEM certificate"],
      ["no CA", leaf.certificates, "holds no CA certificate"],
      ["1000 certificates", meshCa.certificate.repeat(1000), "holds 1000 certificates; at most 64 are taken"],
      [
        "broken certificate",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "cannot be read",
      ],
    ];
    const statuses = async () => [
      (await gateway.get({ host: "web.test" })).status,
      (await gateway.get({ host: "plain.test" })).status,
    ];
    let served = 0;
    for (const [what, text, words] of broken) {
      await gateway.apply(bundle("mesh-ca", meshCa));
      expect((await statuses())[0]).toBe(200);
      served++;
      await gateway.apply(bundleText("mesh-ca", text));
      expect([what, ...(await statuses())]).toEqual([what, 500, 500]);
      expect(gateway.condition("Gateway", "edge/web", "ResolvedRefs")).toBe("False/InvalidCACertificateRef");
      expect(gateway.message("Gateway", "edge/web", "MeshTrust")).toContain(words);
      expect(gateway.condition("HTTPRoute", "shop/web", "ResolvedRefs")).toBe("False/InvalidMesh");
    }
    await gateway.delete("ConfigMap", "mesh-system/mesh-ca");
    expect((await gateway.get({ host: "web.test" })).status).toBe(500);
    expect(gateway.message("Gateway", "edge/web", "MeshTrust")).toContain("does not exist");
    expect(web.requests).toHaveLength(served);
    expect(plain.requests).toHaveLength(0);
  });

  it("4.9, 4.21: of the mesh, or none, keeps meshed routes shut", async () => {
    const { objects, workload, gatewayCa } = await world();
    const web = await httpBackend("web", { tls: await workload() });
    const gateway = await start(objects + route("web", isMeshed) + service("web", [web.port]));
    const asked = async () => (await gateway.get({ host: "web.test" })).status;
    const trust = () => gateway.condition("Gateway", "edge/web", "MeshTrust");
    expect(await asked()).toBe(200);
    await gateway.apply(bundle("ocg-ca", await makeCa({ name: "gateways" })));
    expect([await asked(), trust()]).toEqual([500, "False/ClientCertificateNotTrusted"]);
    await gateway.apply(bundle("ocg-ca", gatewayCa));
    expect([await asked(), trust()]).toEqual([200, "True/Experimental"]);
    await gateway.delete("XMesh", "mesh");
    expect([await asked(), trust()]).toEqual([500, "False/NoMesh"]);
    await gateway.apply(mesh());
    await gateway.delete("Secret", "edge/gateway");
    expect([await asked(), trust()]).toEqual([500, "False/InvalidClientCertificateRef"]);
    expect(web.requests).toHaveLength(2);
  });
});

it("4.16: without the gate a route that is said to be meshed answers with an error, and nothing else changes", async () => {
  const { objects, workload } = await world();
  const web = await httpBackend("web", { tls: await workload() });
  const plain = await httpBackend("plain");
  const gateway = await startGateway(
    objects +
      route("web", isMeshed) +
      route("plain") +
      service("web", [web.port]) +
      service("plain", [plain.port]),
  );
  expect((await gateway.get({ host: "web.test" })).status).toBe(500);
  expect((await gateway.get({ host: "plain.test" })).from).toBe("plain");
  expect(gateway.condition("Gateway", "edge/web", "MeshTrust")).toBe("False/GateOff");
  gateway.controller.setGates(gates);
  await gateway.controller.settled();
  expect((await gateway.get({ host: "web.test" })).from).toBe("web");
  gateway.controller.setGates([]);
  await gateway.controller.settled();
  expect((await gateway.get({ host: "web.test" })).status).toBe(500);
  expect(web.requests).toHaveLength(1);
});

/** All that comes until the other side ends. */
function textFrom({ address, port }: { readonly address: string; readonly port: number }): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket: Socket = connect(port, address);
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

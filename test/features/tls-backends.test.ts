import { describe, expect, it } from "vitest";
import { makeCa, makeCertificate, type MadeAuthority } from "../certificates.ts";
import { httpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { caBundle, httpGateway, httpRoute, secret, service } from "./support/objects.ts";

const toWeb = `
  rules:
    - backendRefs: [{ name: web, port: 443 }]`;

const policy = (validation: string) => `
---
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: { name: web, namespace: shop }
spec:
  targetRefs: [{ group: "", kind: Service, name: web }]
  validation: { ${validation} }
`;

const byCa = (hostname: string, rest = "") =>
  policy(`hostname: ${hostname}, caCertificateRefs: [{ group: "", kind: ConfigMap, name: ca }]${rest}`);

/** A backend that only speaks TLS, for this name, and a gateway with this policy for it. */
async function startWith(names: readonly string[], objects: string, ca: MadeAuthority, uris: string[] = []) {
  const web = await httpBackend("web", { tls: await makeCertificate({ ca, names, uris }) });
  const gateway = await startGateway(
    httpGateway +
      httpRoute(toWeb) +
      service("web", [web.port], { port: 443 }) +
      caBundle("ca", ca.certificate) +
      objects,
  );
  return { gateway, web };
}

describe("BackendTLSPolicy", () => {
  it("makes the gateway speak TLS to a Service, and check whom it speaks to [BackendTLSPolicy]", async () => {
    const ca = await makeCa();
    const { gateway } = await startWith(["web.test"], byCa("web.test"), ca);
    const answer = await gateway.get({ host: "shop.test" });
    expect(answer.seen).toMatchObject({ backend: "web", host: "shop.test", tls: { serverName: "web.test" } });
    expect(gateway.condition("BackendTLSPolicy", "shop/web", "Accepted")).toBe("True/Accepted");
    expect(gateway.condition("BackendTLSPolicy", "shop/web", "ResolvedRefs")).toBe("True/ResolvedRefs");
  });

  it("lets nothing through to a backend with another name, or of another CA [BackendTLSPolicy]", async () => {
    const [ca, other] = [await makeCa(), await makeCa()];
    const { gateway, web } = await startWith(["web.test"], byCa("another.test"), ca);
    expect([500, 502, 503]).toContain((await gateway.get({})).status);
    await gateway.apply(byCa("web.test"));
    expect((await gateway.get({})).status).toBe(200);
    await gateway.apply(caBundle("ca", other.certificate));
    expect([500, 502, 503]).toContain((await gateway.get({})).status);
    expect(web.requests).toHaveLength(1);
  });

  it("that is no good never makes room for plain text [BackendTLSPolicy]", async () => {
    const plain = await httpBackend("plain");
    const gateway = await startGateway(
      httpGateway + httpRoute(toWeb) + service("web", [plain.port], { port: 443 }) + byCa("web.test"),
    );
    expect([500, 502, 503]).toContain((await gateway.get({})).status);
    expect(plain.requests).toHaveLength(0);
    expect(gateway.condition("BackendTLSPolicy", "shop/web", "Accepted")).toBe("False/NoValidCACertificate");
    await gateway.delete("BackendTLSPolicy", "shop/web");
    expect((await gateway.get({})).status).toBe(200);
  });

  it("checks alternative names in place of the hostname [BackendTLSPolicySANValidation]", async () => {
    const ca = await makeCa();
    const names = (list: string) => byCa("web.test", `, subjectAltNames: [${list}]`);
    const { gateway } = await startWith(
      ["other.test"],
      names("{ type: Hostname, hostname: other.test }"),
      ca,
      ["spiffe://shop.test/web"],
    );
    expect((await gateway.get({})).status).toBe(200);
    await gateway.apply(names('{ type: URI, uri: "spiffe://shop.test/web" }'));
    expect((await gateway.get({})).status).toBe(200);
    await gateway.apply(
      names('{ type: Hostname, hostname: no.test }, { type: URI, uri: "spiffe://shop.test/web" }'),
    );
    expect((await gateway.get({})).status).toBe(200);
    await gateway.apply(
      names('{ type: Hostname, hostname: web.test }, { type: URI, uri: "spiffe://shop.test/webb" }'),
    );
    expect([500, 502, 503]).toContain((await gateway.get({})).status);
  });
});

describe("the certificate that a Gateway shows to backends", () => {
  it("is shown where TLS is spoken [GatewayBackendClientCertificate]", async () => {
    const ca = await makeCa();
    const own = await makeCertificate({ ca, names: ["gateway"], commonName: "gateway", clientAuth: true });
    const server = await makeCertificate({ ca, names: ["web.test"] });
    const web = await httpBackend("web", { tls: { ...server, clientAuthority: ca.certificate } });
    const objects =
      httpRoute(toWeb) +
      service("web", [web.port], { port: 443 }) +
      caBundle("ca", ca.certificate) +
      byCa("web.test") +
      secret("own", own);
    const gateway = await startGateway(httpGateway + objects);
    expect([500, 502, 503]).toContain((await gateway.get({})).status);
    await gateway.apply(
      httpGateway.replace(
        "  listeners:",
        "  tls: { backend: { clientCertificateRef: { name: own } } }\n  listeners:",
      ),
    );
    expect((await gateway.get({})).seen?.tls).toEqual({
      serverName: "web.test",
      clientCertificate: "gateway",
    });
    expect(gateway.condition("Gateway", "shop/web", "ResolvedRefs")).toBe("True/ResolvedRefs");
    await gateway.delete("Secret", "shop/own");
    expect(gateway.condition("Gateway", "shop/web", "ResolvedRefs")).toBe(
      "False/InvalidClientCertificateRef",
    );
    expect([500, 502, 503]).toContain((await gateway.get({})).status);
  });
});

describe("XBackend", () => {
  const toXBackend = `
  rules:
    - backendRefs: [{ group: gateway.networking.x-k8s.io, kind: XBackend, name: out }]`;
  const xBackend = (spec: string) => `
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XBackend
metadata: { name: out, namespace: shop }
spec: { type: ExternalHostname, externalHostname: { hostname: localhost }, ${spec} }
`;

  it("is reached by its name [XBackend]", async () => {
    const out = await httpBackend("out");
    const gateway = await startGateway(
      httpGateway + httpRoute(toXBackend) + xBackend(`port: { port: ${out.port} }`),
    );
    expect((await gateway.get({ host: "shop.test", path: "/x" })).seen).toMatchObject({
      backend: "out",
      target: "/x",
    });
    expect(gateway.condition("XBackend", "shop/out", "Accepted")).toBe("True/Accepted");
  });

  it("is reached by TLS, with a certificate of its own [XBackend]", async () => {
    const ca = await makeCa();
    const own = await makeCertificate({ ca, names: ["own"], commonName: "own", clientAuth: true });
    const server = await makeCertificate({ ca, names: ["localhost"] });
    const out = await httpBackend("out", { tls: { ...server, clientAuthority: ca.certificate } });
    const tls =
      "tls: { mode: ClientAndServer, clientCertificateRef: { name: own }, " +
      'validation: { hostname: localhost, caCertificateRefs: [{ group: "", kind: ConfigMap, name: ca }] } }';
    const gateway = await startGateway(
      httpGateway +
        httpRoute(toXBackend) +
        xBackend(`port: { port: ${out.port} }, ${tls}`) +
        caBundle("ca", ca.certificate) +
        secret("own", own),
    );
    expect((await gateway.get({})).seen?.tls).toEqual({ serverName: "localhost", clientCertificate: "own" });
  });
});

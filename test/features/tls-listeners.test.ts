import { describe, expect, it } from "vitest";
import { connectHttp2 } from "../../src/driver-kit/traffic/http2-client.ts";
import { connectLines, isRefused } from "../../src/driver-kit/traffic/stream-client.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { httpBackend, tcpBackend } from "./support/backends.ts";
import { startGateway } from "./support/gateway-under-test.ts";
import { caBundle, route, secret, service } from "./support/objects.ts";

const gatewayWith = (listeners: string, tls = "") => `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
${tls}
  listeners:
${listeners}
`;

describe("HTTPS listeners", () => {
  it("show the certificate of the hostname, and speak HTTP/1.1 and HTTP/2 [HTTPRoute]", async () => {
    const web = await httpBackend("web");
    const foo = await makeCertificate({ names: ["foo.example.com"] });
    const rest = await makeCertificate({ names: ["*.example.com"] });
    const gateway = await startGateway(
      gatewayWith(`
    - { name: foo, port: 443, protocol: HTTPS, hostname: foo.example.com, tls: { certificateRefs: [{ name: foo }] } }
    - { name: rest, port: 443, protocol: HTTPS, hostname: "*.example.com", tls: { certificateRefs: [{ name: rest }] } }`) +
        route("HTTPRoute", "  rules: [{ backendRefs: [{ name: web, port: 80 }] }]", "shop") +
        service("web", [web.port]) +
        secret("foo", foo) +
        secret("rest", rest),
    );
    const at = gateway.at(443);
    const tlsFor = (servername: string, ca: string) => ({ servername, ca, rejectUnauthorized: true });
    const answer = await gateway.get({
      port: 443,
      host: "foo.example.com",
      tls: tlsFor("foo.example.com", foo.certificates),
    });
    expect(answer.from).toBe("web");
    const client = await connectHttp2(at, tlsFor("bar.example.com", rest.certificates));
    expect((await client.request({ host: "bar.example.com" })).from).toBe("web");
    client.close();
    expect(await isRefused(at, { servername: "example.org", rejectUnauthorized: false })).toBe(true);
  });

  it("tell requests that came by the wrong handshake [GatewayHTTPSListenerDetectMisdirectedRequests]", async () => {
    const pair = await makeCertificate({ names: ["example.org"] });
    const [v1, v2, v3] = await Promise.all(["v1", "v2", "v3"].map((name) => httpBackend(name)));
    const listener = (name: string, hostname?: string) => `
    - name: ${name}
      port: 443
      protocol: HTTPS
      ${hostname === undefined ? "" : `hostname: "${hostname}"`}
      tls: { certificateRefs: [{ name: web }] }`;
    const on = (section: string, backend: string, spec = "") =>
      route(
        "HTTPRoute",
        `${spec}\n  rules: [{ backendRefs: [{ name: ${backend}, port: 80 }] }]`,
        `on-${section}`,
        `{ name: web, sectionName: ${section} }`,
      );
    const gateway = await startGateway(
      gatewayWith(
        listener("any") +
          listener("second", "second-example.org") +
          listener("wildcard", "*.wildcard.org") +
          listener("fourth", "fourth-example.wildcard.org"),
      ) +
        on("any", "v1", "  hostnames: [example.org]") +
        on("second", "v2") +
        on("wildcard", "v3") +
        on("fourth", "v1") +
        [v1!, v2!, v3!].map(({ name, port }) => service(name, [port])).join("") +
        secret("web", pair),
    );
    const table: readonly (readonly [serverName: string, host: string, expected: string | number])[] = [
      ["example.org", "example.org", "v1"],
      ["example.org", "second-example.org", 421],
      ["example.org", "unknown-example.org", 404],
      ["second-example.org", "second-example.org", "v2"],
      ["second-example.org", "example.org", 421],
      ["second-example.org", "unknown-example.org", 421],
      ["third-example.wildcard.org", "third-example.wildcard.org", "v3"],
      ["third-example.wildcard.org", "fith-example.wildcard.org", "v3"],
      ["third-example.wildcard.org", "fourth-example.wildcard.org", 421],
      ["third-example.wildcard.org", "second-example.org", 421],
      ["third-example.wildcard.org", "unknown-example.org", 421],
      ["fourth-example.wildcard.org", "fourth-example.wildcard.org", "v1"],
      ["fourth-example.wildcard.org", "fith-example.wildcard.org", 421],
      ["unknown-example.org", "example.org", "v1"],
      ["unknown-example.org", "unknown-example.org", 404],
    ];
    for (const [servername, host, expected] of table) {
      const client = await connectHttp2(gateway.at(443), { servername, rejectUnauthorized: false });
      const { from } = await client.request({ host });
      client.close();
      expect([servername, host, from]).toEqual([servername, host, expected]);
    }
    for (const name of ["wildcard", "fourth"]) {
      expect(gateway.condition("Gateway", "shop/web", "OverlappingTLSConfig", name)).toBe(
        "True/OverlappingHostnames",
      );
    }
  });

  it("take a new certificate without a pause, and refuse a broken one [Gateway]", async () => {
    const [before, after] = [
      await makeCertificate({ names: ["a.test"], commonName: "before" }),
      await makeCertificate({ names: ["a.test"], commonName: "after" }),
    ];
    const gateway = await startGateway(
      gatewayWith(
        "    - { name: https, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: web }] } }",
      ) + secret("web", before),
    );
    const shown = async () => {
      const client = await connectLines(gateway.at(443), { servername: "a.test", rejectUnauthorized: false });
      const { subject } = client.peer!;
      client.close();
      return subject.CN;
    };
    expect(await shown()).toBe("before");
    await gateway.apply(secret("web", after));
    expect(await shown()).toBe("after");
    await gateway.apply(secret("web", { ...after, privateKey: before.privateKey }));
    expect(gateway.condition("Gateway", "shop/web", "ResolvedRefs", "https")).toBe(
      "False/InvalidCertificateRef",
    );
    expect(gateway.condition("Gateway", "shop/web", "Programmed", "https")).toBe("False/Invalid");
    expect(() => gateway.at(443)).toThrow("no open port");
    expect(gateway.status("Gateway", "shop/web").addresses).toEqual([]);
    await gateway.apply(secret("web", before));
    expect(await shown()).toBe("before");
  });
});

describe("client certificates", () => {
  const frontend = (mode: string) => `
  tls:
    frontend:
      default:
        validation: { mode: ${mode}, caCertificateRefs: [{ group: "", kind: ConfigMap, name: ca }] }
      perPort:
        - port: 8443
          tls: { validation: { mode: ${mode}, caCertificateRefs: [{ group: "", kind: ConfigMap, name: other }] } }`;
  const listeners = `
    - { name: https, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: web }] } }
    - { name: other, port: 8443, protocol: HTTPS, tls: { certificateRefs: [{ name: web }] } }`;

  async function startWith(mode: string) {
    const web = await httpBackend("web");
    const [ca, other] = [await makeCa(), await makeCa()];
    const client = await makeCertificate({ ca, names: ["client"], clientAuth: true });
    const ofOther = await makeCertificate({ ca: other, names: ["client"], clientAuth: true });
    const pair = await makeCertificate({ names: ["a.test"] });
    const gateway = await startGateway(
      gatewayWith(listeners, frontend(mode)) +
        route("HTTPRoute", "  rules: [{ backendRefs: [{ name: web, port: 80 }] }]", "shop") +
        service("web", [web.port]) +
        secret("web", pair) +
        caBundle("ca", ca.certificate) +
        caBundle("other", other.certificate),
    );
    const ask = async (port: number, shown?: typeof client) => {
      const tls = {
        servername: "a.test",
        rejectUnauthorized: false,
        ...(shown && { cert: shown.certificates, key: shown.privateKey }),
      };
      try {
        return (await gateway.get({ port, host: "a.test", tls })).from;
      } catch {
        return "refused";
      }
    };
    return { gateway, ask, client, ofOther };
  }

  it("are asked for, and checked against the CA of the port [GatewayFrontendClientCertificateValidation]", async () => {
    const { ask, client, ofOther } = await startWith("AllowValidOnly");
    expect(await ask(443, client)).toBe("web");
    expect(await ask(443, ofOther)).toBe("refused");
    expect(await ask(443)).toBe("refused");
    expect(await ask(8443, ofOther)).toBe("web");
    expect(await ask(8443, client)).toBe("refused");
  });

  it("are not insisted on with the insecure fallback, which is told [GatewayFrontendClientCertificateValidationInsecureFallback]", async () => {
    const { gateway, ask, client, ofOther } = await startWith("AllowInsecureFallback");
    for (const shown of [client, ofOther, undefined]) expect(await ask(443, shown)).toBe("web");
    expect(gateway.condition("Gateway", "shop/web", "InsecureFrontendValidationMode")).toBe(
      "True/ConfigurationChanged",
    );
  });

  it("that cannot be checked close the listener, and no other [GatewayFrontendClientCertificateValidation]", async () => {
    const pair = await makeCertificate({ names: ["a.test"] });
    const gateway = await startGateway(
      gatewayWith(
        `${listeners}\n    - { name: http, port: 80, protocol: HTTP }`,
        frontend("AllowValidOnly"),
      ) + secret("web", pair),
    );
    expect(gateway.condition("Gateway", "shop/web", "Accepted", "https")).toBe("False/NoValidCACertificate");
    expect(() => gateway.at(443)).toThrow("no open port");
    expect((await gateway.get({ port: 80 })).status).toBe(404);
  });
});

describe("TLSRoutes", async () => {
  const certificate = await makeCertificate({ names: ["a.test", "b.test"], commonName: "of the gateway" });
  const ofBackend = await makeCertificate({ names: ["a.test"], commonName: "of the backend" });
  const tlsRoute = (name: string, hostname: string, backend: string) =>
    route(
      "TLSRoute",
      `  hostnames: [${hostname}]\n  rules: [{ backendRefs: [{ name: ${backend}, port: 443 }] }]`,
      name,
    );

  it("send TLS on as it is, by its server name [TLSRoute]", async () => {
    const backend = await httpBackend("secure", { tls: ofBackend });
    const gateway = await startGateway(
      gatewayWith(`    - { name: tls, port: 443, protocol: TLS, tls: { mode: Passthrough } }`) +
        tlsRoute("a", "a.test", "secure") +
        service("secure", [backend.port], { port: 443 }),
    );
    const tls = { servername: "a.test", ca: ofBackend.certificates };
    const answer = await gateway.get({ port: 443, host: "a.test", tls });
    expect(answer.seen).toMatchObject({ backend: "secure", tls: { serverName: "a.test" } });
    expect(await isRefused(gateway.at(443), { servername: "b.test", rejectUnauthorized: false })).toBe(true);
    expect(gateway.condition("TLSRoute", "shop/a", "Accepted")).toBe("True/Accepted");
  });

  it("open TLS and send on what is inside [TLSRouteModeTerminate]", async () => {
    const plain = await tcpBackend("plain");
    const gateway = await startGateway(
      gatewayWith(
        `    - { name: tls, port: 443, protocol: TLS, tls: { mode: Terminate, certificateRefs: [{ name: web }] } }`,
      ) +
        tlsRoute("a", "a.test", "plain") +
        service("plain", [plain.port], { port: 443 }) +
        secret("web", certificate),
    );
    const client = await connectLines(gateway.at(443), {
      servername: "a.test",
      ca: certificate.certificates,
    });
    expect(client.peer?.subject.CN).toBe("of the gateway");
    expect(await client.readLine()).toBe("plain");
    client.write("over TLS\n");
    expect(await client.readLine()).toBe("over TLS");
    client.close();
  });

  it("do both on one port, beside HTTPS [TLSRouteModeMixed]", async () => {
    const [plain, secure, web] = [
      await tcpBackend("plain"),
      await httpBackend("secure", { tls: ofBackend }),
      await httpBackend("web"),
    ];
    const gateway = await startGateway(
      gatewayWith(`
    - { name: passthrough, port: 443, protocol: TLS, hostname: a.test, tls: { mode: Passthrough } }
    - { name: terminate, port: 443, protocol: TLS, hostname: b.test, tls: { mode: Terminate, certificateRefs: [{ name: web }] } }
    - { name: https, port: 443, protocol: HTTPS, hostname: c.test, tls: { certificateRefs: [{ name: web }] } }`) +
        tlsRoute("a", "a.test", "secure") +
        tlsRoute("b", "b.test", "plain") +
        route("HTTPRoute", "  rules: [{ backendRefs: [{ name: web, port: 443 }] }]", "c") +
        service("plain", [plain.port], { port: 443 }) +
        service("secure", [secure.port], { port: 443 }) +
        service("web", [web.port], { port: 443 }) +
        secret("web", certificate),
    );
    const tls = (servername: string) => ({ servername, rejectUnauthorized: false });
    expect((await gateway.get({ port: 443, host: "a.test", tls: tls("a.test") })).from).toBe("secure");
    const lines = await connectLines(gateway.at(443), tls("b.test"));
    expect([lines.peer?.subject.CN, await lines.readLine()]).toEqual(["of the gateway", "plain"]);
    lines.close();
    expect((await gateway.get({ port: 443, host: "c.test", tls: tls("c.test") })).from).toBe("web");
  });
});

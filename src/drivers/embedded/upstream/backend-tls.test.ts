import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type net from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import {
  makeCa,
  makeCertificate,
  type MadeAuthority,
  type MadeCertificate,
} from "../../../../test/certificates.ts";
import { ask } from "../../../../test/http-client.ts";
import { closed, simpleGateway } from "../../../../test/http-gateway.ts";
import { subjectAltNamesOf, type UpstreamTls } from "../../backend-tls.ts";

let ca: MadeAuthority;
let otherCa: MadeAuthority;
let certificate: MadeCertificate;

beforeAll(async () => {
  ca = await makeCa();
  otherCa = await makeCa();
  certificate = await makeCertificate({
    names: ["backend.test", "*.wild.test"],
    uris: ["spiffe://cluster/ns/shop"],
    commonName: "common.test",
    ca,
  });
});

interface TlsBackend {
  readonly port: number;
  /** Server names and client certificates that it saw. */
  readonly seen: { name: unknown; client: unknown }[];
}

async function tlsBackend(
  made: MadeCertificate = certificate,
  options: https.ServerOptions = {},
): Promise<TlsBackend> {
  const seen: TlsBackend["seen"] = [];
  const server = https.createServer(
    { cert: made.certificates, key: made.privateKey, ...options },
    (request, response) => {
      const socket = request.socket as import("node:tls").TLSSocket & { servername?: string };
      seen.push({ name: socket.servername, client: socket.getPeerCertificate()?.subject?.CN });
      response.end("secret");
    },
  );
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closed(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as net.AddressInfo).port, seen };
}

async function statusWith(port: number, changes: Partial<UpstreamTls>): Promise<number> {
  const tls: UpstreamTls = {
    hostname: "backend.test",
    trusted: [ca.certificate],
    subjectAltNames: [],
    ...changes,
  };
  const gateway = await simpleGateway(0, {}, { backends: { echo: { ports: [port], tls } } });
  const answer = await ask(gateway.port, "/");
  return answer.status;
}

describe("TLS to a backend", () => {
  it("checks the chain and the name, and says the name", async () => {
    const backend = await tlsBackend();
    expect(await statusWith(backend.port, {})).toBe(200);
    expect(backend.seen).toEqual([{ name: "backend.test", client: undefined }]);
    expect(await statusWith(backend.port, { hostname: "x.wild.test" })).toBe(200);
  });

  it.each<[string, () => Partial<UpstreamTls>]>([
    ["no CA at all", () => ({ trusted: [] })],
    ["another CA", () => ({ trusted: [otherCa.certificate] })],
    ["the machine's own CAs", () => ({ trusted: "system" })],
    ["another name", () => ({ hostname: "other.test" })],
    ["only the common name", () => ({ hostname: "common.test" })],
    ["two labels for a wildcard", () => ({ hostname: "a.b.wild.test" })],
    ["none of the wanted names", () => ({ subjectAltNames: [{ type: "hostname", value: "other.test" }] })],
    [
      "a URI that only begins alike",
      () => ({ subjectAltNames: [{ type: "uri", value: "spiffe://cluster/ns" }] }),
    ],
    ["a name as a URI", () => ({ subjectAltNames: [{ type: "uri", value: "backend.test" }] })],
  ])("sends nothing to a backend with %s", async (_case, changes) => {
    const backend = await tlsBackend();
    expect(await statusWith(backend.port, changes())).toBe(503);
    expect(backend.seen).toEqual([]);
  });

  it("sends nothing to a backend whose certificate is over", async () => {
    const backend = await tlsBackend(await makeCertificate({ names: ["backend.test"], ca, expired: true }));
    expect(await statusWith(backend.port, {})).toBe(503);
    expect(backend.seen).toEqual([]);
  });

  it("sends nothing to a backend that speaks no TLS", async () => {
    const server = http.createServer((_request, response) => response.end("secret"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closed(() => server.close());
    expect(await statusWith((server.address() as net.AddressInfo).port, {})).toBe(503);
  });

  it.each<[string, UpstreamTls["subjectAltNames"]]>([
    ["a hostname", [{ type: "hostname", value: "backend.test" }]],
    ["a hostname under the certificate's wildcard", [{ type: "hostname", value: "x.wild.test" }]],
    ["a wildcard", [{ type: "hostname", value: "*.wild.test" }]],
    ["a URI", [{ type: "uri", value: "spiffe://cluster/ns/shop" }]],
    [
      "one of several",
      [
        { type: "hostname", value: "no.test" },
        { type: "uri", value: "spiffe://cluster/ns/shop" },
      ],
    ],
  ])("takes a subject alternative name instead of the hostname: %s", async (_case, subjectAltNames) => {
    const backend = await tlsBackend();
    expect(await statusWith(backend.port, { hostname: "sni.test", subjectAltNames })).toBe(200);
    expect(backend.seen[0]!.name).toBe("sni.test");
  });

  it("shows its own certificate", async () => {
    const made = await makeCertificate({ names: ["gateway.test"], clientAuth: true, ca: otherCa });
    const backend = await tlsBackend(certificate, {
      ca: [otherCa.certificate],
      requestCert: true,
      rejectUnauthorized: true,
    });
    expect(await statusWith(backend.port, {})).toBe(503);
    expect(await statusWith(backend.port, { clientCertificate: made })).toBe(200);
    expect(backend.seen).toEqual([{ name: "backend.test", client: "gateway.test" }]);
  });

  it("speaks HTTP/2 by ALPN where the backend wants HTTP/2, and nothing else", async () => {
    const server = http2.createSecureServer({ cert: certificate.certificates, key: certificate.privateKey });
    server.on("stream", (stream) => {
      stream.respond({ ":status": 200 });
      stream.end(`h2 ${String(stream.session!.alpnProtocol)}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closed(() => server.close());
    const tls: UpstreamTls = { hostname: "backend.test", trusted: [ca.certificate], subjectAltNames: [] };
    const gatewayTo = (port: number) =>
      simpleGateway(0, {}, { backends: { echo: { ports: [port], protocol: "h2c", tls } } });
    const gateway = await gatewayTo((server.address() as net.AddressInfo).port);
    expect(await ask(gateway.port, "/")).toMatchObject({ status: 200, text: "h2 h2" });
    const plain = await tlsBackend(certificate, { ALPNProtocols: ["http/1.1"] });
    expect((await ask((await gatewayTo(plain.port)).port, "/")).status).toBe(503);
  });

  it("reads lists of names in which a value imitates another", () => {
    expect(subjectAltNamesOf('DNS:a.test, URI:"spiffe://a, DNS:evil.test", IP Address:10.0.0.1')).toEqual([
      { type: "DNS", value: "a.test" },
      { type: "URI", value: "spiffe://a, DNS:evil.test" },
      { type: "IP Address", value: "10.0.0.1" },
    ]);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { makeCa, makeCertificate } from "../../test/certificates.ts";
import {
  Content,
  configMap,
  grpcRoute,
  httpRoute,
  referenceGrant,
  tlsSecret,
  toXBackend,
  xBackend,
  type ContentOptions,
} from "../../test/translate/content.ts";

let caPem: string;
let client: { readonly certificates: string; readonly privateKey: string };
beforeAll(async () => {
  caPem = (await makeCa()).certificate;
  client = await makeCertificate({ names: ["client"], clientAuth: true });
});

const ref = { ...toXBackend, name: "api" };
const key = "XBackend/shop/api/443";

function setup(objects: readonly object[], options: ContentOptions = {}) {
  return new Content(options).set(
    configMap("ca", { "ca.crt": caPem }),
    httpRoute([{ backendRefs: [ref] }]),
    ...objects,
  );
}

function accepted(content: Content) {
  const status = content.items.policyStatuses.get("XBackend/shop/api|test.dev/controller")?.content;
  if (status?.shape !== "backend-parents") return undefined;
  const [verdict] = status.entries[0]?.conditions ?? [];
  return `${verdict?.status} ${verdict?.reason}`;
}

const validation = {
  hostname: "tls.example.com",
  caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }],
};
const clientCertificateRef = { name: "client" };

describe("an XBackend", () => {
  it("is one endpoint with a name", () => {
    const content = setup([xBackend("api")]);
    expect(content.items.backends.get(key)).toEqual({ key, protocol: "http" });
    expect(content.items.endpoints.get(key)).toEqual({
      key,
      endpoints: [{ address: "api.example.com", port: 443 }],
    });
    expect(accepted(content)).toBe("True Accepted");
    expect(content.only.resolvedRefs.status).toBe("True");
  });

  it("is spoken to as it says, or as the route does", () => {
    const h2 = setup([xBackend("api", { protocol: "HTTP2" })]);
    expect([...h2.items.backends.keys()]).toEqual([`${key}|h2c`]);
    const grpc = new Content().set(xBackend("api"), grpcRoute([{ backendRefs: [ref] }]));
    expect([...grpc.items.backends.keys()]).toEqual([`${key}|h2c`]);
  });

  it.each<[string, object, object | undefined]>([
    ["None", { mode: "None" }, undefined],
    [
      "ServerOnly",
      { mode: "ServerOnly", validation },
      { hostname: "tls.example.com", trusted: ["ConfigMap/shop/ca/ca.crt"], subjectAltNames: [] },
    ],
    [
      "ServerOnly without more",
      { mode: "ServerOnly" },
      { hostname: "api.example.com", trusted: "system", subjectAltNames: [] },
    ],
    [
      "ClientAndServer",
      { mode: "ClientAndServer", clientCertificateRef, validation },
      {
        hostname: "tls.example.com",
        trusted: ["ConfigMap/shop/ca/ca.crt"],
        subjectAltNames: [],
        clientCertificate: "Secret/shop/client",
      },
    ],
  ])("has the TLS mode %s", (_, tls, expected) => {
    const options = { gateways: [{ clientCertificate: "Secret/infra/gateways-own" }] };
    const content = setup([xBackend("api", { tls }), tlsSecret("client", client)], options);
    expect(content.items.backends.get(key)?.tls).toEqual(expected);
    expect(accepted(content)).toBe("True Accepted");
  });

  it("brings the certificates that it names", () => {
    const tls = { mode: "ClientAndServer", clientCertificateRef, validation };
    const content = setup([xBackend("api", { tls }), tlsSecret("client", client)]);
    expect([...content.items.certificates.keys()]).toEqual([
      "ConfigMap/shop/ca/ca.crt",
      "Secret/shop/client",
    ]);
  });

  it.each<[string, object, string]>([
    [
      "CA certificates that are not there",
      {
        mode: "ServerOnly",
        validation: { ...validation, caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "gone" }] },
      },
      "InvalidCACertificateRef",
    ],
    [
      "unknown CA certificates",
      { mode: "ServerOnly", validation: { hostname: "a.b", wellKnownCACertificates: "x.dev/y" } },
      "Invalid",
    ],
    [
      "a client certificate that is not there",
      { mode: "ClientAndServer", clientCertificateRef, validation },
      "InvalidClientCertificateRef",
    ],
    [
      "a client certificate of another kind",
      { mode: "ClientAndServer", clientCertificateRef: { kind: "ConfigMap", name: "ca" }, validation },
      "InvalidClientCertificateRef",
    ],
    [
      "a client certificate from elsewhere",
      { mode: "ClientAndServer", clientCertificateRef: { name: "client", namespace: "other" }, validation },
      "RefNotPermitted",
    ],
  ])("with %s fails closed", (_, tls, reason) => {
    const content = setup([xBackend("api", { tls }), tlsSecret("client", client, "other")]);
    expect(content.items.backends.get(key)?.tls?.trusted).toEqual([]);
    expect(accepted(content)).toBe(`False ${reason}`);
    expect(content.only.resolvedRefs).toMatchObject({ status: "False", reason: "InvalidBackend" });
  });

  it("may show a certificate from elsewhere with a grant", () => {
    const tls = {
      mode: "ClientAndServer",
      clientCertificateRef: { name: "client", namespace: "other" },
      validation,
    };
    const grant = referenceGrant({ group: toXBackend.group, kind: "XBackend" }, { kind: "Secret" }, "other");
    const content = setup([xBackend("api", { tls }), tlsSecret("client", client, "other"), grant]);
    expect(content.items.backends.get(key)?.tls?.clientCertificate).toBe("Secret/other/client");
    content.delete(grant);
    expect(content.items.certificates.has("Secret/other/client")).toBe(false);
  });

  it.each(["localhost", "metadata.google.internal", "web", "web.other.svc", "127.0.0.1"])(
    "does not lead to %s",
    (hostname) => {
      const content = setup([xBackend("api", {}, hostname)]);
      expect(content.items.backends.size).toBe(0);
      expect(content.only.resolvedRefs.reason).toBe("InvalidBackend");
      expect(accepted(content)).toBe("False Invalid");
    },
  );

  it("may be localhost where all is one machine", () => {
    const content = setup([xBackend("api", {}, "localhost")], { settings: { allowLoopbackEndpoints: true } });
    expect(content.items.endpoints.get(key)?.endpoints).toEqual([{ address: "localhost", port: 443 }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["MCP", { protocol: "MCP" }],
    ["HTTP/2 without TLS by TLS", { protocol: "H2C", tls: { mode: "ServerOnly" } }],
  ])("cannot be %s", (_, spec) => {
    const content = setup([xBackend("api", spec)]);
    expect(accepted(content)).toBe("False Invalid");
    expect(content.items.backends.size).toBe(0);
  });

  it("is told when the proxy cannot reach it", () => {
    const content = setup([xBackend("api")], { without: ["XBackend"] });
    expect(content.only.resolvedRefs.reason).toBe("InvalidKind");
    expect(accepted(content)).toBe("False Unsupported");
  });
});

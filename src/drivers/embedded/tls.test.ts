import { once } from "node:events";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  makeCa,
  makeCertificate,
  type MadeAuthority,
  type MadeCertificate,
} from "../../../test/certificates.ts";
import {
  EmbeddedUnderTest,
  backendItem,
  endpointsItem,
  listenerItem,
  serverNameItem,
  toBackend,
} from "../../../test/embedded-driver.ts";
import { eventually, namedEcho, type TestServer } from "../../../test/tcp-servers.ts";
import {
  clientHello,
  rawExchange,
  shownCertificate,
  tlsConnect,
  tlsExchange,
} from "../../../test/tls-client.ts";
import type { Backend, Certificate, ServerNameAction } from "../../model/index.ts";
import type { EmbeddedOptions } from "./index.ts";

const listener = listenerItem("tls");
const backend: Backend = backendItem("plain");
const secureBackend: Backend = backendItem("secure");
const cleanups: (() => Promise<void>)[] = [];

let ca: MadeAuthority;
let a: Certificate;
let b: Certificate;
let passed: MadeCertificate;

beforeAll(async () => {
  ca = await makeCa();
  a = { key: "Secret/shop/a", ...(await makeCertificate({ names: ["a.test", "*.a.test"], ca })) };
  b = { key: "Secret/shop/b", ...(await makeCertificate({ names: ["b.test"], ca })) };
  passed = await makeCertificate({ names: ["pass.test"], ca });
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const terminate = (...certificates: string[]): ServerNameAction => ({
  type: "terminate",
  certificates,
  route: undefined,
  backends: [toBackend(backend)],
});
const http = (...certificates: string[]): ServerNameAction => ({ type: "http", certificates });
const passthrough: ServerNameAction = {
  type: "passthrough",
  route: undefined,
  backends: [toBackend(secureBackend)],
};

/** A TLS listener with the names given: a plain echo behind terminated ones, a TLS echo behind those passed through. */
async function serving(names: Record<string, ServerNameAction>, options: EmbeddedOptions = {}) {
  const servers: TestServer[] = [
    await namedEcho("plain"),
    await namedEcho("secure", { cert: passed.certificates, key: passed.privateKey }),
  ];
  const under = await new EmbeddedUnderTest({ limits: { grace: 100 }, ...options }).start();
  cleanups.push(...servers.map((server) => () => server.close()), () => under.driver.stop());
  await under.apply({
    certificates: [a, b],
    backends: [backend, secureBackend],
    endpoints: [endpointsItem(backend, servers[0]!.port), endpointsItem(secureBackend, servers[1]!.port)],
    listeners: [listener],
    serverNames: Object.entries(names).map(([name, action]) => serverNameItem(listener, name, action)),
  });
  return { under, port: under.portOf(listener.key) };
}

describe("server names", () => {
  it("pick the certificate: exact, then the longest wildcard, then any", async () => {
    const { port } = await serving({
      "a.test": terminate(a.key),
      "*.a.test": terminate(a.key),
      "x.a.test": terminate(b.key),
      "*": terminate(b.key),
    });
    expect(await shownCertificate(port, "a.test")).toBe("a.test");
    expect(await shownCertificate(port, "y.a.test")).toBe("a.test");
    expect(await shownCertificate(port, "x.a.test")).toBe("b.test");
    expect(await shownCertificate(port, "elsewhere.test")).toBe("b.test");
    expect(await shownCertificate(port)).toBe("b.test");
  });

  it("that nobody serves are reset, and so is a client without a name", async () => {
    const { port, under } = await serving({ "a.test": terminate(a.key) });
    expect(await shownCertificate(port, "b.test")).toBe("ECONNRESET");
    expect(await shownCertificate(port)).toBe("ECONNRESET");
    expect(under.countersOf(listener.key)).toMatchObject({ connections: 2, handshakeFailures: 2 });
  });

  it("come and go while others are served", async () => {
    const { port, under } = await serving({ "a.test": terminate(a.key) });
    const name = serverNameItem(listener, "b.test", terminate(b.key));
    await under.apply({ serverNames: [name] });
    expect(await shownCertificate(port, "b.test")).toBe("b.test");
    await under.apply({ serverNames: [name.key] });
    expect(await shownCertificate(port, "b.test")).toBe("ECONNRESET");
    expect(await shownCertificate(port, "a.test")).toBe("a.test");
  });
});

describe("termination", () => {
  it("hands decrypted bytes to the backend, with half-close", async () => {
    const { port } = await serving({ "a.test": terminate(a.key) });
    expect(await tlsExchange(port, { servername: "a.test" })).toMatchObject({
      text: "plain:x",
      protocol: false,
    });
  });

  it("offers h2 and http/1.1 for HTTP", async () => {
    const { port } = await serving({ "a.test": http(a.key) });
    for (const [offer, chosen] of [
      [["http/1.1", "h2"], "h2"],
      [["http/1.1"], "http/1.1"],
      [undefined, false],
    ] as const) {
      const socket = await tlsConnect(port, {
        servername: "a.test",
        ...(offer ? { ALPNProtocols: [...offer] } : {}),
      });
      expect(socket.alpnProtocol).toBe(chosen);
      socket.destroy();
    }
  });

  it("speaks TLS 1.2 and 1.3, nothing older", async () => {
    const { port } = await serving({ "a.test": terminate(a.key) });
    const client = { servername: "a.test", ciphers: "ALL:@SECLEVEL=0", minVersion: "TLSv1" } as const;
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      expect((await tlsExchange(port, { ...client, maxVersion })).text).toBe("plain:x");
    }
    await expect(tlsExchange(port, { ...client, maxVersion: "TLSv1.1" })).rejects.toMatchObject({
      code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    });
  });

  it("shows RSA or ECDSA, as the client is able", async () => {
    const rsa = {
      key: "Secret/shop/rsa",
      ...(await makeCertificate({ names: ["a.test"], algorithm: "rsa", ca })),
    };
    const { port, under } = await serving({ "a.test": terminate(a.key, rsa.key) });
    await under.apply({ certificates: [rsa] });
    const typeWith = async (sigalgs: string) => {
      const socket = await tlsConnect(port, { servername: "a.test", sigalgs });
      const type = socket.getPeerX509Certificate()!.publicKey.asymmetricKeyType;
      socket.destroy();
      return type;
    };
    expect(await typeWith("ecdsa_secp256r1_sha256")).toBe("ec");
    expect(await typeWith("rsa_pss_rsae_sha256")).toBe("rsa");
  });

  it("shows the certificate that was issued for the name, of several", async () => {
    const { port } = await serving({ "*": terminate(a.key, b.key) });
    expect(await shownCertificate(port, "b.test")).toBe("b.test");
    expect(await shownCertificate(port, "a.test")).toBe("a.test");
    expect(await shownCertificate(port, "c.test")).toBe("a.test");
  });

  it("resets where the certificate is missing, and serves when it comes", async () => {
    const late = { key: "Secret/shop/late", ...(await makeCertificate({ names: ["late.test"], ca })) };
    const { port, under } = await serving({ "late.test": terminate(late.key), "a.test": terminate(a.key) });
    expect(await shownCertificate(port, "late.test")).toBe("ECONNRESET");
    await under.apply({ certificates: [late] });
    expect(await shownCertificate(port, "late.test")).toBe("late.test");
    await under.apply({ certificates: [late.key] });
    expect(await shownCertificate(port, "late.test")).toBe("ECONNRESET");
    expect(await shownCertificate(port, "a.test")).toBe("a.test");
  });
});

describe("certificates", () => {
  it("are replaced for new connections; those that are there go on", async () => {
    const { port, under } = await serving({ "a.test": terminate(a.key) });
    const socket = await tlsConnect(port, { servername: "a.test" });
    await once(socket, "data");
    const renewed = await makeCertificate({ commonName: "renewed", names: ["a.test"], ca });
    await under.apply({ certificates: [{ key: a.key, ...renewed }] });
    expect(await shownCertificate(port, "a.test")).toBe("renewed");
    socket.write("still here");
    expect(String((await once(socket, "data"))[0])).toBe("still here");
    socket.destroy();
  });

  it("that are unusable are reported and change nothing, until they are good again", async () => {
    const { port, under } = await serving({ "a.test": terminate(a.key), "b.test": terminate(b.key) });
    await under.apply({ certificates: [{ ...a, privateKey: b.privateKey! }] });
    const refused = under.stateOf(a.key);
    expect(refused).toMatchObject({ type: "refused" });
    expect(refused).toHaveProperty("message", expect.stringContaining("the one from before stays in use"));
    expect(JSON.stringify(under.reports)).not.toContain("PRIVATE KEY");
    expect(await shownCertificate(port, "a.test")).toBe("a.test");
    expect(await shownCertificate(port, "b.test")).toBe("b.test");
    await under.apply({ certificates: [a] });
    expect(under.stateOf(a.key)).toEqual({ type: "programmed" });
  });

  it("that never were usable leave other names alone", async () => {
    const bad = { key: "Secret/shop/bad", certificates: "nonsense", privateKey: "nonsense" };
    const { port, under } = await serving({ "bad.test": terminate(bad.key), "a.test": terminate(a.key) });
    await under.apply({ certificates: [bad] });
    expect(under.stateOf(bad.key)).toMatchObject({ type: "refused" });
    expect(await shownCertificate(port, "bad.test")).toBe("ECONNRESET");
    expect(await shownCertificate(port, "a.test")).toBe("a.test");
    await under.apply({ certificates: [bad.key] });
    expect(under.stateOf(bad.key)).toEqual({ type: "programmed" });
  });
});

describe("passthrough", () => {
  it("shares a port with termination", async () => {
    const { port } = await serving({ "pass.test": passthrough, "a.test": terminate(a.key) });
    expect(await tlsExchange(port, { servername: "pass.test" })).toMatchObject({
      text: "secure:x",
      certificate: "pass.test",
    });
    expect(await tlsExchange(port, { servername: "a.test" })).toMatchObject({
      text: "plain:x",
      certificate: "a.test",
    });
  });

  it("passes on resumed sessions of the backend", async () => {
    const { port } = await serving({ "pass.test": passthrough });
    const { session } = await tlsExchange(port, { servername: "pass.test" });
    expect((await tlsExchange(port, { servername: "pass.test", session })).reused).toBe(true);
  });
});

describe("what comes instead of a ClientHello", () => {
  it("may come byte by byte", async () => {
    const { port } = await serving({ "a.test": terminate(a.key) });
    const bytes = await clientHello("a.test");
    const answer = await rawExchange(
      port,
      Array.from(bytes, (byte) => Buffer.from([byte])),
      1,
    );
    expect(answer.charCodeAt(0)).toBe(22);
  });

  it.each([
    ["plain HTTP", [Buffer.from("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")]],
    ["zeros", [Buffer.alloc(20_000)]],
    [
      "a record without end",
      [Buffer.from([22, 3, 1, 64, 0, 1, 0, 63, 0]), ...Array<Buffer>(20).fill(Buffer.alloc(1000))],
    ],
  ])("is refused if it is %s", async (_what, pieces) => {
    const { port, under } = await serving({ "*": terminate(a.key) });
    expect(["ECONNRESET", "EPIPE"]).toContain(await rawExchange(port, pieces));
    await eventually(() => under.countersOf(listener.key).active === 0);
    expect(under.countersOf(listener.key).handshakeFailures).toBe(1);
  });

  it("has to come in time, also from a client that never stops dribbling", async () => {
    const { port, under } = await serving(
      { "*": terminate(a.key) },
      { limits: { handshake: 150, grace: 100 } },
    );
    expect(await rawExchange(port, [])).toBe("ECONNRESET");
    const bytes = await clientHello("a.test");
    const begin = Date.now();
    const outcome = await rawExchange(
      port,
      Array.from(bytes, (byte) => Buffer.from([byte])),
      10,
    );
    expect(["ECONNRESET", "EPIPE"]).toContain(outcome);
    expect(Date.now() - begin).toBeLessThan(2000);
    expect(under.countersOf(listener.key).handshakeFailures).toBe(2);
  });

  it("must be followed by a handshake in time", async () => {
    const { port, under } = await serving(
      { "*": terminate(a.key) },
      { limits: { handshake: 150, grace: 100 } },
    );
    await rawExchange(port, [await clientHello("a.test")]);
    await eventually(() => under.countersOf(listener.key).active === 0);
    expect(under.countersOf(listener.key).handshakeFailures).toBe(1);
  });
});

describe("sessions", () => {
  it("are resumed on the name that they belong to", async () => {
    const { port } = await serving({ "a.test": terminate(a.key) });
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const { session } = await tlsExchange(port, { servername: "a.test", maxVersion });
      const again = await tlsExchange(port, { servername: "a.test", maxVersion, session });
      expect(again).toMatchObject({ reused: true, text: "plain:x" });
    }
  });

  it("are not resumed on another section of the port", async () => {
    const { port } = await serving({ "a.test": terminate(a.key), "b.test": terminate(a.key) });
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const { session } = await tlsExchange(port, { servername: "a.test", maxVersion });
      const other = await tlsExchange(port, { servername: "b.test", maxVersion, session });
      expect(other).toMatchObject({ reused: false, text: "plain:x" });
    }
  });
});

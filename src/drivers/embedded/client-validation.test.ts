import { once } from "node:events";
import net from "node:net";
import type tls from "node:tls";
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
import { eventually, namedEcho } from "../../../test/tcp-servers.ts";
import { clientHello, tlsConnect, tlsExchange } from "../../../test/tls-client.ts";
import type { Certificate, ClientValidation, ServerNameAction } from "../../model/index.ts";

const backend = backendItem("plain");
const cleanups: (() => Promise<void>)[] = [];
const versions = ["TLSv1.2", "TLSv1.3"] as const;

let ca: MadeAuthority;
let stranger: MadeAuthority;
let server: Certificate;
let good: MadeCertificate;

beforeAll(async () => {
  ca = await makeCa();
  stranger = await makeCa();
  server = { key: "Secret/shop/a", ...(await makeCertificate({ names: ["a.test"] })) };
  good = await makeCertificate({ commonName: "client", clientAuth: true, ca });
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const listenerWith = (clientValidation?: ClientValidation) =>
  listenerItem("tls", clientValidation ? { clientValidation } : {});
const required: ClientValidation = { trusted: ["ConfigMap/shop/ca"], mode: "require" };
const asked: ClientValidation = { trusted: ["ConfigMap/shop/ca"], mode: "allow-insecure" };

async function serving(validation?: ClientValidation) {
  const echo = await namedEcho("plain");
  const under = await new EmbeddedUnderTest({ limits: { grace: 100 } }).start();
  cleanups.push(
    () => echo.close(),
    () => under.driver.stop(),
  );
  const listener = listenerWith(validation);
  const action: ServerNameAction = {
    type: "terminate",
    certificates: [server.key],
    route: undefined,
    backends: [toBackend(backend)],
  };
  await under.apply({
    certificates: [server, { key: "ConfigMap/shop/ca", certificates: ca.certificate }],
    backends: [backend],
    endpoints: [endpointsItem(backend, echo.port)],
    listeners: [listener],
    serverNames: [serverNameItem(listener, "a.test", action), serverNameItem(listener, "b.test", action)],
  });
  return { under, listener, port: under.portOf(listener.key), echo };
}

const shown = ({ certificates, privateKey }: MadeCertificate) => ({ cert: certificates, key: privateKey });

/** What the backend answered, or `refused`: the handshake failed or nothing came through it. */
async function answer(port: number, options: tls.ConnectionOptions = {}): Promise<string> {
  try {
    return (await tlsExchange(port, { servername: "a.test", ...options })).text || "refused";
  } catch {
    return "refused";
  }
}

describe("client certificates that are required", () => {
  it("let in who has a valid one", async () => {
    const { port } = await serving(required);
    for (const maxVersion of versions)
      expect(await answer(port, { ...shown(good), maxVersion })).toBe("plain:x");
  });

  it("let in who has one by an intermediate authority that is sent along", async () => {
    const { port } = await serving(required);
    const intermediate = await makeCa({ parent: ca });
    const client = await makeCertificate({ clientAuth: true, ca: intermediate });
    expect(await answer(port, shown(client))).toBe("plain:x");
  });

  it.each([
    ["none", () => undefined],
    ["one of another authority", () => makeCertificate({ clientAuth: true, ca: stranger })],
    ["a self-signed one", () => makeCertificate({ clientAuth: true })],
    ["one that has expired", () => makeCertificate({ clientAuth: true, ca, expired: true })],
    ["one that is not valid yet", () => makeCertificate({ clientAuth: true, ca, notYetValid: true })],
    ["one for servers", () => makeCertificate({ names: ["x.test"], serverAuth: true, ca })],
    [
      "one below an authority that may have none below it",
      async () =>
        makeCertificate({
          clientAuth: true,
          ca: await makeCa({ parent: await makeCa({ parent: ca, pathLength: 0 }) }),
        }),
    ],
    [
      "one issued by a client",
      async () => makeCertificate({ clientAuth: true, ca: await asAuthority(good) }),
    ],
  ])("keep out who shows %s", async (_what, make) => {
    const { port, under, listener, echo } = await serving(required);
    const certificate = await make();
    for (const maxVersion of versions) {
      expect(await answer(port, { ...(certificate ? shown(certificate) : {}), maxVersion })).toBe("refused");
    }
    expect(echo.accepted).toHaveLength(0);
    expect(under.countersOf(listener.key).handshakeFailures).toBe(2);
  });

  it("keep out everybody where no authority is trusted, or it is missing", async () => {
    for (const trusted of [[], ["ConfigMap/shop/missing"]]) {
      const { port } = await serving({ trusted, mode: "require" });
      expect(await answer(port, shown(good))).toBe("refused");
    }
  });

  it("follow the authority when it is replaced", async () => {
    const { port, under } = await serving(required);
    const client = await makeCertificate({ clientAuth: true, ca: stranger });
    expect(await answer(port, shown(client))).toBe("refused");
    await under.apply({ certificates: [{ key: "ConfigMap/shop/ca", certificates: stranger.certificate }] });
    expect(await answer(port, shown(client))).toBe("plain:x");
    expect(await answer(port, shown(good))).toBe("refused");
  });
});

describe("client certificates that are asked for", () => {
  it("are never insisted on", async () => {
    const { port } = await serving(asked);
    const expired = await makeCertificate({ clientAuth: true, ca, expired: true });
    for (const maxVersion of versions) {
      expect(await answer(port, { maxVersion })).toBe("plain:x");
      expect(await answer(port, { ...shown(good), maxVersion })).toBe("plain:x");
      expect(await answer(port, { ...shown(expired), maxVersion })).toBe("plain:x");
    }
  });
});

describe("sessions and client certificates", () => {
  it("a session from before they were required does not get in", async () => {
    for (const before of [undefined, asked]) {
      const { port, under } = await serving(before);
      for (const maxVersion of versions) {
        await under.apply({ listeners: [listenerWith(before)] });
        const { session } = await tlsExchange(port, { servername: "a.test", maxVersion });
        await under.apply({ listeners: [listenerWith(required)] });
        expect(await answer(port, { maxVersion, session })).toBe("refused");
      }
    }
  });

  it("none is resumed while they are asked for", async () => {
    const { port } = await serving(required);
    for (const maxVersion of versions) {
      const options = { servername: "a.test", maxVersion, ...shown(good) };
      const { session } = await tlsExchange(port, options);
      expect(await tlsExchange(port, { ...options, session })).toMatchObject({
        reused: false,
        text: "plain:x",
      });
      expect(await answer(port, { maxVersion, session })).toBe("refused");
      expect(await answer(port, { servername: "b.test", maxVersion, session })).toBe("refused");
    }
  });
});

describe("a change of client validation", () => {
  it("holds for new connections and leaves streams that are there", async () => {
    const { port, under } = await serving();
    const socket = await tlsConnect(port, { servername: "a.test" });
    await once(socket, "data");
    await under.apply({ listeners: [listenerWith(required)] });
    expect(under.portOf(listenerWith().key)).toBe(port);
    expect(await answer(port)).toBe("refused");
    expect(await answer(port, shown(good))).toBe("plain:x");
    socket.write("still here");
    expect(String((await once(socket, "data"))[0])).toBe("still here");
    socket.destroy();
    await under.apply({ listeners: [listenerWith()] });
    expect(await answer(port)).toBe("plain:x");
  });
});

describe("a handshake that began before a change", () => {
  it("brings nobody in by the old rules", async () => {
    const { port, under, listener } = await serving();
    const socket = net.connect({ port, host: "127.0.0.1" });
    const outcome = new Promise((resolve) => socket.once("error", resolve));
    socket.write(await clientHello("a.test"));
    await once(socket, "data");
    await under.apply({ listeners: [listenerWith(required)] });
    expect(await outcome).toMatchObject({ code: "ECONNRESET" });
    await eventually(() => under.countersOf(listener.key).active === 0);
    expect(under.countersOf(listener.key)).toMatchObject({ active: 0, handshakeFailures: 1 });
  });
});

/** A client's certificate abused as if it were an authority's. */
async function asAuthority(certificate: MadeCertificate): Promise<MadeAuthority> {
  const fake = await makeCa({ name: "client" });
  return { ...fake, certificate: certificate.certificates, chain: certificate.certificates };
}

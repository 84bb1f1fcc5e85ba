import { once } from "node:events";
import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { makeCa, makeCertificate } from "../../../test/certificates.ts";
import {
  EmbeddedUnderTest,
  backendItem,
  endpointsItem,
  listenerItem,
  streamRouteItem,
  toBackend,
  toNothing,
} from "../../../test/embedded-driver.ts";
import {
  eventually,
  exchange,
  namedEcho,
  readAll,
  tcpServer,
  type TestServer,
} from "../../../test/tcp-servers.ts";
import type { EmbeddedOptions } from "./index.ts";

const listener = listenerItem("tcp");
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function started(options: EmbeddedOptions = {}): Promise<EmbeddedUnderTest> {
  const under = await new EmbeddedUnderTest({ limits: { grace: 200 }, ...options }).start();
  cleanups.push(() => under.driver.stop());
  return under;
}

async function server(make: Promise<TestServer>): Promise<TestServer> {
  const made = await make;
  cleanups.push(() => made.close());
  return made;
}

/** A driver with one TCP listener in front of servers with these names and weights. */
async function inFrontOf(shares: Record<string, number>, options: EmbeddedOptions = {}) {
  const under = await started(options);
  const backends = await Promise.all(
    Object.keys(shares).map(async (name) => ({
      item: backendItem(name),
      server: await server(namedEcho(name)),
      weight: shares[name]!,
    })),
  );
  await under.apply({
    backends: backends.map(({ item }) => item),
    endpoints: backends.map(({ item, server: { port } }) => endpointsItem(item, port)),
    listeners: [listener],
    streamRoutes: [streamRouteItem(listener, ...backends.map(({ item, weight }) => toBackend(item, weight)))],
  });
  return { under, port: under.portOf(listener.key), backends };
}

/** A port on which nobody listens. */
async function deadPort(): Promise<number> {
  const dead = await tcpServer(() => {});
  await dead.close();
  return dead.port;
}

describe("TCP", () => {
  it("copies both ways, and passes on the end of each direction", async () => {
    const { port, under } = await inFrontOf({ a: 1 });
    expect(await exchange(port, "hello")).toBe("a:hello");
    await eventually(() => under.countersOf(listener.key).active === 0);
    expect(under.countersOf(listener.key)).toMatchObject({ connections: 1, bytesIn: 5, bytesOut: 7 });
  });

  it("keeps one direction open after the other has ended", async () => {
    const slow = await server(
      tcpServer((socket) => {
        socket.resume().on("end", () => setTimeout(() => socket.end("late answer"), 50));
      }),
    );
    const under = await started();
    const backend = backendItem("slow");
    await under.apply({
      backends: [backend],
      endpoints: [endpointsItem(backend, slow.port)],
      listeners: [listener],
      streamRoutes: [streamRouteItem(listener, toBackend(backend))],
    });
    expect(await exchange(under.portOf(listener.key), "question")).toBe("late answer");
  });

  it("gives each backend exactly its share", async () => {
    const { port } = await inFrontOf({ a: 3, b: 1 });
    const counts = new Map<string, number>();
    for (let round = 0; round < 20; round++) {
      const name = (await exchange(port, "")).slice(0, 1);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ a: 15, b: 5 });
  });

  it("resets the share of an invalid backend", async () => {
    const { under, port, backends } = await inFrontOf({ a: 1 });
    await under.apply({
      streamRoutes: [streamRouteItem(listener, toBackend(backends[0]!.item), toNothing())],
    });
    const results: string[] = [];
    for (let round = 0; round < 4; round++) results.push(await exchange(port, ""));
    expect(results.sort()).toEqual(["ECONNRESET", "ECONNRESET", "a:", "a:"]);
  });

  it("resets where there is no route, no backend and no endpoint", async () => {
    const { under, port, backends } = await inFrontOf({ a: 1 });
    const backend = backends[0]!.item;
    await under.apply({ endpoints: [endpointsItem(backend)] });
    expect(await exchange(port, "x")).toBe("ECONNRESET");
    await under.apply({ backends: [backend.key], endpoints: [backend.key] });
    expect(await exchange(port, "x")).toBe("ECONNRESET");
    await under.apply({ streamRoutes: [listener.key] });
    expect(await exchange(port, "x")).toBe("ECONNRESET");
  });

  it("tries the next endpoint if one cannot be reached", async () => {
    const { under, port, backends } = await inFrontOf({ a: 1 });
    const { item, server: live } = backends[0]!;
    await under.apply({ endpoints: [endpointsItem(item, await deadPort(), await deadPort(), live.port)] });
    for (let round = 0; round < 6; round++) expect(await exchange(port, "x")).toBe("a:x");
    await under.apply({ endpoints: [endpointsItem(item, await deadPort())] });
    expect(await exchange(port, "x")).toBe("ECONNRESET");
  });

  it("takes turns among endpoints", async () => {
    const { under, port, backends } = await inFrontOf({ a: 1, b: 0 });
    const [a, b] = backends;
    await under.apply({ endpoints: [endpointsItem(a!.item, a!.server.port, b!.server.port)] });
    const names = [];
    for (let round = 0; round < 4; round++) names.push(await exchange(port, ""));
    expect(names.sort()).toEqual(["a:", "a:", "b:", "b:"]);
  });

  it("keeps connections through changes of endpoints, backends and routes", async () => {
    const { under, port, backends } = await inFrontOf({ a: 1 });
    const socket = net.connect({ port, host: "127.0.0.1" });
    await once(socket, "data");
    const other = await server(namedEcho("b"));
    const b = backendItem("b");
    await under.apply({
      backends: [b, backends[0]!.item.key],
      endpoints: [endpointsItem(b, other.port), backends[0]!.item.key],
      streamRoutes: [streamRouteItem(listener, toBackend(b))],
    });
    socket.write("still there");
    expect(String((await once(socket, "data"))[0])).toBe("still there");
    expect(await exchange(port, "x")).toBe("b:x");
    socket.destroy();
  });

  it("slows down the sender when the receiver is slow", async () => {
    const { port, backends } = await inFrontOf({ a: 1 });
    const socket = net.connect({ port, host: "127.0.0.1" });
    const piece = Buffer.alloc(1024 * 1024);
    let written = 0;
    // The client reads nothing, so the echo must come to a stand.
    socket.pause();
    const send = (): void => {
      while (written < 500 && socket.write(piece)) written++;
    };
    socket.on("drain", send);
    send();
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(written).toBeLessThan(100);
    expect(backends[0]!.server.accepted[0]!.bytesRead).toBeLessThan(100 * piece.length);
    socket.destroy();
  });

  it("breaks both sides when one breaks", async () => {
    const { port, backends } = await inFrontOf({ a: 1 });
    const socket = net.connect({ port, host: "127.0.0.1" });
    await once(socket, "data");
    const upstream = backends[0]!.server.accepted[0]!;
    socket.resetAndDestroy();
    await eventually(() => upstream.errored !== null);

    const second = net.connect({ port, host: "127.0.0.1" });
    await once(second, "data");
    const broken = readAll(second).catch((error: NodeJS.ErrnoException) => error.code);
    backends[0]!.server.accepted[1]!.resetAndDestroy();
    expect(await broken).toBe("ECONNRESET");
  });

  it("lets go of a backend that is being connected when the client goes", async () => {
    // Accepts, and then never says a word of TLS.
    const silent = await server(tcpServer((socket) => socket.resume()));
    const under = await started({ limits: { grace: 100, connect: 60_000 } });
    const backend = backendItem("silent", {
      tls: { hostname: "a.test", trusted: "system", subjectAltNames: [] },
    });
    await under.apply({
      backends: [backend],
      endpoints: [endpointsItem(backend, silent.port)],
      listeners: [listener],
      streamRoutes: [streamRouteItem(listener, toBackend(backend))],
    });
    const socket = net.connect({ port: under.portOf(listener.key), host: "127.0.0.1" }).on("error", () => {});
    await eventually(() => silent.accepted.length === 1);
    socket.resetAndDestroy();
    await eventually(() => under.countersOf(listener.key).active === 0);
    await eventually(() => silent.accepted[0]!.readableEnded || silent.accepted[0]!.destroyed);
    expect(silent.accepted).toHaveLength(1);
  });

  it("ends connections on which nothing moves", async () => {
    const { port, under } = await inFrontOf({ a: 1 }, { limits: { idle: 100, grace: 100 } });
    const socket = net.connect({ port, host: "127.0.0.1" });
    const begin = Date.now();
    await expect(readAll(socket)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(Date.now() - begin).toBeGreaterThan(80);
    await eventually(() => under.countersOf(listener.key).active === 0);
  });

  it("turns connections away at the limit", async () => {
    const { port, under } = await inFrontOf({ a: 1 }, { limits: { connections: 2, grace: 100 } });
    const sockets = [0, 1].map(() => net.connect({ port, host: "127.0.0.1" }));
    await Promise.all(sockets.map((socket) => once(socket, "data")));
    expect(await exchange(port, "x")).not.toContain("a:");
    expect(under.countersOf(listener.key)).toMatchObject({ active: 2, refused: 1 });
    for (const socket of sockets) socket.destroy();
    await eventually(() => under.countersOf(listener.key).active === 0);
    expect(await exchange(port, "x")).toBe("a:x");
  });
});

describe("TCP listeners that go", () => {
  it("take nobody more, and let those who are there finish", async () => {
    const { port, under } = await inFrontOf({ a: 1 }, { limits: { grace: 5_000 } });
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "data");
    await under.apply({ listeners: [listener.key], streamRoutes: [listener.key] });
    expect(await exchange(port, "x")).toBe("ECONNREFUSED");
    socket.end("finish");
    expect(await readAll(socket)).toBe("finish");
  });

  it("break those who have not finished when the grace is over", async () => {
    const { port, under } = await inFrontOf({ a: 1 }, { limits: { grace: 100 } });
    const socket = net.connect({ port, host: "127.0.0.1" });
    await once(socket, "data");
    await under.apply({ listeners: [listener.key] });
    await expect(readAll(socket)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("are drained by stop, too", async () => {
    const { port, under, backends } = await inFrontOf({ a: 1 }, { limits: { grace: 100 } });
    const socket = net.connect({ port, host: "127.0.0.1" });
    await once(socket, "data");
    const broken = readAll(socket).catch((error: NodeJS.ErrnoException) => error.code);
    await under.driver.stop();
    expect(await broken).toBe("ECONNRESET");
    await eventually(() => backends[0]!.server.accepted.every(({ destroyed }) => destroyed));
  });
});

describe("TLS to a TCP backend", () => {
  it("is verified, with CA and names from the backend's settings", async () => {
    const ca = await makeCa();
    const other = await makeCa();
    const shown = await makeCertificate({ names: ["db.test"], uris: ["spiffe://shop/db"], ca });
    const secure = await server(namedEcho("db", { cert: shown.certificates, key: shown.privateKey }));
    const under = await started();
    const backend = backendItem("db");
    const endpoints = endpointsItem(backend, secure.port);
    await under.apply({
      certificates: [
        { key: "ca", certificates: ca.certificate },
        { key: "other", certificates: other.certificate },
      ],
      endpoints: [endpoints],
      listeners: [listener],
      streamRoutes: [streamRouteItem(listener, toBackend(backend))],
    });
    const port = under.portOf(listener.key);
    const answerWith = async (settings: object): Promise<string> => {
      const tls = { hostname: "db.test", trusted: ["ca"], subjectAltNames: [], ...settings };
      await under.apply({ backends: [{ ...backend, tls }] });
      return exchange(port, "x");
    };
    expect(await answerWith({})).toBe("db:x");
    expect(await answerWith({ hostname: "web.test" })).toBe("ECONNRESET");
    expect(await answerWith({ trusted: ["other"] })).toBe("ECONNRESET");
    expect(await answerWith({ trusted: [] })).toBe("ECONNRESET");
    expect(await answerWith({ trusted: ["missing"] })).toBe("ECONNRESET");
    expect(await answerWith({ trusted: "system" })).toBe("ECONNRESET");
    expect(await answerWith({ subjectAltNames: [{ type: "uri", value: "spiffe://shop/db" }] })).toBe("db:x");
    expect(await answerWith({ subjectAltNames: [{ type: "uri", value: "spiffe://shop/d" }] })).toBe(
      "ECONNRESET",
    );
    // CAs are looked up when they change, not when the backend does.
    expect(await answerWith({ trusted: ["other"] })).toBe("ECONNRESET");
    await under.apply({ certificates: [{ key: "other", certificates: ca.certificate }] });
    expect(await exchange(port, "x")).toBe("db:x");
  });
});

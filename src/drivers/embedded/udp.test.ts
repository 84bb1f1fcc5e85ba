import dgram from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import {
  EmbeddedUnderTest,
  backendItem,
  endpointsItem,
  listenerItem,
  streamRouteItem,
  toBackend,
  toNothing,
} from "../../../test/embedded-driver.ts";
import { eventually } from "../../../test/tcp-servers.ts";
import type { EmbeddedLimits } from "./index.ts";

const listener = listenerItem("udp");
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface UdpServer {
  readonly port: number;
  readonly clients: ReadonlySet<number>;
  close(): void;
}

/** Answers each datagram with its own name and the datagram. */
async function udpEcho(name: string, at = "127.0.0.1"): Promise<UdpServer> {
  const clients = new Set<number>();
  const socket = dgram.createSocket(at.includes(":") ? "udp6" : "udp4");
  socket.on("message", (datagram, { port, address }) => {
    clients.add(port);
    socket.send(`${name}:${datagram.toString()}`, port, address);
  });
  socket.bind(0, at);
  await once(socket, "listening");
  let open = true;
  const close = (): void => {
    if (open) socket.close();
    open = false;
  };
  cleanups.push(close);
  return { port: socket.address().port, clients, close };
}

class UdpClient {
  readonly socket = dgram.createSocket("udp4");
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
    cleanups.push(() => this.socket.close());
  }

  send(text: string): void {
    this.socket.send(text, this.#port, "127.0.0.1");
  }

  /** The answer, or `nothing`. */
  async ask(text: string, within = 2000): Promise<string> {
    const answer = new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve("nothing"), within);
      this.socket.once("message", (datagram, { port }) => {
        clearTimeout(timer);
        resolve(port === this.#port ? datagram.toString() : `from ${port}`);
      });
    });
    this.send(text);
    return answer;
  }
}

async function inFrontOf(shares: Record<string, number>, limits: Partial<EmbeddedLimits> = {}) {
  const under = await new EmbeddedUnderTest({ limits: { grace: 100, ...limits } }).start();
  cleanups.push(() => under.driver.stop());
  const backends = await Promise.all(
    Object.keys(shares).map(async (name) => ({
      item: backendItem(name, { protocol: "udp" }),
      server: await udpEcho(name),
      weight: shares[name]!,
    })),
  );
  await under.apply({
    backends: backends.map(({ item }) => item),
    endpoints: backends.map(({ item, server }) => endpointsItem(item, server.port)),
    listeners: [listener],
    streamRoutes: [streamRouteItem(listener, ...backends.map(({ item, weight }) => toBackend(item, weight)))],
  });
  return { under, port: under.portOf(listener.key), backends };
}

describe("UDP", () => {
  it("answers from the listener's own port, and keeps a client with its backend", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1, b: 1 });
    const client = new UdpClient(port);
    const first = await client.ask("1");
    expect(first).toMatch(/^[ab]:1$/);
    for (const text of ["2", "3", ""]) expect(await client.ask(text)).toBe(`${first.slice(0, 2)}${text}`);
    expect(backends.reduce((sum, { server }) => sum + server.clients.size, 0)).toBe(1);
    expect(under.countersOf(listener.key)).toMatchObject({
      connections: 1,
      active: 1,
      datagramsIn: 4,
      datagramsOut: 4,
      bytesIn: 3,
      bytesOut: 11,
    });
  });

  it("keeps what arrives while the backend is being connected, in order", async () => {
    const { port } = await inFrontOf({ a: 1 });
    const client = new UdpClient(port);
    const answers: string[] = [];
    client.socket.on("message", (datagram) => answers.push(datagram.toString()));
    for (const text of ["1", "2", "3"]) client.send(text);
    await eventually(() => answers.length === 3);
    expect(answers).toEqual(["a:1", "a:2", "a:3"]);
  });

  it("serves a thousand clients at once, each backend exactly its share", async () => {
    const { port, backends, under } = await inFrontOf({ a: 3, b: 1 });
    const clients = Array.from({ length: 1000 }, () => new UdpClient(port));
    const answers: string[] = [];
    for (let at = 0; at < clients.length; at += 50) {
      const some = clients.slice(at, at + 50);
      answers.push(...(await Promise.all(some.map((client, index) => client.ask(String(at + index))))));
    }
    answers.forEach((answer, index) => expect(answer).toMatch(new RegExp(`^[ab]:${index}$`)));
    expect(backends.map(({ server }) => server.clients.size)).toEqual([750, 250]);
    expect(under.countersOf(listener.key).active).toBe(1000);
    await under.apply({ listeners: [listener.key] });
    expect(under.driver.describe().listeners).toEqual([]);
  }, 30_000);

  it("forgets clients that are silent", async () => {
    const { port, under } = await inFrontOf({ a: 1 }, { udpIdle: 100 });
    const client = new UdpClient(port);
    await client.ask("1");
    expect(under.countersOf(listener.key).active).toBe(1);
    await eventually(() => under.countersOf(listener.key).active === 0);
    expect(await client.ask("2")).toBe("a:2");
    expect(under.countersOf(listener.key).connections).toBe(2);
  });

  it("drops new clients at the limit as long as the others are active", async () => {
    const { port, under } = await inFrontOf({ a: 1 }, { udpSessions: 2 });
    const [one, two, three] = [new UdpClient(port), new UdpClient(port), new UdpClient(port)];
    await one.ask("1");
    await two.ask("2");
    expect(await three.ask("3", 100)).toBe("nothing");
    expect(under.countersOf(listener.key)).toMatchObject({ active: 2, datagramsDropped: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1050));
    await two.ask("still here");
    expect(await three.ask("3")).toBe("a:3");
    expect(under.countersOf(listener.key)).toMatchObject({ active: 2, connections: 3 });
  });

  it("ends the sessions of an endpoint that is removed, and no others", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1, b: 0 });
    const [a, b] = backends;
    await under.apply({ endpoints: [endpointsItem(a!.item, a!.server.port, b!.server.port)] });
    const clients = [new UdpClient(port), new UdpClient(port)];
    expect(await Promise.all(clients.map((client) => client.ask("x")))).toEqual(["a:x", "b:x"]);
    await under.apply({ endpoints: [endpointsItem(a!.item, b!.server.port)] });
    expect(under.countersOf(listener.key).active).toBe(1);
    expect(await Promise.all(clients.map((client) => client.ask("y")))).toEqual(["b:y", "b:y"]);
    expect(b!.server.clients.size).toBe(2);
  });

  it("ends sessions when the route leads elsewhere, or is gone", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1, b: 0 });
    const client = new UdpClient(port);
    expect(await client.ask("1")).toBe("a:1");
    await under.apply({ streamRoutes: [streamRouteItem(listener, toBackend(backends[1]!.item))] });
    expect(await client.ask("2")).toBe("b:2");
    await under.apply({ streamRoutes: [listener.key] });
    expect(await client.ask("3", 100)).toBe("nothing");
    expect(under.countersOf(listener.key)).toMatchObject({ active: 0, datagramsDropped: 1 });
  });

  it("swallows the share of an invalid backend, client by client", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1 });
    await under.apply({
      streamRoutes: [streamRouteItem(listener, toBackend(backends[0]!.item), toNothing())],
    });
    const [one, two] = [new UdpClient(port), new UdpClient(port)];
    expect(await one.ask("1")).toBe("a:1");
    expect(await two.ask("2", 100)).toBe("nothing");
    expect(await two.ask("2", 100)).toBe("nothing");
    expect(await one.ask("1")).toBe("a:1");
  });

  it("finds endpoints that come later", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1 });
    const { item, server } = backends[0]!;
    await under.apply({ endpoints: [endpointsItem(item)] });
    const client = new UdpClient(port);
    expect(await client.ask("1", 100)).toBe("nothing");
    await under.apply({ endpoints: [endpointsItem(item, server.port)] });
    expect(await client.ask("2")).toBe("a:2");
  });

  it("leaves an endpoint where nobody listens", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1, dead: 0 });
    const [a, dead] = backends;
    dead!.server.close();
    await under.apply({ endpoints: [endpointsItem(a!.item, dead!.server.port, a!.server.port)] });
    const client = new UdpClient(port);
    expect(await client.ask("1", 200)).toBe("nothing");
    expect(await client.ask("2")).toBe("a:2");
  });

  it("leaves an endpoint that cannot be connected to", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1 });
    const { item, server } = backends[0]!;
    // The system refuses broadcasts without asking the network.
    const broadcast = { address: "255.255.255.255", port: 9 };
    await under.apply({ endpoints: [endpointsItem(item, broadcast, server.port)] });
    const client = new UdpClient(port);
    expect(await client.ask("1", 100)).toBe("nothing");
    expect(await client.ask("2")).toBe("a:2");
  });

  it("looks up endpoints that are names", async () => {
    const { port, backends, under } = await inFrontOf({ a: 1 });
    const { address } = await lookup("localhost");
    const named = await udpEcho("named", address);
    await under.apply({
      endpoints: [endpointsItem(backends[0]!.item, { address: "localhost", port: named.port })],
    });
    expect(await new UdpClient(port).ask("1")).toBe("named:1");
  });
});

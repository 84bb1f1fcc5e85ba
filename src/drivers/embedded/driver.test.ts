import { once } from "node:events";
import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { makeCertificate } from "../../../test/certificates.ts";
import {
  EmbeddedUnderTest,
  backendItem,
  endpointsItem,
  listenerItem,
  serverNameItem,
  streamRouteItem,
  toBackend,
  virtualHostItem,
} from "../../../test/embedded-driver.ts";
import { modelChanges } from "../../../test/model-changes.ts";
import { exchange, namedEcho, tcpServer } from "../../../test/tcp-servers.ts";
import { tlsExchange } from "../../../test/tls-client.ts";
import type { Listener } from "../../model/index.ts";
import { embeddedDriver, type EmbeddedOptions } from "./index.ts";

const backend = backendItem("echo");
const listener = listenerItem("tcp");
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function started(options: EmbeddedOptions = {}): Promise<EmbeddedUnderTest> {
  const limits = { grace: 100, retryFirst: 20, retryMost: 50 };
  const under = await new EmbeddedUnderTest({ limits, ...options }).start();
  cleanups.push(() => under.driver.stop());
  return under;
}

/** All that an echo needs behind a TCP listener. */
async function echoItems(on: Listener = listener) {
  const server = await namedEcho("echo");
  cleanups.push(() => server.close());
  return {
    backends: [backend],
    endpoints: [endpointsItem(backend, server.port)],
    listeners: [on],
    streamRoutes: [streamRouteItem(on, toBackend(backend))],
  };
}

describe("life-cycle", () => {
  it("does nothing before start, and nothing after stop", async () => {
    const driver = embeddedDriver();
    const code = "GATEWRIGHT_DRIVER_NOT_STARTED";
    await expect(driver.apply(modelChanges({}))).rejects.toMatchObject({ code });
    await driver.start(() => {});
    await expect(driver.start(() => {})).rejects.toMatchObject({ code: "GATEWRIGHT_DRIVER_STARTED" });
    await Promise.all([driver.stop(), driver.stop()]);
    await expect(driver.apply(modelChanges({}))).rejects.toMatchObject({ code });
  });

  it("stops in the middle of changes, with no socket left", async () => {
    const under = await started();
    const items = await echoItems();
    const applied = under.apply(items);
    await under.driver.stop();
    await applied;
    expect(under.driver.describe().listeners).toEqual([]);
  });

  it("keeps nothing of what was removed", async () => {
    const under = await started();
    const items = await echoItems();
    for (let cycle = 0; cycle < 20; cycle++) {
      await under.apply(items);
      await under.apply({
        backends: [backend.key],
        endpoints: [backend.key],
        listeners: [listener.key],
        streamRoutes: [listener.key],
      });
    }
    expect(under.driver.describe()).toMatchObject({
      listeners: [],
      items: { backends: 0, serverNames: 0, virtualHosts: 0, streamRoutes: 0 },
    });
  });
});

describe("listeners", () => {
  it("are programmed, with address and port, when their socket is bound", async () => {
    const under = await started();
    await under.apply(await echoItems());
    expect(under.reports).toEqual([
      {
        kind: "listeners",
        key: listener.key,
        state: { type: "programmed", addresses: [{ address: "127.0.0.1", port: expect.any(Number) }] },
      },
    ]);
    expect(await exchange(under.portOf(listener.key), "x")).toBe("echo:x");
  });

  it("are reported each time they are applied", async () => {
    const under = await started();
    await under.apply({ listeners: [listener] });
    const port = under.portOf(listener.key);
    await under.apply({ listeners: [listener] });
    expect(under.reports).toHaveLength(2);
    expect(under.portOf(listener.key)).toBe(port);
  });

  it("get their port as soon as somebody else lets go of it", async () => {
    const stranger = await tcpServer((socket) => socket.end("stranger"));
    const under = await started({ bind: () => ({ host: "127.0.0.1", port: stranger.port }) });
    await under.apply(await echoItems());
    expect(under.stateOf(listener.key)).toMatchObject({ type: "refused", reason: "PortUnavailable" });
    expect(under.stateOf(listener.key)).toHaveProperty(
      "message",
      expect.stringContaining(`TCP port ${stranger.port} on 127.0.0.1 is in use by another program`),
    );
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(under.reports).toHaveLength(1);
    await stranger.close();
    await under.untilState(listener.key, "programmed");
    expect(await exchange(stranger.port, "x")).toBe("echo:x");
  });

  it("are not tried again once they are not wanted", async () => {
    const stranger = await tcpServer((socket) => socket.end("stranger"));
    const under = await started({ bind: () => ({ host: "127.0.0.1", port: stranger.port }) });
    await under.apply({ listeners: [listener] });
    await under.apply({ listeners: [listener.key] });
    await stranger.close();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await exchange(stranger.port, "x")).toBe("ECONNREFUSED");
  });

  it("say which address is not on this machine", async () => {
    const under = await started({ bind: () => ({ host: "192.0.2.1", port: 0 }) });
    for (const protocol of ["tcp", "udp"] as const) {
      const item = listenerItem(protocol);
      await under.apply({ listeners: [item] });
      expect(under.stateOf(item.key)).toMatchObject({ type: "refused", reason: "AddressNotUsable" });
      expect(under.stateOf(item.key)).toHaveProperty("message", expect.stringContaining("192.0.2.1"));
    }
  });

  it("do not stand in each other's way", async () => {
    const under = await started({
      bind: ({ port }) => ({ host: port === 1 ? "192.0.2.1" : "127.0.0.1", port: 0 }),
    });
    const bad = listenerItem("tcp", { port: 1 });
    await under.apply({ ...(await echoItems()), listeners: [bad, listener] });
    expect(under.stateOf(bad.key)?.type).toBe("refused");
    expect(await exchange(under.portOf(listener.key), "x")).toBe("echo:x");
  });

  it("hand their port over to another Gateway's listener in one batch", async () => {
    const free = await tcpServer(() => {});
    await free.close();
    const under = await started({ bind: () => ({ host: "127.0.0.1", port: free.port }) });
    await under.apply(await echoItems());
    const renamed = listenerItem("tcp", { gateway: "shop/new" });
    await under.apply({
      listeners: [renamed, listener.key],
      streamRoutes: [streamRouteItem(renamed, toBackend(backend)), listener.key],
    });
    expect(under.portOf(renamed.key)).toBe(free.port);
    expect(await exchange(free.port, "x")).toBe("echo:x");
  });

  it("change their protocol without losing a connection", async () => {
    const certificate = { key: "Secret/shop/a", ...(await makeCertificate({ names: ["a.test"] })) };
    const under = await started();
    await under.apply(await echoItems());
    const port = under.portOf(listener.key);
    const socket = net.connect({ port, host: "127.0.0.1" });
    await once(socket, "data");
    const secured: Listener = { ...listener, protocol: "tls" };
    await under.apply({
      certificates: [certificate],
      listeners: [secured],
      serverNames: [
        serverNameItem(secured, "a.test", {
          type: "terminate",
          certificates: [certificate.key],
          route: undefined,
          backends: [toBackend(backend)],
        }),
      ],
      streamRoutes: [listener.key],
    });
    expect(under.portOf(listener.key)).toBe(port);
    expect((await tlsExchange(port, { servername: "a.test" })).text).toBe("echo:x");
    expect(await exchange(port, "plain text")).toBe("ECONNRESET");
    socket.write("still here");
    expect(String((await once(socket, "data"))[0])).toBe("still here");
    socket.destroy();
  });
});

describe("many items", () => {
  it("do not hold up what is being served", async () => {
    const under = await started();
    await under.apply(await echoItems());
    const http = listenerItem("http", { port: 80 });
    const virtualHosts = Array.from({ length: 10_000 }, (_, index) =>
      virtualHostItem(http, `h${index}.test`, toBackend(backend)),
    );
    let longest = 0;
    let last = process.cpuUsage();
    const timer = setInterval(() => {
      longest = Math.max(longest, cpuSince(last));
      last = process.cpuUsage();
    }, 1);
    await under.apply({ listeners: [http], virtualHosts });
    clearInterval(timer);
    expect(under.driver.describe().items.virtualHosts).toBe(10_000);
    // Some 20 ms; the limit allows for code that is not compiled yet and for the garbage of other tests.
    expect(longest).toBeLessThan(250);

    const begin = process.cpuUsage();
    await under.apply({ virtualHosts: [virtualHostItem(http, "h5.test", toBackend(backend))] });
    expect(cpuSince(begin)).toBeLessThan(50);
  });
});

/** ms of work, whatever else the machine is doing meanwhile. */
function cpuSince(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

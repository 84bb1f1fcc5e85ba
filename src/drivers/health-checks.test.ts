import net, { type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { backendItem } from "../../test/model-items.ts";
import type { Endpoint } from "../model/index.ts";
import { HealthChecks } from "./health-checks.ts";

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const healthCheck = {
  interval: 50,
  timeout: 20_000,
  unhealthyThreshold: 1,
  healthyThreshold: 1,
  expectedStatuses: [],
} as const;
const web = backendItem("web", { healthCheck });

/** Takes connections; with `path` in the check, never answers. */
async function silentServer(): Promise<Endpoint> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

function started() {
  const changes: string[] = [];
  const checks = new HealthChecks({
    certificateOf: () => undefined,
    onChange: (key) => void changes.push(key),
  });
  ends.push(() => checks.stop());
  return { checks, changes };
}

describe("health checks", () => {
  it("leave endpoints alone that are not to be checked", async () => {
    const { checks } = started();
    const endpoints = [{ address: "192.0.2.1", port: 80 }];
    checks.change({ backends: new Map(), endpoints: new Map([["any", { key: "any", endpoints }]]) });
    await checks.settled(60_000);
    expect(checks.wellOf("any", endpoints)).toBe(endpoints);
  });

  it("know who is well when they have settled", async () => {
    const { checks, changes } = started();
    const good = await silentServer();
    const bad = { address: "127.0.0.1", port: await freePort() };
    checks.setBackend(web);
    checks.setEndpoints(web.key, [good, bad]);
    expect(checks.wellOf(web.key, [good, bad])).toEqual([]);
    await checks.settled(60_000);
    expect(checks.wellOf(web.key, [good, bad])).toEqual([good]);
    expect(changes).toEqual([web.key, web.key]);
  });

  it("do not wait for endpoints that are gone, nor for backends", async () => {
    const { checks } = started();
    const [one, two] = [await silentServer(), await silentServer()];
    checks.setBackend({ ...web, healthCheck: { ...healthCheck, path: "/" } });
    checks.setEndpoints(web.key, [one, two]);
    const settled = checks.settled(60_000);
    checks.setEndpoints(web.key, [one]);
    checks.deleteBackend(web.key);
    await expect(settled).resolves.toBeUndefined();
    await expect(checks.settled(60_000)).resolves.toBeUndefined();
  });

  it("keep what is known of endpoints that stay", async () => {
    const { checks, changes } = started();
    const [one, two] = [await silentServer(), await silentServer()];
    checks.setBackend(web);
    checks.setEndpoints(web.key, [one]);
    await checks.settled(60_000);
    checks.setEndpoints(web.key, [one, two]);
    expect(checks.wellOf(web.key, [one, two])).toEqual([one]);
    await checks.settled(60_000);
    expect(checks.wellOf(web.key, [one, two])).toEqual([one, two]);
    expect(changes).toHaveLength(2);
  });
});

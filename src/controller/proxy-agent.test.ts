import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { certificateFolder, serveChannel } from "../../test/agent/agent-in-process.ts";
import { listener, virtualHost } from "../../test/agent/model-items.ts";
import { freePort } from "../../test/free-port.ts";
import { modelChanges } from "../../test/model-changes.ts";
import { agentDriver, type AgentDriver } from "../agent/index.ts";
import { allFeatures } from "../model/index.ts";
import { proxyAgent, type ProxyAgent } from "./proxy-agent.ts";

/** Machines may be busy. */
const patience = { timeout: 10_000 };

let folder: Awaited<ReturnType<typeof certificateFolder>>;
let channel: Awaited<ReturnType<typeof serveChannel>>;
let fleet: AgentDriver;
let agent: ProxyAgent;

beforeEach(async () => {
  fleet = agentDriver({ driver: "embedded", features: allFeatures });
  await fleet.start(() => undefined);
  channel = await serveChannel(fleet);
  folder = await certificateFolder();
  agent = proxyAgent({
    driver: "embedded",
    channel: `127.0.0.1:${channel.port}`,
    certificates: folder.path,
    name: "pod-1",
    status: { address: "127.0.0.1", port: 0 },
    version: "0",
  });
});

afterEach(async () => {
  await agent.stop();
  await channel.stop();
  await fleet.stop();
  await folder.remove();
});

describe("a proxy Pod", () => {
  it("is ready after its first full configuration, and serves where its ports are mapped to", async () => {
    const bindPort = await freePort();
    const web = { ...listener("a/gw/tcp/80"), bindPort };
    await fleet.apply(modelChanges({ listeners: [web], virtualHosts: [virtualHost(`${web.key}|*`, [])] }));
    const { port } = await agent.start();
    const ready = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status;
    await vi.waitFor(async () => expect(await ready()).toBe(200), patience);
    expect((await fetch(`http://127.0.0.1:${bindPort}/`)).status).toBe(404);
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain(
      "gatewright_listener_open",
    );
    expect(fleet.agents).toEqual(["pod-1"]);
    for (const path of ["/", "/model", "/statuses", "/metrics/../model"]) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
    }
  });

  it("1.6.4: tells load balancers that it is ready by a port of its own, and nothing else", async () => {
    const port = await freePort();
    const told = proxyAgent({
      driver: "embedded",
      channel: `127.0.0.1:${channel.port}`,
      certificates: folder.path,
      name: "pod-2",
      status: { address: "127.0.0.1", port: 0 },
      readiness: { address: "127.0.0.1", port },
      version: "0",
    });
    try {
      await told.start();
      const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      await vi.waitFor(async () => expect(await status("/healthz/ready")).toBe(200), patience);
      for (const path of ["/", "/metrics", "/ready", "/healthz", "/healthz/ready/../../metrics"]) {
        expect(await status(path)).toBe(404);
      }
    } finally {
      await told.stop();
    }
  });

  it("is not ready while the controller has not been reached", async () => {
    await channel.stop();
    const { port } = await agent.start();
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(503);
  });

  it("does not start without its certificate, and says which file", async () => {
    await rm(join(folder.path, "tls.key"));
    await expect(agent.start()).rejects.toThrow(join(folder.path, "tls.key"));
  });
});

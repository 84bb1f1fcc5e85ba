// A driver as the controller sees it, whose proxy is an agent behind a real channel: certificates, TLS, gRPC and all.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentDriver, agentMethod, createAgent, type AgentDriver } from "../../src/agent/index.ts";
import {
  channelServer,
  connectChannel,
  makeAuthority,
  type ChannelAuthority,
} from "../../src/channel/index.ts";
import type { Driver } from "../../src/drivers/index.ts";

export const gatewayName = "contract/gateway";

/** One for all: it takes time to make. */
let authority: Promise<ChannelAuthority> | undefined;

export function testAuthority(): Promise<ChannelAuthority> {
  return (authority ??= makeAuthority());
}

/** The channel of a controller with one Gateway. */
export async function serveChannel(driver: AgentDriver): Promise<{ port: number; stop(): Promise<void> }> {
  const server = channelServer({
    address: "127.0.0.1",
    port: 0,
    services: [{ path: agentMethod, open: (stream) => driver.connect(stream) }],
    limits: { grace: 50 },
  });
  const port = await server.start(await (await testAuthority()).issueServer());
  return { port, stop: () => server.stop() };
}

/** A folder as a Pod has it mounted. */
export async function certificateFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "gatewright-agent-"));
  const { certificate, key, authorities } = await (await testAuthority()).issueProxy(gatewayName);
  await writeFile(join(path, "tls.crt"), certificate);
  await writeFile(join(path, "tls.key"), key, { mode: 0o600 });
  await writeFile(join(path, "ca.crt"), authorities);
  return { path, remove: () => rm(path, { recursive: true }) };
}

export function driverBehindChannel(makeProxy: () => Driver): Driver {
  const proxy = makeProxy();
  const fleet = agentDriver({ driver: proxy.name, features: proxy.features });
  const started: { stop(): Promise<void> }[] = [];
  return {
    name: proxy.name,
    features: proxy.features,
    async start(report) {
      await fleet.start(report);
      const channel = await serveChannel(fleet);
      const certificate = await (await testAuthority()).issueProxy(gatewayName);
      const address = `127.0.0.1:${channel.port}`;
      const agent = createAgent({
        driver: proxy,
        name: "agent",
        version: "0",
        connect: () => connectChannel({ address, path: agentMethod, certificate }),
      });
      started.push(agent, channel);
      await agent.start();
      while (!agent.isReady) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    apply: (changes) => fleet.apply(changes),
    async stop() {
      for (const part of started) await part.stop();
      await fleet.stop();
    },
  };
}

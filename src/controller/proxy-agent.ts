/** A proxy Pod: a driver that is programmed from afar, and a port that says whether it may get traffic. What `gatewright agent` starts. */
import { agentMethod, createAgent, type Agent, type AgentEvents } from "../agent/index.ts";
import { connectChannel } from "../channel/index.ts";
import { adminServer, proxyPages, readinessPages, type AdminPage, type AdminServer } from "./admin/index.ts";
import { readChannelFiles, readSessionKey } from "./channel-files.ts";
import type { LocalDriverOptions } from "./chosen-driver.ts";
import { chooseDriver } from "./driver-list.ts";
import type { AdminAddress, DriverName } from "./names/index.ts";

export interface ProxyAgentOptions {
  readonly driver: DriverName;
  readonly driverOptions?: Pick<LocalDriverOptions, "accessLog" | "notify">;
  /** `host:port` */
  readonly channel: string;
  /** Folder with `tls.crt`, `tls.key`, `ca.crt` and `session.key`. */
  readonly certificates: string;
  /** Of the Pod. */
  readonly name: string;
  readonly status: AdminAddress;
  /** Where load balancers ask whether it is ready, and learn nothing else. */
  readonly readiness?: AdminAddress;
  readonly version: string;
  readonly events?: AgentEvents;
}

export interface ProxyAgent {
  /** Rejects with an `EnvironmentError` if it can't run here. */
  start(): Promise<AdminAddress>;
  /** Lets requests under way end. */
  stop(): Promise<void>;
}

/** Clients keep connections for the next request, which may be sent in the moment when the Pod is told to end. */
const idleGrace = 5_000;

export function proxyAgent(options: ProxyAgentOptions): ProxyAgent {
  let agent: Agent | undefined;
  const servers: AdminServer[] = [];
  return {
    async start() {
      const { certificates, channel, version, name, events } = options;
      await readChannelFiles(certificates);
      const sessionSecret = await readSessionKey(certificates);
      // The Pod is the load balancer's: it takes what comes to any of its addresses, by the ports that it was told.
      const chosen = chooseDriver(options.driver, {
        ...options.driverOptions,
        address: "::",
        mapPrivilegedPorts: false,
        listenerAddresses: "ignore",
        idleGrace,
        ...(sessionSecret && { sessionSecret }),
      });
      const connected = createAgent({
        driver: chosen.driver,
        name,
        version,
        connect: async () =>
          connectChannel({
            address: channel,
            path: agentMethod,
            certificate: await readChannelFiles(certificates),
          }),
        ...(events && { events }),
      });
      agent = connected;
      const open = async (where: AdminAddress, pages: readonly AdminPage[]) => {
        const server = adminServer({ ...where, software: `gatewright/${version}`, pages });
        servers.push(server);
        return server.start();
      };
      const isReady = () => connected.isReady;
      const address = await open(options.status, proxyPages({ isReady, metrics: () => chosen.metrics() }));
      if (options.readiness) await open(options.readiness, readinessPages(isReady));
      await connected.start();
      return address;
    },
    async stop() {
      await agent?.stop();
      for (const server of servers.splice(0)) await server.stop();
    },
  };
}

/** The drivers of all Gateways, each of the kind that its fleet runs, and the services of the channel that lead to them. */
import { agentDriver, agentMethod, type AgentDriver } from "../../agent/index.ts";
import type { ChannelService } from "../../channel/index.ts";
import type { Driver } from "../../drivers/index.ts";
import type { Collection } from "../../incremental/index.ts";
import type { Fleet } from "../../translate/index.ts";
import { driverFeatures } from "../driver-list.ts";
import { SwitchableDriver } from "./switchable-driver.ts";

interface Running {
  readonly driver: SwitchableDriver;
  kind: string;
  agents: AgentDriver | undefined;
}

export class FleetDrivers {
  readonly features: ReadonlyMap<string, ReadonlySet<string>> = driverFeatures();
  readonly #running = new Map<string, Running>();
  readonly #defaultKind: string;
  #fleets: Collection<Fleet> | undefined;

  constructor(defaultKind: string) {
    this.#defaultKind = defaultKind;
  }

  readonly services: readonly ChannelService[] = [
    {
      path: agentMethod,
      open: (stream, { gateway }) => {
        const agents = this.#running.get(gateway)?.agents;
        if (agents) agents.connect(stream);
        else stream.close(`Gateway ${gateway} has no proxies that are programmed this way`);
      },
    },
  ];

  /** From here on a Gateway's driver is of the kind that its fleet says. */
  follow(fleets: Collection<Fleet>): void {
    this.#fleets = fleets;
    fleets.subscribe((changes) => {
      for (const [gateway, { after }] of changes) {
        const running = this.#running.get(gateway);
        if (!after || !running || running.kind === after.driver) continue;
        const made = this.#make(after.driver);
        running.kind = after.driver;
        running.agents = made.agents;
        void running.driver.switchTo(made.driver);
      }
    });
  }

  create(gateway: string): Driver {
    const kind = this.#fleets?.get(gateway)?.driver ?? this.#defaultKind;
    const { driver, agents } = this.#make(kind);
    const running = { driver: new SwitchableDriver(driver), kind, agents };
    this.#running.set(gateway, running);
    return running.driver;
  }

  #make(kind: string): { readonly driver: Driver; readonly agents: AgentDriver | undefined } {
    const agents = agentDriver({ driver: kind, features: this.features.get(kind) ?? new Set() });
    return { driver: agents, agents };
  }
}

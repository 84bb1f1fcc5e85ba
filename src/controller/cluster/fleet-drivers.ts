/*
 * The drivers of all Gateways, each of the kind that its fleet runs, and the services of the channel that lead to them.
 *
 * A fleet has its driver as long as it is there, also while nothing can be served: its proxies are then told just that, and are
 * ready. What the model has to say to a Gateway comes by a handle, which may come later and go earlier. Proxies that come back to a
 * controller that has only just started are let in when it knows what to tell them: else it would take away what they have.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { agentDriver, agentMethod, type AgentDriver } from "../../agent/index.ts";
import type { ChannelService, ChannelStream } from "../../channel/index.ts";
import {
  envoyControlPlane,
  envoyDriver,
  RenderedModel,
  type EnvoyDriver,
  type FleetDescription,
} from "../../drivers/envoy/index.ts";
import type { Driver, GatewayDrivers, Report } from "../../drivers/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { Controller } from "../controller.ts";
import { driverFeatures } from "../driver-features.ts";
import { HeldStreams } from "./held-streams.ts";
import type { DriverName } from "../names/index.ts";

interface Running {
  readonly kind: string;
  readonly driver: EnvoyDriver | AgentDriver;
  readonly started: Promise<void>;
  report: Report;
}

/** Where Envoy's image has the authorities that everybody trusts. */
const systemRoots = "/etc/ssl/certs/ca-certificates.crt";

export class FleetDrivers {
  readonly features: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries(driverFeatures));
  readonly services: readonly ChannelService[];
  readonly #running = new Map<string, Running>();
  /** Gateway → its Pods that have been told to end and are still there. */
  readonly #ending = new Map<string, ReadonlySet<string>>();
  readonly #controlPlane = envoyControlPlane();
  readonly #held = new HeldStreams();
  readonly #fault: (gateway: string, error: unknown) => void;

  constructor(fault: (gateway: string, error: unknown) => void) {
    this.#fault = fault;
    this.services = [
      this.#held.hold(this.#controlPlane.service),
      this.#held.hold({
        path: agentMethod,
        open: (stream, { gateway }) => this.#connectAgent(stream, gateway),
      }),
    ];
  }

  featuresOf(kind: DriverName): ReadonlySet<string> {
    return this.features.get(kind) ?? new Set();
  }

  /** From here on each fleet has a driver of its kind. */
  follow(controller: Pick<Controller, "fleets" | "settled">, handles: Pick<GatewayDrivers, "renew">): void {
    controller.fleets.subscribe((changes) => {
      for (const [gateway, { after }] of changes) {
        const running = this.#running.get(gateway);
        if (running && after && running.kind === kindOf(after)) continue;
        if (running) this.#end(gateway, running);
        if (!after) continue;
        const begun = this.#begin(after);
        // If there is something to tell, it is told before; if there is not, that is what they are to know.
        void this.#settled(controller).then(() => {
          if (this.#running.get(gateway) === begun) this.#held.admit(gateway);
        });
        if (running) handles.renew(gateway).catch((error: unknown) => this.#fault(gateway, error));
      }
    });
  }

  /** What the model's changes of a Gateway are handed to. */
  handle(gateway: string): Driver {
    const running = this.#running.get(gateway);
    if (!running) throw new Error(`Gateway ${gateway} has no proxies yet.`);
    const { driver } = running;
    return {
      name: driver.name,
      features: driver.features,
      async start(report) {
        running.report = report;
        await running.started;
      },
      apply: async (changes) => {
        // A fleet that is gone has nobody left to tell.
        if (this.#running.get(gateway) !== running) return;
        const applied = driver.apply(changes);
        this.#held.admit(gateway);
        await applied;
      },
      stop() {
        running.report = () => undefined;
        return Promise.resolve();
      },
    };
  }

  /**
   * These Pods, and no others, have been told to end. An agent hears that itself; Envoy has to be told to let go of its connections, be
   * it that it comes only later, or by another driver.
   */
  drain(gateway: string, pods: ReadonlySet<string>): void {
    if (pods.size > 0) this.#ending.set(gateway, pods);
    else this.#ending.delete(gateway);
    this.#tellEnding(gateway);
  }

  /** What is known of the Envoys of each Gateway. Agents tell of themselves. */
  *describeEnvoys(): Generator<[gateway: string, fleet: FleetDescription]> {
    for (const [gateway, { driver }] of this.#running) {
      if ("describe" in driver) yield [gateway, driver.describe()];
    }
  }

  async stop(): Promise<void> {
    await Promise.all(Array.from(this.#running.values(), ({ driver }) => driver.stop()));
    this.#running.clear();
  }

  async #settled(controller: Pick<Controller, "settled">): Promise<void> {
    // Others are told of the same changes only now.
    await nextTurn();
    await controller.settled();
  }

  #begin(fleet: Fleet): Running {
    const driver = this.#make(fleet);
    const running: Running = {
      kind: kindOf(fleet),
      driver,
      started: driver.start((reports) => running.report(reports)),
      report: () => undefined,
    };
    running.started.catch((error: unknown) => this.#fault(fleet.key, error));
    this.#running.set(fleet.key, running);
    this.#tellEnding(fleet.key);
    return running;
  }

  #tellEnding(gateway: string): void {
    const driver = this.#running.get(gateway)?.driver;
    if (driver && "drain" in driver) driver.drain(this.#ending.get(gateway) ?? new Set());
  }

  #end(gateway: string, { driver }: Running): void {
    this.#running.delete(gateway);
    this.#held.stopAdmitting(gateway);
    driver.stop().catch((error: unknown) => this.#fault(gateway, error));
  }

  #make({ key, driver, settings }: Fleet): EnvoyDriver | AgentDriver {
    const features = this.features.get(driver) ?? new Set<string>();
    if (driver !== "envoy") return agentDriver({ driver, features });
    const renderer = new RenderedModel({
      addresses: ["::"],
      systemRoots,
      ...(settings.accessLog.enabled && { accessLog: "/dev/stdout" }),
      statisticsPerBackend: settings.statistics.perBackend,
    });
    return envoyDriver({ features, renderer, controlPlane: this.#controlPlane, gateway: key });
  }

  #connectAgent(stream: ChannelStream, gateway: string): void {
    const driver = this.#running.get(gateway)?.driver;
    if (driver && "connect" in driver) driver.connect(stream);
    else stream.close(`Gateway ${gateway} has no proxies that are programmed this way`);
  }
}

/** Which driver, and what it is made with. */
function kindOf({ driver, settings }: Fleet): string {
  return driver === "envoy"
    ? `envoy ${settings.accessLog.enabled} ${settings.statistics.perBackend}`
    : driver;
}

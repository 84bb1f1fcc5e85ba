/*
 * The HAProxy driver: model changes become sections, maps, servers and certificates of a HAProxy process.
 *
 * One round at a time; changes that arrive meanwhile are taken together in the next. A round makes what should be from the
 * whole model, writes the files, and then either tells the running process what is different (servers, maps,
 * certificates: nobody notices) or starts a new one that takes over its sockets (listeners, kinds of backends).
 */
import type { Listener, ModelChanges } from "../../model/index.ts";
import type { ApplyReport, Driver, ItemState, Report } from "../driver.ts";
import { BindPlan } from "./bind/bind-plan.ts";
import { HaproxyDriverError } from "./driver-error.ts";
import { EndpointNames } from "./endpoint-names.ts";
import { haproxyFeatures } from "./features.ts";
import { ModelState } from "./model-state.ts";
import { defaultLimits, type HaproxyLimits, type HaproxyOptions } from "./options.ts";
import { HaproxyProcesses } from "./process/processes.ts";
import { desiredState, type DesiredState } from "./render/desired-state.ts";

export function haproxyDriver(options: HaproxyOptions = {}): Driver {
  return new HaproxyDriver(options);
}

interface Waiting {
  readonly changes: ModelChanges;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class HaproxyDriver implements Driver {
  readonly name = "haproxy";
  readonly features = haproxyFeatures;
  readonly #options: HaproxyOptions;
  readonly #limits: HaproxyLimits;
  readonly #state = new ModelState();
  readonly #names = new EndpointNames();
  readonly #plan: BindPlan;
  #processes: HaproxyProcesses | undefined;
  #report: Report | undefined;
  #waiting: Waiting[] = [];
  #round: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryAfter: number;
  #resolve: NodeJS.Timeout | undefined;
  readonly #told = new Map<string, string>();

  constructor(options: HaproxyOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#retryAfter = this.#limits.retryFirst;
    this.#plan = new BindPlan(options, (notice) => options.notify?.(notice));
  }

  async start(report: Report): Promise<void> {
    if (this.#report) {
      throw new HaproxyDriverError(
        "GATEWRIGHT_DRIVER_STARTED",
        "The HAProxy driver was started already; make another one.",
      );
    }
    this.#report = report;
    this.#processes = await HaproxyProcesses.open({
      options: this.#options,
      limits: this.#limits,
      onDeath: () => this.#tellAll(),
      onRecovery: () => this.#tellAll(),
    });
  }

  apply(changes: ModelChanges): Promise<void> {
    if (!this.#processes || this.#stopping) {
      const message = `The HAProxy driver ${this.#stopping ? "was stopped" : "is not started"}: no changes can be applied.`;
      return Promise.reject(new HaproxyDriverError("GATEWRIGHT_DRIVER_NOT_STARTED", message));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ changes, resolve, reject });
      this.#round ??= this.#rounds();
    });
  }

  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      clearTimeout(this.#retry);
      clearTimeout(this.#resolve);
      await this.#round;
      await this.#processes?.stop();
    })();
    return this.#stopping;
  }

  async #rounds(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0);
      try {
        for (const { changes } of taken) this.#state.apply(changes);
        const named = new Set(taken.flatMap(({ changes }) => [...changes.listeners.keys()]));
        await this.#bringIntoForce(named);
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    this.#round = undefined;
  }

  async #bringIntoForce(named: ReadonlySet<string>): Promise<void> {
    const { items } = this.#state;
    await this.#names.resolve(items.endpoints.values(), "new");
    await this.#plan.update(tcpListeners(items.listeners));
    await this.#processes!.bringIntoForce({
      render: () => this.#render(),
      state: this.#state,
      plan: this.#plan,
    });
    this.#tell([...this.#state.takeReports(), ...this.#listenerReports(named)]);
    this.#scheduleRetry();
    this.#scheduleResolution();
  }

  #render(): DesiredState {
    return desiredState({
      model: this.#state.items,
      planned: this.#plan.planned,
      folder: this.#processes!.folder,
      addressesOf: (endpoint) => this.#names.addressesOf(endpoint),
    });
  }

  /** Those that are named, and those whose state is another than was told. */
  #listenerReports(named: ReadonlySet<string>): ApplyReport[] {
    const reports: ApplyReport[] = [];
    for (const key of this.#told.keys()) if (!this.#state.items.listeners.has(key)) this.#told.delete(key);
    for (const [key, listener] of this.#state.items.listeners) {
      const state = this.#stateOf(listener);
      const text = JSON.stringify(state);
      if (!named.has(key) && this.#told.get(key) === text) continue;
      this.#told.set(key, text);
      reports.push({ kind: "listeners", key, state });
    }
    return reports;
  }

  #stateOf(listener: Listener): ItemState {
    if (listener.protocol === "udp") {
      return { type: "refused", message: `HAProxy does not serve UDP: port ${listener.port} is not opened.` };
    }
    const planned = this.#plan.planned.get(listener.key);
    if (planned?.state.type === "programmed" && !this.#processes!.isRunning) {
      return { type: "pending", message: `HAProxy is not running: ${this.#processes!.problem}` };
    }
    return planned?.state ?? { type: "pending", message: "It is not opened yet." };
  }

  #tellAll(): void {
    this.#tell(this.#listenerReports(new Set()));
  }

  #tell(reports: readonly ApplyReport[]): void {
    if (reports.length > 0 && !this.#stopping) this.#report?.(reports);
  }

  /** Ports that were taken are tried again until they are free. */
  #scheduleRetry(): void {
    clearTimeout(this.#retry);
    if (!this.#plan.waiting) {
      this.#retryAfter = this.#limits.retryFirst;
      return;
    }
    const after = this.#retryAfter * (1 + Math.random() * 0.2);
    this.#retryAfter = Math.min(this.#retryAfter * 2, this.#limits.retryMost);
    this.#retry = setTimeout(() => this.#again(), after);
  }

  #scheduleResolution(): void {
    clearTimeout(this.#resolve);
    if (!this.#names.hasNames) return;
    this.#resolve = setTimeout(() => {
      void this.#names.resolve(this.#state.items.endpoints.values(), "all").then((isDifferent) => {
        if (isDifferent) this.#again();
        else this.#scheduleResolution();
      });
    }, this.#limits.resolve);
    this.#resolve.unref();
  }

  #again(): void {
    if (this.#stopping) return;
    void this.apply(noChanges).catch(() => this.#scheduleRetry());
  }
}

const noChanges: ModelChanges = {
  certificates: new Map(),
  backends: new Map(),
  endpoints: new Map(),
  listeners: new Map(),
  serverNames: new Map(),
  virtualHosts: new Map(),
  streamRoutes: new Map(),
};

function tcpListeners(listeners: ReadonlyMap<string, Listener>): ReadonlyMap<string, Listener> {
  return new Map([...listeners].filter(([, { transport }]) => transport === "tcp"));
}

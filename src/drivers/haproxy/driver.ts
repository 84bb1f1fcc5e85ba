/*
 * The HAProxy driver: model changes become sections, maps, servers and certificates of a HAProxy process.
 *
 * One round at a time; changes that arrive meanwhile are taken together in the next. A round makes what should be from the
 * whole model, writes the files, and then either tells the running process what is different (servers, maps,
 * certificates: nobody notices) or starts a new one that takes over its sockets (listeners, kinds of backends).
 */
import { isIP } from "node:net";
import {
  modelKinds,
  type Endpoint,
  type Listener,
  type ModelChanges,
  type VirtualHost,
  perModelKind,
} from "../../model/index.ts";
import type { ApplyReport, Driver, ItemState, Report } from "../driver.ts";
import { BindPlan } from "./bind/bind-plan.ts";
import { HealthChecks } from "../health-checks.ts";
import { HaproxyDriverError } from "./driver-error.ts";
import { EndpointNames } from "./endpoint-names.ts";
import { haproxyFeatures } from "./features.ts";
import { ModelState } from "./model-state.ts";
import { readLogLine, type LogNames } from "./access-log.ts";
import { variantName } from "./backend-variant.ts";
import { identifierOf } from "./identifiers.ts";
import { defaultLimits, type HaproxyLimits, type HaproxyOptions } from "./options.ts";
import { HaproxyProcesses, type ProcessDescription } from "./process/processes.ts";
import { desiredState, type DesiredState } from "./render/desired-state.ts";

export interface HaproxyDriver extends Driver {
  describe(): HaproxyDescription;
  /** Connections from clients that have something under way. */
  connections(): Promise<number>;
}

/** For people and for metrics. Nothing in it is secret. */
export interface HaproxyDescription extends ProcessDescription {
  readonly listeners: readonly {
    readonly key: string;
    readonly gateway: string;
    readonly protocol: string;
    readonly port: number;
    readonly state: ItemState;
  }[];
}

/** How long a change waits for the first checks of endpoints that are new, ms. */
const firstChecks = 1_000;

export function haproxyDriver(options: HaproxyOptions = {}): HaproxyDriver {
  return new RunningHaproxy(options);
}

interface Waiting {
  readonly changes: ModelChanges;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class RunningHaproxy implements HaproxyDriver {
  readonly name = "haproxy";
  readonly features = haproxyFeatures;
  readonly #options: HaproxyOptions;
  readonly #limits: HaproxyLimits;
  readonly #state = new ModelState();
  readonly #names = new EndpointNames();
  readonly #health = new HealthChecks({
    certificateOf: (key) => {
      const certificate = this.#state.items.certificates.get(key);
      return certificate && { ...certificate, chain: certificate.certificates };
    },
    onChange: (key) => this.#shareOut(key),
  });
  readonly #plan: BindPlan;
  #processes: HaproxyProcesses | undefined;
  #report: Report | undefined;
  #waiting: Waiting[] = [];
  /** Backends of which other endpoints are well than before. */
  readonly #otherwise = new Set<string>();
  #round: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryAfter: number;
  #resolve: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  #deaths = 0;
  #lastDeath = 0;
  /** By identifier, also of those that are gone: requests that a listener let in end later than it does. */
  readonly #listeners = new Map<string, Listener>();
  #backends: ReadonlyMap<string, string> | undefined;
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
      onDeath: () => this.#onDeath(),
      onLog: (text) => this.#onLog(text),
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
      clearTimeout(this.#restart);
      this.#health.stop();
      await this.#round;
      await this.#processes?.stop();
    })();
    return this.#stopping;
  }

  describe(): HaproxyDescription {
    const none: ProcessDescription = { pid: undefined, starts: 0, draining: 0, connections: 0 };
    return {
      ...(this.#processes?.describe() ?? none),
      listeners: [...this.#state.items.listeners.values()].map((listener) => ({
        key: listener.key,
        gateway: listener.gateway,
        protocol: listener.protocol,
        port: listener.port,
        state: this.#stateOf(listener),
      })),
    };
  }

  async connections(): Promise<number> {
    return (await this.#processes?.busyConnections()) ?? 0;
  }

  async #rounds(): Promise<void> {
    while (this.#waiting.length > 0 || this.#otherwise.size > 0) {
      const taken = this.#waiting.splice(0);
      try {
        for (const { changes } of taken) {
          this.#state.apply(changes);
          for (const [key, listener] of changes.listeners) {
            if (listener) this.#listeners.set(identifierOf(key), listener);
          }
          this.#health.change(changes);
        }
        await this.#health.settled(firstChecks);
        const named = new Set(taken.flatMap(({ changes }) => [...changes.listeners.keys()]));
        const all = [...taken.map(({ changes }) => changes), this.#takeOtherwise()];
        if (!(await this.#changeAlone(all))) await this.#bringIntoForce(named);
        for (const { resolve } of taken) resolve();
      } catch (error) {
        this.#tellAll();
        this.#scheduleRestart();
        for (const { reject } of taken) reject(error);
      }
    }
    this.#round = undefined;
  }

  /** Other endpoints of the backend are well: a change of its endpoints like any other. */
  #shareOut(key: string): void {
    if (this.#stopping) return;
    this.#otherwise.add(key);
    this.#round ??= this.#rounds();
  }

  /** The endpoints that these backends have by now. */
  #takeOtherwise(): ModelChanges {
    const { endpoints } = this.#state.items;
    const sets = [...this.#otherwise].flatMap((key) => endpoints.get(key) ?? []);
    this.#otherwise.clear();
    return { ...noChanges, endpoints: new Map(sets.map((set) => [set.key, set])) };
  }

  /** The most frequent changes by far do not look at the rest of the model. Says whether this was one, and could be made. */
  async #changeAlone(taken: readonly ModelChanges[]): Promise<boolean> {
    if (this.#plan.waiting) return false;
    const kinds = new Set(taken.flatMap((changes) => modelKinds.filter((kind) => changes[kind].size > 0)));
    const [kind] = kinds;
    if (kinds.size !== 1 || (kind !== "endpoints" && kind !== "virtualHosts")) return false;
    const isDone = kind === "endpoints" ? await this.#changeEndpoints(taken) : await this.#changeHosts(taken);
    if (isDone) this.#tell(this.#state.takeReports());
    return isDone;
  }

  async #changeEndpoints(taken: readonly ModelChanges[]): Promise<boolean> {
    if (this.#names.hasNames) return false;
    const changed = new Map<string, readonly Endpoint[]>();
    for (const { endpoints } of taken) {
      for (const [key, set] of endpoints) changed.set(key, this.#health.wellOf(key, set?.endpoints ?? []));
    }
    const hasNames = [...changed.values()].some((list) => list.some(({ address }) => isIP(address) === 0));
    return !hasNames && this.#processes!.changeEndpoints(changed, this.#state);
  }

  async #changeHosts(taken: readonly ModelChanges[]): Promise<boolean> {
    const changed = new Map<string, VirtualHost | undefined>();
    const { virtualHosts } = this.#state.items;
    // What is refused stays as it was: the state knows.
    for (const changes of taken) {
      for (const key of changes.virtualHosts.keys()) changed.set(key, virtualHosts.get(key));
    }
    return this.#processes!.changeHosts(changed, this.#state);
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
    this.#backends = undefined;
    this.#tell([...this.#state.takeReports(), ...this.#listenerReports(named)]);
    this.#scheduleRetry();
    this.#scheduleResolution();
  }

  #render(): DesiredState {
    return desiredState({
      model: this.#state.items,
      planned: this.#plan.planned,
      folder: this.#processes!.folder,
      logs: this.#options.accessLog !== undefined,
      wellOf: (backend, endpoints) => this.#health.wellOf(backend, endpoints),
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

  /** It is started again with all that should be in force: at once, then after a growing wait. */
  #onDeath(): void {
    this.#tellAll();
    this.#scheduleRestart();
  }

  #scheduleRestart(): void {
    if (this.#stopping) return;
    const { retryFirst, retryMost } = this.#limits;
    const now = Date.now();
    // One that has lived for a while is a new story.
    if (now - this.#lastDeath > 30_000) this.#deaths = 0;
    this.#lastDeath = now;
    const wait = this.#deaths === 0 ? 0 : Math.min(retryFirst * 2 ** (this.#deaths - 1), retryMost);
    this.#deaths++;
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => this.#again(), wait * (1 + Math.random() * 0.2));
  }

  #onLog(text: string): void {
    const { accessLog } = this.#options;
    if (!accessLog) return;
    const names: LogNames = {
      listenerOf: (identifier) => this.#listeners.get(identifier),
      backendOf: (section) => (this.#backends ??= backendsBySection(this.#state.items)).get(section),
    };
    const record = readLogLine(text, names, Date.now());
    if (record) accessLog(record);
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
    // A failure is told by what listeners report, and tried again.
    void this.apply(noChanges).catch(() => {});
  }
}

/** What the names of HAProxy's sections stand for. */
function backendsBySection(items: ModelState["items"]): ReadonlyMap<string, string> {
  const backends = new Map<string, string>();
  for (const backend of items.backends.keys()) {
    for (const mode of ["http", "grpc"] as const) {
      for (const watched of [false, true]) backends.set(variantName({ backend, mode, watched }), backend);
    }
  }
  return backends;
}

const noChanges: ModelChanges = perModelKind(() => new Map());

function tcpListeners(listeners: ReadonlyMap<string, Listener>): ReadonlyMap<string, Listener> {
  return new Map([...listeners].filter(([, { transport }]) => transport === "tcp"));
}

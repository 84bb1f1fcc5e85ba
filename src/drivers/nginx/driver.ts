/*
 * The NGINX driver: model changes become data for the scripts of running NGINXes, and where that does not do, configurations.
 *
 * One `apply` at a time: what is new is rendered and reserved; NGINXes whose configuration lacks something get a new one; the data is put in
 * force, file by file, what is referred to first; new listeners are started; and what is gone is taken away. Changes of routes,
 * endpoints and certificates need no new configuration, as a rule.
 */
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { perModelKind, type Listener, type ModelChanges } from "../../model/index.ts";
import type { ApplyReport, Driver, ItemState, Report } from "../driver.ts";
import { HealthChecks } from "../health-checks.ts";
import { AccessLogReader } from "./data/access-log.ts";
import { DataFolder } from "./data/data-folder.ts";
import { makePrivateFolder, type PrivateFolder } from "./data/private-folder.ts";
import { Slots } from "./data/slots.ts";
import { NginxDriverError } from "./driver-error.ts";
import { nginxFeatures } from "./features.ts";
import type { Drained } from "./listeners/listener-process.ts";
import { countConnections } from "./process/client-connections.ts";
import { OpenListener, type CommonShape } from "./listeners/open-listener.ts";
import type { NginxOptions } from "./options.ts";
import { mostOpenFiles } from "./process/open-files.ts";
import { findProgram, type NginxProgram } from "./process/program.ts";
import type { Connections } from "./process/generation.ts";
import { Tables, type Prepared } from "./tables/tables.ts";
import type { Needs } from "./tables/listener-needs.ts";

export interface NginxDriver extends Driver {
  describe(): NginxDescription;
  /** Connections from clients that are open. */
  connections(): Promise<number>;
}

/** For people and for metrics. Nothing in it is secret. */
export interface NginxDescription {
  readonly listeners: readonly NginxListenerDescription[];
  readonly items: { readonly [kind in "backends" | "serverNames" | "virtualHosts"]: number };
}

export interface NginxListenerDescription {
  readonly key: string;
  readonly gateway: string;
  readonly protocol: string;
  readonly port: number;
  readonly state: ItemState;
  /** Configurations that NGINX was given after the first. */
  readonly reloads: number;
  /** NGINX's words against the last one. */
  readonly lastRefusal: string | undefined;
  /** How often NGINX had to be started again. */
  readonly restarts: number;
  /** As they were when last asked for. */
  readonly connections: Connections;
}

const defaultGrace = 30_000;
/** Sockets for endpoints; doubled when they do not suffice. */
const firstSlots = 64;
const retryFirst = 250;
const retryMost = 10_000;
const sweepInterval = 30_000;
/** How long a change waits for the first checks of endpoints that are new, ms. */
const firstChecks = 1_000;

export function nginxDriver(options: NginxOptions = {}): NginxDriver {
  return new ManyNginxDriver(options);
}

/** What exists between start and stop. */
interface Running {
  readonly folder: PrivateFolder;
  readonly data: DataFolder;
  readonly tables: Tables;
  readonly slots: Slots;
  readonly program: NginxProgram;
  readonly common: CommonShape;
  readonly log: AccessLogReader | undefined;
  readonly sweeping: NodeJS.Timeout;
}

class ManyNginxDriver implements NginxDriver {
  readonly name = "nginx";
  readonly features: ReadonlySet<string> = nginxFeatures;
  readonly #options: NginxOptions;
  readonly #listeners = new Map<string, OpenListener>();
  readonly #ids = new Map<string, string>();
  /** By the identifier of a listener, also of one that is gone: requests that it let in end later than it does. */
  readonly #named = new Map<string, Listener>();
  readonly #retries = new Map<string, { timer: NodeJS.Timeout; count: number }>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #health = new HealthChecks({
    certificateOf: (key) => this.#running?.tables.certificates.get(key),
    onChange: (key) => this.#shareOut(key),
  });
  #report: Report | undefined;
  #running: Running | undefined;
  #slotCapacity = firstSlots;
  #folders = 0;
  #queue: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(options: NginxOptions) {
    this.#options = options;
  }

  async start(report: Report): Promise<void> {
    if (this.#report) {
      const message = "The NGINX driver was started already; make another one.";
      throw new NginxDriverError("GATEWRIGHT_DRIVER_STARTED", message);
    }
    this.#report = report;
    this.#running = await this.#makeRunning();
  }

  apply(changes: ModelChanges): Promise<void> {
    if (!this.#running || this.#stopping) {
      const message = `The NGINX driver ${this.#stopping ? "was stopped" : "is not started"}: no changes can be applied.`;
      return Promise.reject(new NginxDriverError("GATEWRIGHT_DRIVER_NOT_STARTED", message));
    }
    return this.#enqueue(() => this.#apply(changes));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#queue.then(() => this.#stop());
    return this.#stopping;
  }

  describe(): NginxDescription {
    const listeners = Array.from(this.#listeners.values(), ({ listener, state, process }) => ({
      key: listener.key,
      gateway: listener.gateway,
      protocol: listener.protocol,
      port: listener.port,
      state,
      reloads: process.reloads,
      lastRefusal: process.lastRefusal,
      restarts: process.restarts,
      connections: process.connections(),
    }));
    const tables = this.#running?.tables;
    return {
      listeners,
      items: {
        backends: tables?.backends.size ?? 0,
        serverNames: tables?.serverNames.size ?? 0,
        virtualHosts: tables?.virtualHosts.size ?? 0,
      },
    };
  }

  connections(): Promise<number> {
    return countConnections(new Set(Array.from(this.#listeners.values(), ({ port }) => port)));
  }

  async #makeRunning(): Promise<Running> {
    const options = this.#options;
    const program = await findProgram(options.program);
    const { workerUser } = program;
    const folder = makePrivateFolder(options.folder, workerUser);
    const data = new DataFolder(`${folder.path}/d`, workerUser);
    data.makeFolder(data.path);
    const sessionSecret = (options.sessionSecret ?? randomBytes(32)).toString("hex");
    data.write("session-secret", sessionSecret);
    folder.copyScripts(data);
    const slots = new Slots(() => performance.now());
    const log = options.accessLog
      ? await AccessLogReader.open(`${folder.path}/log`, workerUser, (id, record) => this.#log(id, record))
      : undefined;
    const tables = new Tables({
      data,
      slots,
      sessionSecret,
      idOf: (listener) => this.#idOf(listener),
      portFor: (listener, port) => this.#portFor(listener, port),
      wellOf: (backend, endpoints) => this.#health.wellOf(backend, endpoints),
      onAddresses: () => void this.#enqueue(() => Promise.resolve(tables.refreshAddresses())),
    });
    const common: CommonShape = {
      dataFolder: data.path,
      scripts: `${data.path}/scripts`,
      modules: program.modules,
      user: workerUser?.name,
      workers: options.workers ?? Math.min(availableParallelism(), 4),
      // A request takes up to six: client, front, HTTP, slot, relay, backend.
      workerConnections: 16_384,
      maxOpenFiles: mostOpenFiles(),
      accessLog: log?.path,
    };
    const sweeping = setInterval(() => tables.sweep(), sweepInterval).unref();
    return { folder, data, tables, slots, program, common, log, sweeping };
  }

  async #apply(changes: ModelChanges): Promise<void> {
    const { tables } = this.#running!;
    this.#setListeners(changes.listeners);
    this.#health.change(changes);
    await this.#health.settled(firstChecks);
    const prepared = await tables.prepare(changes);
    const reports = [...prepared.reports, ...(await this.#putInForce(prepared, changes.listeners))];
    await this.#rebind(changes.listeners.keys());
    reports.push(...(await this.#openListeners(changes.listeners.keys())));
    reports.push(...(await this.#followPorts(changes.listeners.keys())));
    for (const [key, listener] of changes.listeners) if (!listener) await this.#removeListener(key);
    reports.push(...tables.remove(prepared));
    this.#tell(reports);
  }

  /** Other endpoints of the backend are well: a change of its endpoints like any other. */
  #shareOut(key: string): void {
    void this.#enqueue(async () => {
      // Those that it has by then.
      const endpoints = this.#running?.tables.backends.endpointsOf(key);
      if (endpoints) await this.#apply({ ...nothing, endpoints: new Map([[key, { key, endpoints }]]) });
    }).catch(() => {});
  }

  /** Makes NGINXes ready for the data, then writes it. */
  async #putInForce(
    prepared: Prepared,
    changed: ReadonlyMap<string, Listener | undefined>,
  ): Promise<readonly ApplyReport[]> {
    const { tables } = this.#running!;
    const isGrown = this.#growSlots();
    const refused = new Map<string, string>();
    const byListener = new Map<string, [host: string, needs: Needs][]>();
    for (const [host, { listener, needs }] of prepared.needs) {
      const known = byListener.get(listener);
      if (known) known.push([host, needs]);
      else byListener.set(listener, [[host, needs]]);
    }
    for (const [key, open] of this.#listeners) {
      const hosts = byListener.get(key) ?? [];
      const isShort = hosts.some(([, needs]) => !open.includes(needs));
      const isTouched = isShort || isGrown || prepared.areTrustsChanged || changed.has(key);
      if (!isTouched || !open.isBoundRight()) continue;
      const refusals = await open.update(hosts.map(([, needs]) => needs));
      for (const [host, needs] of hosts) {
        const words = refusals.get(needs);
        if (words !== undefined) refused.set(host, `NGINX refuses it: ${words}`);
      }
    }
    return tables.commit(prepared, refused);
  }

  #growSlots(): boolean {
    const { slots } = this.#running!;
    const before = this.#slotCapacity;
    while (this.#slotCapacity < slots.count) this.#slotCapacity *= 2;
    return this.#slotCapacity !== before;
  }

  #setListeners(changes: ReadonlyMap<string, Listener | undefined>): void {
    for (const [key, listener] of changes) {
      if (!listener) continue;
      const known = this.#listeners.get(key);
      if (known) known.listener = listener;
      else this.#listeners.set(key, this.#newListener(listener));
    }
  }

  #newListener(listener: Listener): OpenListener {
    const { common, data, program, folder, tables } = this.#running!;
    const { key } = listener;
    const id = this.#idOf(key);
    this.#named.set(id, listener);
    const open: OpenListener = new OpenListener(listener, {
      id,
      common,
      rules: this.#options,
      process: {
        program: program.path,
        data,
        newFolder: () => `${folder.path}/${++this.#folders}`,
        restartFirst: 100,
        restartMost: 10_000,
      },
      slots: () => this.#slotCapacity,
      trustFile: (number) => tables.trusts.fileOf(number),
      clientTrust: (keys) => tables.trusts.write(keys),
      isTaken: (port, hosts) => this.#isTaken(key, port, hosts),
      notify: (notice) => this.#options.notify?.(notice),
      onState: () => {
        if (this.#listeners.get(key) === open) this.#tell([{ kind: "listeners", key, state: open.state }]);
      },
    });
    return open;
  }

  /** Listeners whose addresses are others now leave the old ones first. */
  async #rebind(keys: Iterable<string>): Promise<void> {
    for (const key of keys) {
      const open = this.#listeners.get(key);
      if (open && !open.isBoundRight()) this.#await(await open.leave(this.#grace));
    }
  }

  async #openListeners(keys: Iterable<string>): Promise<ApplyReport[]> {
    const reports: ApplyReport[] = [];
    for (const key of keys) {
      const open = this.#listeners.get(key);
      if (!open) continue;
      await open.open();
      reports.push({ kind: "listeners", key, state: open.state });
      this.#planRetry(key, open);
    }
    return reports;
  }

  /** A port that is taken, or an address that is not there, may be had later. */
  #planRetry(key: string, open: OpenListener): void {
    const known = this.#retries.get(key);
    clearTimeout(known?.timer);
    this.#retries.delete(key);
    if (open.state.type !== "refused" || open.isOpen || this.#stopping) return;
    const count = (known?.count ?? 0) + 1;
    const wait = Math.min(retryMost, retryFirst * 2 ** (count - 1));
    const timer = setTimeout(() => void this.#enqueue(() => this.#retry(key, open)), wait).unref();
    this.#retries.set(key, { timer, count });
  }

  async #retry(key: string, open: OpenListener): Promise<void> {
    if (this.#listeners.get(key) !== open) return;
    const before = JSON.stringify(open.state);
    await open.open();
    if (JSON.stringify(open.state) !== before) this.#tell([{ kind: "listeners", key, state: open.state }]);
    this.#planRetry(key, open);
    this.#tell(await this.#followPorts([key]));
  }

  /** Redirects say ports: where a listener is served on another one than its own, the rules of its Gateway follow. */
  async #followPorts(keys: Iterable<string>): Promise<readonly ApplyReport[]> {
    const gateways = new Set<string>();
    for (const key of keys) {
      const open = this.#listeners.get(key);
      if (open && open.publicPort !== open.listener.port) gateways.add(open.listener.gateway);
    }
    if (gateways.size === 0) return [];
    const { tables } = this.#running!;
    const again = [...tables.virtualHosts.values()].filter(({ virtualHost }) => {
      const open = this.#listeners.get(virtualHost.listener);
      return open !== undefined && gateways.has(open.listener.gateway);
    });
    const prepared = await tables.prepare(
      nothing,
      again.map(({ virtualHost }) => virtualHost.key),
    );
    return tables.commit(prepared, new Map());
  }

  async #removeListener(key: string): Promise<void> {
    const open = this.#listeners.get(key);
    if (!open) return;
    clearTimeout(this.#retries.get(key)?.timer);
    this.#retries.delete(key);
    this.#listeners.delete(key);
    this.#await(await open.leave(this.#grace));
  }

  get #grace(): number {
    return this.#options.grace ?? defaultGrace;
  }

  #isTaken(asking: string, port: number, hosts: readonly string[]): boolean {
    const { transport } = this.#listeners.get(asking)?.listener ?? {};
    for (const [key, other] of this.#listeners) {
      if (key === asking || other.port !== port || other.listener.transport !== transport) continue;
      const meets = (host: string) => isAny(host) || other.hosts.some((own) => own === host || isAny(own));
      if (hosts.some(meets)) return true;
    }
    return false;
  }

  #portFor(listener: string, port: number | "listener"): number {
    const open = this.#listeners.get(listener);
    const gateway = open?.listener.gateway ?? listener.split("/").slice(0, 2).join("/");
    const wanted = port === "listener" ? (open?.listener.port ?? Number(listener.split("/").at(-1))) : port;
    return this.#listeners.get(`${gateway}/tcp/${wanted}`)?.publicPort ?? wanted;
  }

  #idOf(listener: string): string {
    let id = this.#ids.get(listener);
    if (id === undefined) {
      id = `l${this.#ids.size + 1}`;
      this.#ids.set(listener, id);
    }
    return id;
  }

  #log(id: string, record: Readonly<Record<string, unknown>>): void {
    const listener = this.#named.get(id);
    if (listener) this.#options.accessLog?.({ ...record, gateway: listener.gateway, listener: listener.key });
  }

  async #stop(): Promise<void> {
    this.#health.stop();
    for (const { timer } of this.#retries.values()) clearTimeout(timer);
    const all = [...this.#listeners.values()];
    this.#listeners.clear();
    await Promise.all(all.map(async (open) => this.#await(await open.leave(this.#grace))));
    await Promise.all(this.#leaving);
    const running = this.#running;
    clearInterval(running?.sweeping);
    running?.tables.addresses.close();
    running?.data.close();
    await running?.log?.close();
    running?.folder.remove();
  }

  #await({ over }: Drained): void {
    const done = over.catch(() => {}).finally(() => this.#leaving.delete(done));
    this.#leaving.add(done);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => (this.#stopping ? undefined : work()));
    this.#queue = done.catch(() => {});
    return done;
  }

  #tell(reports: readonly ApplyReport[]): void {
    if (reports.length > 0 && !this.#stopping) this.#report?.(reports);
  }
}

function isAny(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

const nothing: ModelChanges = perModelKind(() => new Map());

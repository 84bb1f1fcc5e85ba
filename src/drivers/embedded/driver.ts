import { allFeatures, type ModelChanges } from "../../model/index.ts";
import type { ApplyReport, BoundAddress, Driver, ItemState, Report } from "../driver.ts";
import { EmbeddedDriverError } from "./driver-error.ts";
import { HttpService, type HttpMetrics } from "./http/index.ts";
import { defaultLimits } from "./limits.ts";
import { ListenerSet } from "./listeners/listener-set.ts";
import { PortClaims } from "./listeners/port-claims.ts";
import type { ListenerCounters } from "./metrics.ts";
import type { EmbeddedOptions } from "./options.ts";
import { prepareChanges } from "./prepare-changes.ts";
import { Tables } from "./tables/tables.ts";

/*
 * The embedded driver: model changes become tables in memory and sockets of this process.
 *
 * One `apply` at a time, in three steps: what takes time is prepared aside, in slices; then all tables change in one go,
 * without a pause in which a connection could meet half of the changes; then new sockets are opened. A port therefore
 * never answers before everything behind it is in place.
 */

export interface EmbeddedDriver extends Driver {
  describe(): EmbeddedDescription;
}

/** For people and for metrics. Nothing in it is secret. */
export interface EmbeddedDescription {
  readonly listeners: readonly ListenerDescription[];
  /** The live counters of the HTTP data path. */
  readonly http: HttpMetrics;
  readonly items: { readonly [kind in "backends" | "serverNames" | "virtualHosts" | "streamRoutes"]: number };
}

export interface ListenerDescription {
  readonly key: string;
  readonly gateway: string;
  readonly protocol: string;
  readonly port: number;
  readonly state: ItemState;
  readonly addresses: readonly BoundAddress[];
  readonly counters: Readonly<ListenerCounters>;
}

export function embeddedDriver(options: EmbeddedOptions = {}): EmbeddedDriver {
  return new InProcessDriver(options);
}

/** How long changes wait for the first checks of endpoints that came with them, ms. */
const firstChecks = 1_000;

class InProcessDriver implements EmbeddedDriver {
  readonly name = "embedded";
  readonly features: ReadonlySet<string> = allFeatures;
  readonly #tables: Tables;
  readonly #http: HttpService;
  readonly #listeners: ListenerSet;
  #report: Report | undefined;
  #queue: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(options: EmbeddedOptions) {
    const limits = { ...defaultLimits, ...options.limits };
    this.#tables = new Tables({ handshakeTimeout: limits.handshake });
    const { virtualHosts, backends, serverNames, streamRoutes } = this.#tables;
    this.#http = new HttpService({
      tables: {
        virtualHosts: (listener) => virtualHosts.of(listener),
        backend: (key) => backends.upstream(key),
        portFor: (gateway, port) => this.#listeners.get(`${gateway}/tcp/${port}`)?.publicPort ?? port,
      },
      log: options.accessLog,
      limits: options.httpLimits,
      sessionSecret: options.sessionSecret,
    });
    this.#listeners = new ListenerSet({
      limits,
      rules: options,
      claims: new PortClaims(),
      notify: (notice) => options.notify?.(notice),
      serveHttp: (connection) => this.#http.accept(connection),
      drainHttp: (listener, grace) => this.#http.drain(listener, grace),
      forgetHttp: (listener) => this.#http.metrics.forget(listener),
      serverNames: (listener) => serverNames.of(listener),
      streamChoice: (listener) => streamRoutes.of(listener),
      backendOf: (key) => backends.stream(key),
      enqueue: (work) => void this.#enqueue(work),
      report: (reports) => this.#tell(reports),
    });
  }

  start(report: Report): Promise<void> {
    if (this.#report) {
      const message = "The embedded driver was started already; make another one.";
      return Promise.reject(new EmbeddedDriverError("GATEWRIGHT_DRIVER_STARTED", message));
    }
    this.#report = report;
    return Promise.resolve();
  }

  apply(changes: ModelChanges): Promise<void> {
    if (!this.#report || this.#stopping) {
      const message = `The embedded driver ${this.#stopping ? "was stopped" : "is not started"}: no changes can be applied.`;
      return Promise.reject(new EmbeddedDriverError("GATEWRIGHT_DRIVER_NOT_STARTED", message));
    }
    return this.#enqueue(() => this.#apply(changes));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#queue.then(() => this.#stop());
    return this.#stopping;
  }

  describe(): EmbeddedDescription {
    const { backends, serverNames, virtualHosts, streamRoutes } = this.#tables;
    return {
      listeners: Array.from(this.#listeners.values(), ({ listener, state, addresses, counters }) => ({
        key: listener.key,
        gateway: listener.gateway,
        protocol: listener.protocol,
        port: listener.port,
        state,
        addresses,
        counters: { ...counters },
      })),
      http: this.#http.metrics,
      items: {
        backends: backends.size,
        serverNames: serverNames.size,
        virtualHosts: virtualHosts.size,
        streamRoutes: streamRoutes.size,
      },
    };
  }

  async #apply(changes: ModelChanges): Promise<void> {
    const prepared = await prepareChanges(changes);
    const reports = this.#tables.set(prepared);
    this.#listeners.change(changes.listeners);
    reports.push(...this.#tables.remove(changes));
    this.#endSessions(changes);
    await this.#tables.backends.healthSettled(firstChecks);
    reports.push(...(await this.#listeners.open(changes.listeners.keys())));
    this.#tell(reports);
  }

  /** UDP sessions outlive the datagram that began them, so they are told when what they lead to has changed. */
  #endSessions({ streamRoutes, endpoints }: ModelChanges): void {
    for (const key of streamRoutes.keys()) this.#listeners.get(key)?.routeChanged();
    if (endpoints.size === 0) return;
    for (const open of this.#listeners.values()) {
      if (open.listener.transport !== "udp") continue;
      for (const backend of endpoints.keys()) open.endpointsChanged(backend);
    }
  }

  async #stop(): Promise<void> {
    await this.#listeners.close();
    await this.#http.stop();
    this.#tables.backends.close();
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

/*
 * A driver made of four small interfaces.
 *
 * It holds what is wanted and what has been handed over, item by item, and a list of the items where the two may differ. A pass works
 * through that list: certificates, listeners, backends, routes are added and updated in this order, then routes, backends, listeners
 * and certificates are removed. A route waits until its listener, its certificates and its backends have been handed over;
 * a backend, listener or certificate is removed only after the last route that needs it. Whatever fails stays on the list, is reported, and is tried again.
 */
import {
  allFeatures,
  type Backend,
  type Certificate,
  type EndpointSet,
  type Listener,
  type ModelChanges,
  type ModelKind,
} from "../../model/index.ts";
import type { ApplyReport, Driver, Report } from "../driver.ts";
import type { Controllers, RouteConfiguration } from "./controllers.ts";
import { backendsOf, certificatesOf } from "./references.ts";

export interface FromControllersOptions {
  readonly name?: string;
  /** What the data plane does right; everything by default. */
  readonly features?: ReadonlySet<string>;
  /** First wait before another try, ms; doubles up to 30 s. */
  readonly retryDelay?: number;
}

interface WantedBackend {
  readonly backend: Backend;
  readonly endpoints: EndpointSet["endpoints"];
}

/** One of the four interfaces, made uniform. */
interface Slot<T> {
  readonly wanted: Map<string, T>;
  readonly held: Map<string, T>;
  readonly dirty: Set<string>;
  readonly add: (key: string, value: T) => void | Promise<void>;
  readonly update: (key: string, value: T) => void | Promise<void>;
  readonly remove: (key: string, value: T) => void | Promise<void>;
  readonly kindOf: (key: string) => ModelKind;
}

const longestDelay = 30_000;

export function driverFromControllers(
  controllers: Controllers,
  options: FromControllersOptions = {},
): Driver {
  return new ControllersDriver(controllers, options);
}

class ControllersDriver implements Driver {
  readonly name: string;
  readonly features: ReadonlySet<string>;
  readonly #certificates: Slot<Certificate>;
  readonly #listeners: Slot<Listener>;
  readonly #backends: Slot<WantedBackend>;
  readonly #routes: Slot<RouteConfiguration>;
  readonly #firstDelay: number;
  /** Items that were reported as refused, by kind and key. */
  readonly #refused = new Set<string>();
  #report: Report = () => {};
  #work: Promise<void> = Promise.resolve();
  #delay: number;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    controllers: Controllers,
    { name = "controllers", features = allFeatures, retryDelay = 500 }: FromControllersOptions,
  ) {
    const { certificates, listeners, backends, routes } = controllers;
    this.name = name;
    this.features = features;
    this.#firstDelay = retryDelay;
    this.#delay = retryDelay;
    this.#certificates = slot({
      add: (key, value) => certificates.addCertificate(key, value),
      update: (key, value) => certificates.addCertificate(key, value),
      remove: (key) => certificates.removeCertificate(key),
      kindOf: () => "certificates",
    });
    this.#listeners = slot({
      add: (key, value) => listeners.addListener(key, value),
      update: (key, value) => listeners.updateListener(key, value),
      remove: (key) => listeners.removeListener(key),
      kindOf: () => "listeners",
    });
    this.#backends = slot({
      add: (key, { backend, endpoints }) => backends.addBackend(key, endpoints, backend),
      update: (key, { backend, endpoints }) => backends.updateBackend(key, endpoints, backend),
      remove: (key) => backends.removeBackend(key),
      kindOf: () => "backends",
    });
    this.#routes = slot({
      add: (key, value) => routes.addRoute(routeName(key), listenerOf(value), value),
      update: (key, value) => routes.updateRoute(routeName(key), listenerOf(value), value),
      remove: (key, value) => routes.removeRoute(routeName(key), listenerOf(value)),
      kindOf: (key) => key.slice(0, key.indexOf(":")) as ModelKind,
    });
  }

  async start(report: Report): Promise<void> {
    this.#report = report;
  }

  apply(changes: ModelChanges): Promise<void> {
    this.#take(changes);
    this.#delay = this.#firstDelay;
    return this.#pass();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#work;
  }

  #take(changes: ModelChanges): void {
    for (const [key, value] of changes.certificates) want(this.#certificates, key, value);
    for (const [key, value] of changes.listeners) want(this.#listeners, key, value);
    for (const [key, backend] of changes.backends) {
      const endpoints = this.#backends.wanted.get(key)?.endpoints ?? [];
      want(this.#backends, key, backend && { backend, endpoints });
    }
    for (const [key, set] of changes.endpoints) {
      const known = this.#backends.wanted.get(key);
      if (known) want(this.#backends, key, { ...known, endpoints: set?.endpoints ?? [] });
    }
    for (const [key, virtualHost] of changes.virtualHosts) {
      want(this.#routes, `virtualHosts:${key}`, virtualHost && { type: "virtual-host", virtualHost });
    }
    for (const [key, serverName] of changes.serverNames) {
      want(this.#routes, `serverNames:${key}`, serverName && { type: "server-name", serverName });
    }
    for (const [key, streamRoute] of changes.streamRoutes) {
      want(this.#routes, `streamRoutes:${key}`, streamRoute && { type: "stream", streamRoute });
    }
  }

  /** Passes follow each other: the data plane is never called twice at once. */
  #pass(): Promise<void> {
    this.#work = this.#work.then(() => this.#reconcile());
    return this.#work;
  }

  async #reconcile(): Promise<void> {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const reports: ApplyReport[] = [];
    await this.#bring(this.#certificates, reports);
    await this.#bring(this.#listeners, reports);
    await this.#bring(this.#backends, reports);
    await this.#bring(this.#routes, reports, (route) => this.#isReady(route));
    await this.#clear(this.#routes, reports);
    const needed = this.#needed();
    await this.#clear(this.#backends, reports, needed);
    await this.#clear(this.#listeners, reports, needed);
    await this.#clear(this.#certificates, reports, needed);
    if (reports.length > 0) this.#report(reports);
    const isDone = [this.#certificates, this.#listeners, this.#backends, this.#routes].every(
      ({ dirty }) => dirty.size === 0,
    );
    if (isDone || this.#stopped) return;
    this.#timer = setTimeout(() => void this.#pass(), this.#delay).unref();
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }

  async #bring<T>(
    slot: Slot<T>,
    reports: ApplyReport[],
    isReady: (value: T) => boolean = () => true,
  ): Promise<void> {
    for (const key of slot.dirty) {
      const value = slot.wanted.get(key);
      if (value === undefined || !isReady(value)) continue;
      const isNew = !slot.held.has(key);
      await this.#call(slot, key, reports, async () => {
        await (isNew ? slot.add(key, value) : slot.update(key, value));
        slot.held.set(key, value);
      });
    }
  }

  async #clear<T>(
    slot: Slot<T>,
    reports: ApplyReport[],
    needed: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    for (const key of slot.dirty) {
      if (slot.wanted.has(key) || needed.has(key)) continue;
      const value = slot.held.get(key);
      await this.#call(slot, key, reports, async () => {
        if (value !== undefined) await slot.remove(key, value);
        slot.held.delete(key);
      });
    }
  }

  async #call<T>(
    slot: Slot<T>,
    key: string,
    reports: ApplyReport[],
    work: () => Promise<void>,
  ): Promise<void> {
    const kind = slot.kindOf(key);
    const itemKey = slot === (this.#routes as unknown) ? routeName(key) : key;
    const id = `${kind}|${itemKey}`;
    try {
      await work();
      slot.dirty.delete(key);
      const isWanted = slot.wanted.has(key);
      if (isWanted && (kind === "listeners" || this.#refused.has(id))) {
        reports.push({ kind, key: itemKey, state: { type: "programmed" } });
      }
      this.#refused.delete(id);
    } catch (error) {
      this.#refused.add(id);
      const message = error instanceof Error ? error.message : String(error);
      reports.push({ kind, key: itemKey, state: { type: "refused", message } });
    }
  }

  #isReady(route: RouteConfiguration): boolean {
    if (!this.#listeners.held.has(listenerOf(route))) return false;
    if (!certificatesOf(route).every((key) => this.#certificates.held.has(key))) return false;
    for (const key of backendsOf(route)) if (!this.#backends.held.has(key)) return false;
    return true;
  }

  /** What routes that are still in force refer to; looked up only when something is to be removed. */
  #needed(): ReadonlySet<string> {
    const needed = new Set<string>();
    const removals = [this.#backends, this.#listeners, this.#certificates].some((slot) =>
      [...slot.dirty].some((key) => !(slot.wanted as ReadonlyMap<string, unknown>).has(key)),
    );
    if (!removals) return needed;
    for (const route of this.#routes.held.values()) {
      needed.add(listenerOf(route));
      for (const key of backendsOf(route)) needed.add(key);
      for (const key of certificatesOf(route)) needed.add(key);
    }
    return needed;
  }
}

function slot<T>(calls: Pick<Slot<T>, "add" | "update" | "remove" | "kindOf">): Slot<T> {
  return { wanted: new Map(), held: new Map(), dirty: new Set(), ...calls };
}

function want<T>(slot: Slot<T>, key: string, value: T | undefined): void {
  if (value === undefined) slot.wanted.delete(key);
  else slot.wanted.set(key, value);
  slot.dirty.add(key);
}

function routeName(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}

function listenerOf(route: RouteConfiguration): string {
  switch (route.type) {
    case "virtual-host":
      return route.virtualHost.listener;
    case "server-name":
      return route.serverName.listener;
    case "stream":
      return route.streamRoute.listener;
  }
}

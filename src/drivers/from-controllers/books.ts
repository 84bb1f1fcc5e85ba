import type { Backend, Certificate, Endpoint, Listener, ModelChanges, ModelKind } from "../../model/index.ts";
import type { Controllers, RouteConfiguration } from "./controllers.ts";
import { Ledger } from "./ledger.ts";
import {
  listenerOf,
  noReferences,
  referencesOfBackend,
  referencesOfListener,
  referencesOfRoute,
  type References,
} from "./references.ts";

interface BackendWithEndpoints {
  readonly backend: Backend;
  readonly endpoints: readonly Endpoint[];
}

const routeKinds = {
  "virtual-host": "virtualHosts",
  "server-name": "serverNames",
  stream: "streamRoutes",
} as const satisfies Record<RouteConfiguration["type"], ModelKind>;

/** The four ledgers, and how their items hang together. */
export class Books {
  readonly certificates: Ledger<Certificate>;
  readonly listeners: Ledger<Listener>;
  readonly backends: Ledger<BackendWithEndpoints>;
  readonly routes: Ledger<RouteConfiguration>;
  /** A backend is wanted with its endpoints, but the two arrive on their own, in any order. */
  readonly #settings = new Map<string, Backend>();
  readonly #endpoints = new Map<string, readonly Endpoint[]>();

  constructor({ certificates, listeners, backends, routes }: Controllers) {
    this.certificates = new Ledger<Certificate>({
      add: (name, value) => certificates.addCertificate(name, value),
      update: (name, value) => certificates.addCertificate(name, value),
      remove: (name) => certificates.removeCertificate(name),
      references: () => noReferences,
      itemOf: (name) => ({ kind: "certificates", key: name }),
    });
    this.listeners = new Ledger<Listener>({
      add: (name, value) => listeners.addListener(name, value),
      update: (name, value) => listeners.updateListener(name, value),
      remove: (name) => listeners.removeListener(name),
      references: referencesOfListener,
      itemOf: (name) => ({ kind: "listeners", key: name }),
    });
    this.backends = new Ledger<BackendWithEndpoints>({
      add: (name, { endpoints, backend }) => backends.addBackend(name, endpoints, backend),
      update: (name, { endpoints, backend }) => backends.updateBackend(name, endpoints, backend),
      remove: (name) => backends.removeBackend(name),
      references: ({ backend }) => referencesOfBackend(backend),
      itemOf: (name) => ({ kind: "backends", key: name }),
    });
    this.routes = new Ledger<RouteConfiguration>({
      add: (name, value) => routes.addRoute(name, listenerOf(value), value),
      update: (name, value) => routes.updateRoute(name, listenerOf(value), value),
      remove: (name, value) => routes.removeRoute(name, listenerOf(value)),
      references: referencesOfRoute,
      itemOf: itemOfRoute,
    });
  }

  take(changes: ModelChanges): void {
    for (const [name, value] of changes.certificates) this.certificates.want(name, value);
    for (const [name, value] of changes.listeners) this.listeners.want(name, value);
    for (const [name, value] of changes.backends) setOrDelete(this.#settings, name, value);
    for (const [name, set] of changes.endpoints) setOrDelete(this.#endpoints, name, set?.endpoints);
    for (const name of new Set([...changes.backends.keys(), ...changes.endpoints.keys()])) {
      const backend = this.#settings.get(name);
      this.backends.want(name, backend && { backend, endpoints: this.#endpoints.get(name) ?? [] });
    }
    for (const [key, virtualHost] of changes.virtualHosts) {
      this.routes.want(`virtual-host:${key}`, virtualHost && { type: "virtual-host", virtualHost });
    }
    for (const [key, serverName] of changes.serverNames) {
      this.routes.want(`server-name:${key}`, serverName && { type: "server-name", serverName });
    }
    for (const [key, streamRoute] of changes.streamRoutes) {
      this.routes.want(`stream:${key}`, streamRoute && { type: "stream", streamRoute });
    }
    this.#openRoutesWithoutListener(changes);
  }

  /** A route whose listener goes is taken away with it, and comes back with it. */
  #openRoutesWithoutListener({ listeners }: ModelChanges): void {
    const gone = new Set([...listeners].filter(([, value]) => !value).map(([name]) => name));
    if (gone.size === 0) return;
    for (const [name, route] of this.routes.held) {
      if (gone.has(listenerOf(route))) this.routes.open.add(name);
    }
  }

  hasListenerOf(route: RouteConfiguration): boolean {
    return this.listeners.wanted.has(listenerOf(route));
  }

  /** The first thing that is referred to and that the data plane does not have. */
  missingFor({ certificates, listeners, backends }: References): string | undefined {
    const lacks = (noun: string, names: ReadonlySet<string>, { held }: Ledger<unknown>) => {
      for (const name of names) if (!held.has(name)) return `${noun} ${name}`;
      return undefined;
    };
    return (
      lacks("certificate", certificates, this.certificates) ??
      lacks("listener", listeners, this.listeners) ??
      lacks("backend", backends, this.backends)
    );
  }

  /** What something that the data plane has refers to. */
  needed(kind: keyof References): ReadonlySet<string> {
    const needed = new Set<string>();
    for (const { calls, held } of [this.listeners, this.backends, this.routes] as Ledger<unknown>[]) {
      for (const value of held.values()) {
        for (const name of calls.references(value)[kind]) needed.add(name);
      }
    }
    return needed;
  }
}

function itemOfRoute(name: string): { readonly kind: ModelKind; readonly key: string } {
  const colon = name.indexOf(":");
  const type = name.slice(0, colon) as RouteConfiguration["type"];
  return { kind: routeKinds[type], key: name.slice(colon + 1) };
}

function setOrDelete<T>(map: Map<string, T>, name: string, value: T | undefined): void {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
}

// What proxies have against routes: against what they became, or against their backends. The words are the proxy's own.

import type { Collection, Graph, Read } from "../incremental/index.ts";
import type { RouteRule, ServerName, StreamRoute, VirtualHost } from "../model/index.ts";
import { verdict, type Verdict } from "../status/index.ts";
import type { AttachedParent } from "./attached-routes.ts";
import { splitItemKey, type ItemStates } from "./item-states.ts";
import type { RefusedBackends } from "./refused-backends.ts";

export interface Refusals {
  /** By `<Kind>/<namespace>/<name>` of the object that the route is, or came from. */
  readonly routes: Collection<Verdict>;
  readonly backends: RefusedBackends;
}

export interface RefusedRouteInputs {
  readonly virtualHosts: Collection<VirtualHost>;
  readonly serverNames: Collection<ServerName>;
  readonly streamRoutes: Collection<StreamRoute>;
  readonly itemStates: ItemStates;
}

export function refusedRoutes(graph: Graph, inputs: RefusedRouteInputs): Collection<Verdict> {
  const { itemStates, virtualHosts, serverNames, streamRoutes } = inputs;
  return graph.derive("refused routes", itemStates, (state, read, id) => {
    if (state.type !== "refused") return [];
    const { kind, key } = splitItemKey(id);
    const routes = new Set<string>();
    const take = (route: RouteRule | undefined) =>
      route && routes.add(`${route.kind}/${route.namespace}/${route.name}`);
    const item = kind === "virtualHosts" ? read.one(virtualHosts, key) : undefined;
    for (const { action } of item?.rules ?? []) take(action.route);
    const action = kind === "serverNames" ? read.one(serverNames, key)?.action : undefined;
    if (action && action.type !== "http") take(action.route);
    if (kind === "streamRoutes") take(read.one(streamRoutes, key)?.route);
    const what =
      kind === "streamRoutes"
        ? `port ${key.slice(key.lastIndexOf("/") + 1)}`
        : `hostname ${key.slice(key.lastIndexOf("|") + 1)}`;
    const refusal = notProgrammed(`the proxy refused ${what}: ${state.message}`);
    return [...routes].map((route) => [route, refusal] as const);
  });
}

/** Backends may be shared by many routes; what is refused of one stands on each of them. */
export function refusalOfBackends(
  { translation }: AttachedParent,
  read: Read,
  { backends }: Refusals,
): Verdict | undefined {
  for (const { key } of translation?.backendUses ?? []) {
    const message = read.one(backends, key);
    if (message !== undefined) return notProgrammed(message);
  }
  return undefined;
}

export function notProgrammed(message: string): Verdict {
  return verdict("Programmed", "False", "Invalid", message);
}

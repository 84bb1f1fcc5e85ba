import type { Collection, Graph } from "../incremental/index.ts";
import type { RouteRule, ServerName, VirtualHost } from "../model/index.ts";
import { objectStatus, statusEntry, verdict, type ObjectStatus, type Verdict } from "../status/index.ts";
import type { AttachedParent, AttachedRoute } from "./attached-routes.ts";
import { splitItemKey, type ItemStates } from "./item-states.ts";
import { kept, withoutGaps } from "./lists.ts";
import type { AnyRoute, Resources } from "./resources.ts";

export interface RouteStatusInputs {
  readonly resources: Resources;
  readonly attached: Collection<AttachedRoute>;
  readonly virtualHosts: Collection<VirtualHost>;
  readonly serverNames: Collection<ServerName>;
  readonly itemStates: ItemStates;
}

/** Two collections: what the first says of a route, because a proxy refused it, comes before what the second says. */
export function routeStatuses(
  graph: Graph,
  inputs: RouteStatusInputs,
): readonly [Collection<ObjectStatus>, Collection<ObjectStatus>] {
  const { resources, attached } = inputs;
  const refusals = refusedRoutes(graph, inputs);
  const ofRefused = graph.derive("statuses of refused routes", refusals, (refusal, read, key) => {
    const route = read.one(resources.routes, key);
    const parents = read.one(attached, key)?.parents;
    return route && parents ? statusesOf(route, key, parents, refusal) : [];
  });
  const ofAll = graph.derive("route statuses", attached, ({ parents }, read, key) => {
    const route = read.one(resources.routes, key);
    return route ? statusesOf(route, key, parents) : [];
  });
  return [ofRefused, ofAll];
}

/** One per controller name: a route may have parents of two classes of ours with different names. */
function statusesOf(
  route: AnyRoute,
  key: string,
  parents: readonly AttachedParent[],
  refusal?: Verdict,
): (readonly [string, ObjectStatus])[] {
  const names = parents.length > 1 ? new Set(parents.map(({ controllerName }) => controllerName)) : undefined;
  return [...(names ?? [parents[0]!.controllerName])].map((controllerName) => {
    const own = kept(parents, (parent) => parent.controllerName === controllerName);
    const entries = own.map(({ ref, accepted, translation }) => ({
      ref,
      conditions: withoutGaps([accepted, translation?.resolvedRefs, translation?.partiallyInvalid, refusal]),
    }));
    return statusEntry(objectStatus(route, { shape: "parents", controllerName, entries }, key));
  });
}

/** What a proxy refused stands on the routes that it was made of, in the proxy's own words. Key: the route's. */
function refusedRoutes(graph: Graph, inputs: RouteStatusInputs): Collection<Verdict> {
  const { itemStates, virtualHosts, serverNames } = inputs;
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
    const hostname = key.slice(key.lastIndexOf("|") + 1);
    const message = `the proxy refused hostname ${hostname}: ${state.message}`;
    return [...routes].map((route) => [route, verdict("Programmed", "False", "Invalid", message)] as const);
  });
}

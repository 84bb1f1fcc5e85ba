import type { Collection, Graph } from "../incremental/index.ts";
import type { RouteRule, ServerName, VirtualHost } from "../model/index.ts";
import {
  objectStatus,
  statusEntry,
  verdict,
  type ObjectStatus,
  type ParentEntry,
  type Verdict,
} from "../status/index.ts";
import type { AttachedRoute, RouteVerdicts } from "./attached-routes.ts";
import { splitItemKey, type ItemStates } from "./item-states.ts";
import type { Resources } from "./resources.ts";

export interface RouteStatusInputs {
  readonly resources: Resources;
  readonly attached: Collection<AttachedRoute>;
  readonly verdicts: Collection<RouteVerdicts>;
  readonly virtualHosts: Collection<VirtualHost>;
  readonly serverNames: Collection<ServerName>;
  readonly itemStates: ItemStates;
}

export function routeStatuses(graph: Graph, inputs: RouteStatusInputs): Collection<ObjectStatus> {
  const { resources, attached, verdicts } = inputs;
  const parentsByRoute = graph.index("attached routes by route", attached, ({ parent }) => [parent.route]);
  const refusals = refusedRoutes(graph, inputs);
  return graph.derive("route statuses", resources.routes, (route, read, key) => {
    const parents = read.all(parentsByRoute, key);
    const refusal = parents.length > 0 ? read.one(refusals, key) : undefined;
    const entries = new Map<string, ParentEntry[]>();
    for (const { parent, translation, accepted } of parents) {
      const content = read.one(verdicts, translation);
      const conditions = [accepted, content?.resolvedRefs, content?.partiallyInvalid, refusal];
      // By controller name: a route may have parents of two classes of ours with different names.
      const list = entries.get(parent.controllerName) ?? [];
      list.push({
        ref: parent.ref,
        conditions: conditions.filter((one): one is Verdict => one !== undefined),
      });
      entries.set(parent.controllerName, list);
    }
    return [...entries].map(([controllerName, list]) =>
      statusEntry(objectStatus(route, { shape: "parents", controllerName, entries: list })),
    );
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

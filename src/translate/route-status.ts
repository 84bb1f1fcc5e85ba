import type { Collection, Graph } from "../incremental/index.ts";
import { objectStatus, statusEntry, type ObjectStatus, type Verdict } from "../status/index.ts";
import type { AttachedParent, AttachedRoute } from "./attached-routes.ts";
import { kept, withoutGaps } from "./lists.ts";
import { refusalOfBackends, type Refusals } from "./refused-routes.ts";
import type { AnyRoute, Resources } from "./resources.ts";

export interface RouteStatusInputs {
  readonly resources: Resources;
  readonly attached: Collection<AttachedRoute>;
  readonly refusals: Refusals;
}

/** Two collections: what the first says of a route, because a proxy refused what it became, comes before what the second says. */
export function routeStatuses(
  graph: Graph,
  inputs: RouteStatusInputs,
): readonly [Collection<ObjectStatus>, Collection<ObjectStatus>] {
  const { resources, attached, refusals } = inputs;
  const ofRefused = graph.derive("statuses of refused routes", refusals.routes, (refusal, read, key) => {
    const route = read.one(resources.routes, key);
    const parents = read.one(attached, key)?.parents;
    return route && parents ? statusesOf(route, key, parents, () => refusal) : [];
  });
  const ofAll = graph.derive("route statuses", attached, ({ parents }, read, key) => {
    const route = read.one(resources.routes, key);
    return route
      ? statusesOf(route, key, parents, (parent) => refusalOfBackends(parent, read, refusals))
      : [];
  });
  return [ofRefused, ofAll];
}

/** One per controller name: a route may have parents of two classes of ours with different names. */
function statusesOf(
  route: AnyRoute,
  key: string,
  parents: readonly AttachedParent[],
  refusalFor: (parent: AttachedParent) => Verdict | undefined,
): (readonly [string, ObjectStatus])[] {
  const names = parents.length > 1 ? new Set(parents.map(({ controllerName }) => controllerName)) : undefined;
  return [...(names ?? [parents[0]!.controllerName])].map((controllerName) => {
    const own = kept(parents, (parent) => parent.controllerName === controllerName);
    const entries = own.map((parent) => {
      const { ref, accepted, translation } = parent;
      // Spec: PartiallyInvalid is not said of a route that is not accepted.
      const partly = accepted.status === "True" ? translation?.partiallyInvalid : undefined;
      const said = [accepted, translation?.resolvedRefs, partly, refusalFor(parent)];
      return { ref, conditions: withoutGaps(said) };
    });
    return statusEntry(objectStatus(route, { shape: "parents", controllerName, entries }, key));
  });
}

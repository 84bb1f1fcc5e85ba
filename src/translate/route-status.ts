import type { Collection, Graph } from "../incremental/index.ts";
import { objectStatus, statusEntry, type ObjectStatus, type Verdict } from "../status/index.ts";
import type { AttachedParent, AttachedRoute } from "./attached-routes.ts";
import { kept, none, withoutGaps } from "./lists.ts";
import { refusalOfBackends, type Refusals } from "./refused-routes.ts";
import type { AnyRoute, Resources } from "./resources.ts";
import type { TranslateSettings } from "./settings.ts";
import { writersOf } from "./status-writers.ts";

export interface RouteStatusInputs {
  readonly resources: Resources;
  readonly attached: Collection<AttachedRoute>;
  readonly refusals: Refusals;
  readonly settings: TranslateSettings;
}

/** What an earlier collection says of a route, such as that a proxy refused what it became, comes before what a later one says. */
export function routeStatuses(graph: Graph, inputs: RouteStatusInputs): readonly Collection<ObjectStatus>[] {
  const { resources, attached, refusals, settings } = inputs;
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
  // Spec: entries of ours that are no longer needed are cleaned up, also those that a route lost while nobody looked. Others who serve
  // one Gateway alone may have the same name, and what they wrote is theirs.
  const ofFormer = settings.singleGateway
    ? []
    : [
        graph.derive("statuses of former routes", resources.routes, (route, read, key) => {
          const writers = writersOf(route.status).filter((name) => settings.controllerNames.includes(name));
          const parents = writers.length > 0 ? (read.one(attached, key)?.parents ?? none) : none;
          const former = new Set(
            writers.filter((name) => !parents.some((one) => one.controllerName === name)),
          );
          return [...former].map((controllerName) =>
            statusEntry(objectStatus(route, { shape: "parents", controllerName, entries: none }, key)),
          );
        }),
      ];
  return [ofRefused, ofAll, ...ofFormer];
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

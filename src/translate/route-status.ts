import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import { objectStatus, verdict, type ObjectStatus, type ParentEntry, type Verdict } from "../status/index.ts";
import type { AttachedRoute } from "./attached-routes.ts";
import { itemKey, type ItemStates } from "./item-states.ts";
import type { Resources } from "./resources.ts";
import type { RouteTranslation } from "./route-translation.ts";

export interface RouteStatusInputs {
  readonly resources: Resources;
  readonly attached: Collection<AttachedRoute>;
  readonly translations: Collection<RouteTranslation>;
  readonly itemStates: ItemStates;
}

export function routeStatuses(graph: Graph, inputs: RouteStatusInputs): Collection<ObjectStatus> {
  const parentsByRoute = graph.index("attached routes by route", inputs.attached, ({ parent }) => [
    parent.route,
  ]);
  const contentVerdicts = graph.map(
    "route content verdicts",
    inputs.translations,
    ({ resolvedRefs, partiallyInvalid }) => ({
      resolvedRefs,
      partiallyInvalid,
    }),
  );
  return graph.derive("route statuses", inputs.resources.routes, (route, read, key) => {
    const entries = entriesOf(key, read, parentsByRoute, contentVerdicts, inputs.itemStates);
    if (entries.size === 0) return [];
    return [...entries].map(([controllerName, list]): [string, ObjectStatus] => {
      const status = objectStatus(route, { shape: "parents", controllerName, entries: list });
      return [`${status.key}|${controllerName}`, status];
    });
  });
}

type ContentVerdicts = Pick<RouteTranslation, "resolvedRefs" | "partiallyInvalid">;

/** By controller name: a route may have parents of two classes of ours with different names. */
function entriesOf(
  route: string,
  read: Read,
  parentsByRoute: Index<AttachedRoute>,
  contentVerdicts: Collection<ContentVerdicts>,
  itemStates: ItemStates,
): ReadonlyMap<string, ParentEntry[]> {
  const entries = new Map<string, ParentEntry[]>();
  for (const attached of read.all(parentsByRoute, route)) {
    const { parent, translation, accepted } = attached;
    const content = read.one(contentVerdicts, translation);
    const conditions: Verdict[] = [accepted];
    if (content) conditions.push(content.resolvedRefs);
    if (content?.partiallyInvalid) conditions.push(content.partiallyInvalid);
    const refused = refusalBy(attached, read, itemStates);
    if (refused) conditions.push(refused);
    const list = entries.get(parent.controllerName) ?? [];
    list.push({ ref: parent.ref, conditions });
    entries.set(parent.controllerName, list);
  }
  return entries;
}

/** What a proxy refused stands on the route that asked for it, in the proxy's own words. */
function refusalBy({ attachments }: AttachedRoute, read: Read, itemStates: ItemStates): Verdict | undefined {
  for (const { listener, hostnames } of attachments) {
    for (const hostname of hostnames) {
      for (const kind of ["virtualHosts", "serverNames"] as const) {
        const state = read.one(itemStates, itemKey(kind, `${listener}|${hostname}`));
        if (state?.type === "refused") {
          return verdict(
            "Programmed",
            "False",
            "Invalid",
            `the proxy refused hostname ${hostname}: ${state.message}`,
          );
        }
      }
    }
  }
  return undefined;
}

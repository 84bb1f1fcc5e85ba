/* What became of the objects of layers, told to each layer, which knows how its own kind says so. */
import type { Collection, Graph } from "../incremental/index.ts";
import type { ObjectName } from "../model/index.ts";
import type { ObjectStatus } from "../status/index.ts";
import type { AttachedParent, AttachedRoute } from "./attached-routes.ts";
import type { ItemStates } from "./item-states.ts";
import { listenerOutcomes, type LayerSections } from "./layer-sections.ts";
import type { GatewayAddress, Layer, LayerListener, LayerRoute, Remark, RouteOutcome } from "./layers.ts";
import type { ResolvedSection } from "./listeners.ts";
import { refusalOfBackends, type Refusals } from "./refused-routes.ts";

export interface LayerResults {
  readonly routes: Collection<LayerRoute>;
  readonly listeners: Collection<LayerListener>;
  readonly attached: Collection<AttachedRoute>;
  readonly added: LayerSections;
  readonly resolved: Collection<ResolvedSection>;
  readonly addresses: Collection<readonly GatewayAddress[]>;
  readonly refusals: Refusals;
  readonly itemStates: ItemStates;
}

export interface ConcludedLayers {
  readonly statuses: readonly Collection<ObjectStatus>[];
  readonly remarks: Collection<Remark>;
}

export function concludeLayers(
  graph: Graph,
  layers: readonly Layer[],
  results: LayerResults,
): ConcludedLayers {
  const { routes, listeners, attached, added, resolved, addresses, refusals, itemStates } = results;
  const routeOutcomes = graph.map("layer route outcomes", routes, (route, read, key) => {
    const parent = read.one(attached, key)?.parents[0];
    if (!parent) return undefined;
    const refusal =
      read.one(refusals.routes, keyOf(route.source)) ?? refusalOfBackends(parent, read, refusals);
    return outcomeOf(route, parent, refusal?.message);
  });
  const outcome = {
    routes: graph.index("layer routes by object", routeOutcomes, ({ source }) => [keyOf(source)]),
    listeners: graph.index(
      "layer listeners by object",
      listenerOutcomes(graph, listeners, { added, resolved, itemStates }),
      ({ source }) => [keyOf(source)],
    ),
    addresses,
  };
  const conclusions = layers.map((layer) => layer.conclude(outcome));
  return {
    statuses: conclusions.map(({ statuses }) => statuses),
    remarks: graph.union(
      "remarks",
      conclusions.flatMap(({ remarks }) => remarks ?? []),
    ),
  };
}

function outcomeOf(
  { key, source, gateway, route }: LayerRoute,
  { accepted, translation }: AttachedParent,
  refusal: string | undefined,
): RouteOutcome {
  const { resolvedRefs, partiallyInvalid } = translation ?? {};
  const isStream = route.kind !== "HTTPRoute";
  return { key, isStream, source, gateway, accepted, resolvedRefs, partiallyInvalid, refusal };
}

function keyOf({ kind, namespace, name }: ObjectName): string {
  return `${kind}/${namespace}/${name}`;
}

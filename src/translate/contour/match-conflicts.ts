/*
 * `listenerPolicy: contour`: two rules with the same match on the same hostname. The first in the API's order (the oldest route) serves; the other
 * one's route is told, and is not accepted if nothing of it is left.
 */
import type { Collection, Graph, Index } from "../../incremental/index.ts";
import type { RequestMatch, Rule, VirtualHost } from "../../model/index.ts";

/** How a route fares on one hostname of a port. */
export interface RouteStanding {
  readonly matches: number;
  /** Those of which another route's serves. */
  readonly lost: number;
  /** Keys of the routes that serve instead. */
  readonly winners: readonly string[];
}

/** By the route's key: `<Kind>/<namespace>/<name>`. */
export type RouteStandings = Index<RouteStanding>;

export function routeStandings(graph: Graph, hosts: Collection<VirtualHost>): RouteStandings {
  const standings = graph.derive("standings of routes", hosts, ({ key, rules }) =>
    [...standingsOn(rules)].map(([route, standing]) => [`${key}|${route}`, { route, ...standing }] as const),
  );
  return graph.index("standings by route", standings, ({ route }) => [route]);
}

function standingsOn(rules: readonly Rule[]): ReadonlyMap<string, RouteStanding> {
  const owners = new Map<string, string>();
  const standings = new Map<string, RouteStanding>();
  for (const rule of rules) {
    const route = routeOf(rule);
    const match = matchKey(rule.match);
    const owner = owners.get(match) ?? route;
    owners.set(match, owner);
    const { matches, lost, winners } = standings.get(route) ?? { matches: 0, lost: 0, winners: [] };
    const isLost = owner !== route;
    standings.set(route, {
      matches: matches + 1,
      lost: lost + (isLost ? 1 : 0),
      winners: isLost && !winners.includes(owner) ? [...winners, owner] : winners,
    });
  }
  return standings;
}

function routeOf({ action }: Rule): string {
  const { kind, namespace, name } = action.route;
  return `${kind}/${namespace}/${name}`;
}

function matchKey({ path, method, headers, queryParams }: RequestMatch): string {
  const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted();
  return JSON.stringify([path.type, path.value, method, sorted(headers), sorted(queryParams)]);
}

/*
 * Spec: where an HTTPRoute and a GRPCRoute attach to one listener with hostnames that overlap, exactly one of
 * the two is accepted: the older one.
 *
 * Whether a route yields depends on older rivals, and whether those stand depends on still older ones: the question is
 * answered by following rivals back in time, which ends because ages only fall. A claim is found by its hostname, and by each
 * wildcard above it, so that only rivals that really overlap are ever looked at.
 */
import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import { hostnameCandidates } from "../model/index.ts";
import { joined } from "./lists.ts";
import { ageOf, compareAge, type Aged } from "./object-age.ts";
import type { AnyRoute, Resources } from "./resources.ts";
import type { Attachment, RouteParent } from "./route-parents.ts";

interface Claim {
  readonly route: string;
  readonly kind: "HTTPRoute" | "GRPCRoute";
  readonly section: string;
  readonly age: Aged;
  readonly hostnames: readonly string[];
}

export interface RouteKindConflicts {
  /** The route that keeps the hostname, if the given one has to yield on that section. */
  winnerOver(read: Read, route: string, section: string): string | undefined;
}

/** `isServable`: whether the Gateway can serve any of what a route says. One that is refused for that keeps no hostname from others. */
export function routeKindConflicts(
  graph: Graph,
  { routes }: Resources,
  parents: Collection<readonly RouteParent[]>,
  isServable: (read: Read, route: AnyRoute, gateway: string) => boolean,
): RouteKindConflicts {
  // Nearly all listeners have routes of one kind only: then there is nothing to weigh, and no claim is even made.
  const routesByKind = graph.count("routes by section and kind", parents, (list, route) => {
    const kind = kindOf(route);
    return kind ? attachmentsOf(list).map(({ section }) => `${kind}|${section}`) : [];
  });
  const kindsPresent = graph.map("route kinds by section", routesByKind, () => true as const);
  const contested = graph.derive("contested sections", kindsPresent, (_present, read, key) => {
    const section = key.slice("HTTPRoute|".length);
    const isContested = key.startsWith("HTTPRoute|") && read.one(kindsPresent, `GRPCRoute|${section}`);
    return isContested ? [[section, true] as const] : [];
  });

  const claims = graph.derive("hostname claims", parents, (list, read, key): [string, Claim][] => {
    const kind = kindOf(key);
    if (!kind) return [];
    return list.flatMap(({ gateway, attachments: all }) => {
      const attachments = all.filter(({ section }) => read.one(contested, section));
      const route = attachments.length > 0 ? read.one(routes, key) : undefined;
      if (!route || gateway === undefined || !isServable(read, route, gateway)) return [];
      const age = ageOf(route.metadata);
      return attachments.map(({ section, hostnames }): [string, Claim] => [
        `${section}|${key}`,
        { route: key, kind, section, age, hostnames },
      ]);
    });
  });
  const claimsByHostname = graph.index("claims by hostname", claims, ({ section, kind, hostnames }) => {
    const groups = new Set<string>();
    for (const hostname of hostnames) {
      groups.add(`${section}|${kind}|is|${hostname}`);
      for (const wildcard of hostnameCandidates(hostname)) groups.add(`${section}|${kind}|under|${wildcard}`);
    }
    return groups;
  });
  const winners = graph.map("route kind conflicts", claims, (claim, read) =>
    winnerOver(claim, read, claimsByHostname, new Map()),
  );
  return {
    winnerOver: (read, route, section) =>
      kindOf(route) && read.one(contested, section) ? read.one(winners, `${section}|${route}`) : undefined,
  };
}

function attachmentsOf(parents: readonly RouteParent[]): readonly Attachment[] {
  return joined(parents.map(({ attachments }) => attachments));
}

function kindOf(route: string): Claim["kind"] | undefined {
  if (route.startsWith("HTTPRoute/")) return "HTTPRoute";
  return route.startsWith("GRPCRoute/") ? "GRPCRoute" : undefined;
}

/** The oldest rival that stands, if there is one. */
function winnerOver(
  claim: Claim,
  read: Read,
  claimsByHostname: Index<Claim>,
  known: Map<string, string | undefined>,
): string | undefined {
  if (known.has(claim.route)) return known.get(claim.route);
  const rivals = rivalsOf(claim, read, claimsByHostname).toSorted((a, b) => compareAge(a.age, b.age));
  const winner = rivals.find(
    (rival) => winnerOver(rival, read, claimsByHostname, known) === undefined,
  )?.route;
  known.set(claim.route, winner);
  return winner;
}

function rivalsOf(claim: Claim, read: Read, claimsByHostname: Index<Claim>): Claim[] {
  const other = claim.kind === "HTTPRoute" ? "GRPCRoute" : "HTTPRoute";
  const rivals = new Map<string, Claim>();
  const look = (group: string) => {
    for (const rival of read.all(claimsByHostname, `${claim.section}|${other}|${group}`)) {
      if (compareAge(rival.age, claim.age) < 0) rivals.set(rival.route, rival);
    }
  };
  for (const hostname of claim.hostnames) {
    for (const candidate of hostnameCandidates(hostname)) look(`is|${candidate}`);
    if (hostname.startsWith("*")) look(`under|${hostname}`);
  }
  return [...rivals.values()];
}

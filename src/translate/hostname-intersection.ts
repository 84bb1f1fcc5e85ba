import { compareHostnames, matchesHostname } from "../model/index.ts";

/**
 * Spec: the hostnames of a route that a listener serves. `listener` is a hostname or `*`; a route without
 * hostnames takes the listener's. Of two that overlap, the more specific is what both mean.
 */
export function sharedHostnames(listener: string, route: readonly string[] | undefined): readonly string[] {
  if (route === undefined || route.length === 0) return [listener];
  const shared = new Set<string>();
  for (const hostname of route) {
    const both = intersectHostnames(listener, hostname.toLowerCase());
    if (both !== undefined) shared.add(both);
  }
  return [...shared];
}

/** Which hostname of a route `shared` comes from: the most specific that covers it; `*` for a route without any. */
export function ownHostname(shared: string, route: readonly string[] | undefined): string {
  const covering = (route ?? [])
    .map((hostname) => hostname.toLowerCase())
    .filter((one) => covers(one, shared));
  return covering.toSorted(compareHostnames)[0] ?? "*";
}

export function intersectHostnames(a: string, b: string): string | undefined {
  if (covers(a, b)) return b;
  return covers(b, a) ? a : undefined;
}

/** Whether every name that `specific` stands for is one that `general` stands for. */
function covers(general: string, specific: string): boolean {
  return specific === "*" ? general === "*" : matchesHostname(general, specific);
}

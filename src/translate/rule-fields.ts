// What the fields of a route are called: in its own words, or in those of the object that a layer made it from.

import type { RouteContext } from "./route-context.ts";

/** `spec.rules[0]`, or `spec.routes[0]` of an HTTPProxy */
export function ruleField({ layered }: RouteContext, rule: number): string {
  return layered?.fields?.[rule]?.rule ?? `spec.rules[${rule}]`;
}

/** `spec.rules[0].backendRefs[1]`, or `spec.routes[0].services[1]` of an HTTPProxy */
export function backendField(context: RouteContext, rule: number, backend: number): string {
  const known = context.layered?.fields?.[rule]?.backends[backend];
  return known ?? `${ruleField(context, rule)}.backendRefs[${backend}]`;
}

// Which of several rules that match a request decides.
//
// A rank is the hostname of its route, where that is wider than the one that is served, then a list of numbers that say how much a match
// asks for, then the age of its route, then its place in the route.
// Spec, HTTPRoute: an exact path, the longest prefix, a method, the most headers, the most query parameters. Regular
// expressions are left to us: they come after exact paths and before prefixes, longer ones first, because somebody who
// writes one beside a prefix means to take something out of it.
// Spec, GRPCRoute: the most characters of the service, then of the method, then the most headers. Regular expressions
// come after exact names and before none, for the same reason.
// The two kinds never meet: they cannot share a hostname on a listener. Where rules of a layer come between, all are weighed as HTTPRoute's.
//
// Rules that ask for the same: Gateway API before HTTPProxy before Ingress.

import { compareHostnames, type RequestMatch } from "../model/index.ts";
import type { GRPCRouteMatch } from "../resources/index.ts";
import { compareAge, type Aged } from "./object-age.ts";

export interface PrecedenceKey {
  /** The route's own, `*` for none, where it is wider than the one that is served. Spec: the narrower comes first, whatever is matched. */
  readonly hostname?: string;
  /** Compared one by one; the larger number comes first. */
  readonly weights: readonly number[];
  /** `layerRanks`; absent for the Gateway API. */
  readonly layer?: number;
  readonly age: Aged;
  /** Index of the rule in the route. */
  readonly rule: number;
  /** Index of the match in the rule. */
  readonly match: number;
}

/** Negative: `a` comes first. A total order: no two matches of all routes are equal. */
export function compareRules(a: PrecedenceKey, b: PrecedenceKey): number {
  return (
    compareOwnHostnames(a.hostname, b.hostname) ||
    compareWeights(a.weights, b.weights) ||
    (a.layer ?? 0) - (b.layer ?? 0) ||
    compareAge(a.age, b.age) ||
    a.rule - b.rule ||
    a.match - b.match
  );
}

function compareOwnHostnames(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  return compareHostnames(a, b);
}

function compareWeights(a: readonly number[], b: readonly number[]): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (b[i] ?? 0) - (a[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const pathRank = { exact: 2, regex: 1, prefix: 0 } as const;

export function httpWeights({ path, method, headers, queryParams }: RequestMatch): number[] {
  return [
    pathRank[path.type],
    path.value.length,
    method === undefined ? 0 : 1,
    headers.length,
    queryParams.length,
  ];
}

/** `headers` are those that count: repeated names have been left out. */
export function grpcWeights({ method }: GRPCRouteMatch, { headers }: RequestMatch): number[] {
  const { type = "Exact", service = "", method: name = "" } = method ?? {};
  const rank = (text: string) => (text === "" ? 0 : type === "Exact" ? 2 : 1);
  return [rank(service), service.length, rank(name), name.length, headers.length];
}

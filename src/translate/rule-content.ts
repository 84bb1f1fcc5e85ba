import type { RouteRule, Rule, WeightedBackend } from "../model/index.ts";
import type { ResolvedRef } from "./backend-refs.ts";
import type { BackendUse } from "./backend-use.ts";
import type { Refusal } from "./content-problems.ts";
import { withoutGaps } from "./lists.ts";
import type { RouteContext } from "./route-context.ts";
import type { PrecedenceKey } from "./rule-precedence.ts";

/** A rule of the model with what decides its place among others. */
export interface RankedRule {
  readonly rule: Rule;
  readonly rank: PrecedenceKey;
}

/** A rule of a TLSRoute, TCPRoute or UDPRoute. */
export interface StreamRule {
  readonly route: RouteRule;
  /** Where the bytes go as they came in. */
  readonly backends: readonly WeightedBackend[];
  /** Where they go after the gateway has ended TLS: the same, but policies may ask for TLS of the gateway's own. */
  readonly terminated: readonly WeightedBackend[];
}

/** What one rule of a route became. */
export interface RuleContent {
  readonly rules: readonly RankedRule[];
  readonly streams: readonly StreamRule[];
  /** Why it is dropped; empty: it is not. */
  readonly refusals: readonly Refusal[];
  /** All its references, those that are not used too. */
  readonly refs: readonly ResolvedRef[];
  /** What the model must carry for it. */
  readonly uses: readonly BackendUse[];
}

export function routeRule(
  { kind, namespace, name }: RouteContext,
  rule: number,
  ruleName?: string,
): RouteRule {
  return { kind, namespace, name, rule, ...(ruleName !== undefined && { ruleName }) };
}

export function usesOf(refs: readonly ResolvedRef[]): readonly BackendUse[] {
  return withoutGaps(refs.map(({ use }) => use));
}

// Puts a rule of an HTTPRoute or GRPCRoute together, from its matches, filters and backends.
//
// Spec: a rule that is wrong anywhere is dropped as a whole. The exception is a rule with a filter that protects what is behind it
// and cannot be had: its matches stay and are answered with an error, so that nothing falls through to a rule without that filter.

import type { HttpBackend, RequestMatch, Rewrite, RuleAction } from "../model/index.ts";
import { errorTarget } from "./backend-refs.ts";
import type { Refusal } from "./content-problems.ts";
import type { TranslatedFilters } from "./http-filters.ts";
import { layerRanks } from "./layers.ts";
import { joined, kept, none, withoutGaps } from "./lists.ts";
import type { Aged } from "./object-age.ts";
import type { RouteContext } from "./route-context.ts";
import type { RuleBackend } from "./rule-backends.ts";
import { routeRule, usesOf, type RankedRule, type RuleContent } from "./rule-content.ts";
import { withSession, type ResolvedSession } from "./rule-sessions.ts";

export interface RuleParts {
  readonly age: Aged;
  /** Index of the rule in the route. */
  readonly index: number;
  readonly name: string | undefined;
  readonly protocol: RuleAction["protocol"];
  readonly matches: readonly RuleMatch[];
  readonly filters: TranslatedFilters;
  readonly backends: readonly RuleBackend[];
  readonly session: ResolvedSession;
  readonly rest: Pick<
    RuleAction,
    "timeouts" | "redirect" | "retry" | "clientAddresses" | "rateLimit" | "maxBodySize"
  >;
  /** The whole rule must not serve, and why. */
  readonly blocked?: string | undefined;
  /** Of what is in `rest`, and of the parts together. */
  readonly refusals: readonly Refusal[];
}

export interface RuleMatch {
  readonly match: RequestMatch;
  /** How much it asks for. */
  readonly weights: readonly number[];
  readonly refusals: readonly Refusal[];
}

export function assembleRule(context: RouteContext, parts: RuleParts): RuleContent {
  const { matches, filters, backends, session } = parts;
  const refusals = joined([
    ...matches.map((match) => match.refusals),
    filters.refusals,
    ...backends.map((backend) => backend.refusals),
    session.refusals,
    parts.refusals,
  ]);
  const refs = joined([filters.refs, ...backends.map((backend) => backend.refs)]);
  const blocked =
    filters.effects.blocked ?? backends.find((backend) => backend.blocksRule)?.blocksRule ?? parts.blocked;
  if (blocked !== undefined) {
    const action = blockedAction(context, parts, blocked);
    return { rules: rankedRules(context, parts, () => action), streams: none, refusals, refs, uses: none };
  }
  if (refusals.length > 0) return { rules: none, streams: none, refusals, refs, uses: none };
  const actionFor = withSession(actionOf(context, parts), session);
  const uses = joined([usesOf(filters.refs), ...backends.map((backend) => backend.uses)]);
  return { rules: rankedRules(context, parts, actionFor), streams: none, refusals, refs, uses };
}

function rankedRules(
  { kind, namespace, name, layered }: RouteContext,
  { age, index, matches }: RuleParts,
  actionFor: (path: RequestMatch["path"]) => RuleAction,
): readonly RankedRule[] {
  const route = layered?.key ?? `${kind}/${namespace}/${name}`;
  const layer = layered && { layer: layerRanks[layered.layer] };
  const ranked = matches.map(({ match, weights, refusals }, i) => {
    if (refusals.length > 0) return undefined;
    const key = `${route}/${index}/${i}`;
    return {
      rule: { key, match, action: actionFor(match.path) },
      rank: { weights, ...layer, age, rule: index, match: i },
    };
  });
  return withoutGaps(ranked);
}

function actionOf(context: RouteContext, parts: RuleParts): RuleAction {
  const { index, name, protocol, filters, backends, rest } = parts;
  const { blocked: _, rewrite, ...effects } = filters.effects;
  const all = backends.map(({ backend }) => backend);
  const weighty = kept(all, ({ weight }) => weight > 0);
  const targets = protocol === "grpc" ? unavailableToCalls(weighty) : weighty;
  return {
    route: routeRule(context, index, name),
    protocol,
    ...effects,
    ...placeRewrites(rewrite, targets),
    ...rest,
  };
}

/** Spec, GRPCRouteRule.backendRefs: calls that would go to a backend which cannot be had get UNAVAILABLE. */
function unavailableToCalls(backends: readonly HttpBackend[]): readonly HttpBackend[] {
  if (backends.length === 0) {
    return [{ weight: 1, target: { type: "error", status: 503, reason: "the rule has no backends" } }];
  }
  return backends.map((backend) =>
    backend.target.type === "error" ? { ...backend, target: { ...backend.target, status: 503 } } : backend,
  );
}

function blockedAction(
  context: RouteContext,
  { index, name, protocol }: RuleParts,
  reason: string,
): RuleAction {
  const backends = [{ weight: 1, target: errorTarget(reason) }];
  return { route: routeRule(context, index, name), protocol, mirrors: none, backends, timeouts: {} };
}

/**
 * Where a backend has a rewrite of its own, all of them get one that is complete (what a backend does not say comes from the rule),
 * and the rule has none: so nobody has to ask which of two comes first.
 */
function placeRewrites(
  rule: Rewrite | undefined,
  backends: readonly HttpBackend[],
): { readonly rewrite?: Rewrite; readonly backends: readonly HttpBackend[] } {
  if (backends.every(({ rewrite }) => rewrite === undefined))
    return { ...(rule && { rewrite: rule }), backends };
  return {
    backends: backends.map((backend) => {
      const rewrite = { ...rule, ...backend.rewrite };
      return Object.keys(rewrite).length > 0 ? { ...backend, rewrite } : backend;
    }),
  };
}

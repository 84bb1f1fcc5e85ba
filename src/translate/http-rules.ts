// One rule of an HTTPRoute: its matches, each a rule of the model of its own, and the action that they share.
//
// Spec: a rule that is wrong anywhere is dropped as a whole. The exception is a rule with a filter that protects what is behind it
// and cannot be had: its matches stay and are answered with an error, so that nothing falls through to a rule without that filter.

import type { HttpBackend, PathMatch, Rewrite, RuleAction, SessionPersistence } from "../model/index.ts";
import type { HTTPBackendRef, HTTPRouteRule } from "../resources/index.ts";
import { errorTarget, resolveBackendRef, type ResolvedRef } from "./backend-refs.ts";
import type { BackendUse } from "./backend-use.ts";
import { incompatible, lacks, unsupported, type Refusal } from "./content-problems.ts";
import { translateFilters, type FilterEffects } from "./http-filters.ts";
import { translateHttpMatch } from "./http-matches.ts";
import { translateRetry, translateTimeouts } from "./http-timeouts.ts";
import type { Aged } from "./object-age.ts";
import type { RouteContext } from "./route-context.ts";
import { routeRule, usesOf, type RankedRule, type RuleContent } from "./rule-content.ts";
import { httpWeights } from "./rule-precedence.ts";
import { resolveSession } from "./rule-sessions.ts";
import { cookiePath } from "./session-persistence.ts";

const everything = { path: { type: "PathPrefix", value: "/" } } as const;

export function translateHttpRule(
  context: RouteContext,
  age: Aged,
  rule: HTTPRouteRule,
  index: number,
): RuleContent {
  const field = `spec.rules[${index}]`;
  // Spec: no matches match every request.
  const given = rule.matches.length > 0 ? rule.matches : [everything];
  const matches = given.map((match, i) => translateHttpMatch(context, match, `${field}.matches[${i}]`));
  const [first] = matches;
  const prefix =
    matches.length === 1 && first?.match.path.type === "prefix" ? first.match.path.value : undefined;

  const filters = translateFilters(context, rule.filters ?? [], {
    field: `${field}.filters`,
    transport: "http",
    prefix,
  });
  const backends = (rule.backendRefs ?? []).map((ref, i) =>
    translateHttpBackend(context, ref, {
      field: `${field}.backendRefs[${i}]`,
      prefix,
      rule: filters.effects,
    }),
  );
  const timeouts = rule.timeouts && translateTimeouts(context, rule.timeouts, `${field}.timeouts`);
  const hasBackendTimeout = rule.timeouts?.backendRequest !== undefined;
  const retry =
    rule.retry && translateRetry(context, rule.retry, { field: `${field}.retry`, hasBackendTimeout });
  const session = resolveSession(context, rule.sessionPersistence, {
    rule: `${context.kind}/${context.namespace}/${context.name}/${index}`,
    field: `${field}.sessionPersistence`,
    targets: backends.flatMap(({ ref }) => ref.object ?? []),
  });

  const refusals = [
    ...matches.flatMap((match) => match.refusals),
    ...filters.refusals,
    ...backends.flatMap((backend) => backend.refusals),
    ...(timeouts?.refusals ?? []),
    ...(retry?.refusals ?? []),
    ...session.refusals,
  ];
  if (filters.effects.redirect && backends.length > 0) {
    refusals.push(
      incompatible(`${field}.filters`, "RequestRedirect answers by itself; remove it or the backendRefs"),
    );
  }
  const refs = [...filters.refs, ...backends.flatMap((backend) => backend.refs)];
  const route = routeRule(context, index, rule.name);
  const rank = (i: number) => ({ weights: httpWeights(matches[i]!.match), age, rule: index, match: i });
  const ranked = (actionFor: (path: PathMatch) => RuleAction) =>
    matches.flatMap(({ match, refusals: ofMatch }, i): RankedRule[] => {
      const key = `${context.kind}/${context.namespace}/${context.name}/${index}/${i}`;
      return ofMatch.length > 0
        ? []
        : [{ rule: { key, match, action: actionFor(match.path) }, rank: rank(i) }];
    });

  const blocked = filters.effects.blocked ?? backends.find((backend) => backend.blocksRule)?.blocksRule;
  if (blocked !== undefined) {
    const action: RuleAction = {
      route,
      protocol: "http",
      mirrors: [],
      backends: [{ weight: 1, target: errorTarget(blocked) }],
      timeouts: {},
    };
    return { rules: ranked(() => action), streams: [], refusals, refs, uses: [] };
  }
  if (refusals.length > 0) return { rules: [], streams: [], refusals, refs, uses: [] };

  const { blocked: _, rewrite, ...effects } = filters.effects;
  const action: RuleAction = {
    route,
    protocol: "http",
    ...effects,
    ...placeRewrites(
      rewrite,
      backends.flatMap(({ backend }) => (backend.weight > 0 ? [backend] : [])),
    ),
    timeouts: timeouts?.timeouts ?? {},
    ...(retry && { retry: retry.retry }),
  };
  const uses = [...usesOf(filters.refs), ...backends.flatMap((backend) => backend.uses)];
  return { rules: ranked(withSession(action, session.sessionFor)), streams: [], refusals, refs, uses };
}

/** All matches of a rule share one action, except that the path of a session's cookie is the match's own. */
export function withSession(
  action: RuleAction,
  sessionFor: ((path: string) => SessionPersistence) | undefined,
): (path: PathMatch) => RuleAction {
  if (!sessionFor) return () => action;
  const byPath = new Map<string, RuleAction>();
  return (match) => {
    const session = sessionFor(cookiePath(match));
    const known = byPath.get(session.path) ?? { ...action, session };
    byPath.set(session.path, known);
    return known;
  };
}

interface TranslatedBackend {
  readonly backend: HttpBackend;
  readonly ref: ResolvedRef;
  readonly refs: readonly ResolvedRef[];
  readonly uses: readonly BackendUse[];
  readonly refusals: readonly Refusal[];
  /** The whole rule must not serve, and why. */
  readonly blocksRule?: string;
}

interface BackendQuestion {
  /** `spec.rules[0].backendRefs[1]` */
  readonly field: string;
  readonly prefix: string | undefined;
  /** Of the filters of the rule. */
  readonly rule: FilterEffects;
}

function translateHttpBackend(
  context: RouteContext,
  backendRef: HTTPBackendRef,
  { field, prefix, rule }: BackendQuestion,
): TranslatedBackend {
  const { filters: given = [], weight } = backendRef;
  const ref = resolveBackendRef(context, { ref: backendRef, field, transport: "http" });
  if (given.length === 0) {
    const uses = weight > 0 ? usesOf([ref]) : [];
    return { backend: { weight, target: ref.target }, ref, refs: [ref], uses, refusals: [] };
  }
  const list = `${field}.filters`;
  const filters = translateFilters(context, given, { field: list, transport: "http", prefix });
  const { blocked, mirrors, ...effects } = filters.effects;
  const refusals = [
    ...lacks(context, "HTTPRouteBackendRequestHeaderModification", list),
    ...filters.refusals,
  ];
  const auth = given.findIndex(({ type }) => type === "ExternalAuth");
  if (auth >= 0)
    refusals.push(
      unsupported(`${list}[${auth}]`, "ExternalAuth is for rules; move it to the rule's filters"),
    );
  if (effects.redirect && rule.rewrite) {
    refusals.push(
      incompatible(list, "RequestRedirect cannot be combined with the rule's URLRewrite; keep one"),
    );
  }
  const backend: HttpBackend =
    blocked === undefined
      ? {
          weight,
          target: ref.target,
          ...effects,
          ...(mirrors.length > 0 && { mirrors }),
        }
      : { weight, target: errorTarget(blocked) };
  const refs = [ref, ...filters.refs];
  const uses = weight > 0 && blocked === undefined ? usesOf(refs) : [];
  const blocksRule = auth >= 0 ? { blocksRule: `${list}[${auth}]: requests cannot be authorised` } : {};
  return { backend, ref, refs, uses, refusals, ...blocksRule };
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

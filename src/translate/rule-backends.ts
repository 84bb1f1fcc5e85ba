// The backends of a rule of an HTTPRoute or GRPCRoute, each with its own filters.

import type { HttpBackend } from "../model/index.ts";
import type { BackendRef, HTTPRouteFilter } from "../resources/index.ts";
import { errorTarget, resolveBackendRef, type ResolvedRef } from "./backend-refs.ts";
import type { BackendUse } from "./backend-use.ts";
import { incompatible, lacks, unsupported, type Refusal } from "./content-problems.ts";
import { translateFilters, type FilterEffects, type FilterQuestion } from "./http-filters.ts";
import type { BackendExtras } from "./layers.ts";
import { none } from "./lists.ts";
import type { RouteContext } from "./route-context.ts";
import { usesOf } from "./rule-content.ts";

export interface RuleBackend {
  readonly backend: HttpBackend;
  readonly ref: ResolvedRef;
  /** With those of its filters. */
  readonly refs: readonly ResolvedRef[];
  /** What the model must carry for it; nothing without a weight. */
  readonly uses: readonly BackendUse[];
  readonly refusals: readonly Refusal[];
  /** The whole rule must not serve, and why. */
  readonly blocksRule?: string;
}

export interface RuleBackendQuestion extends FilterQuestion {
  /** Of the filters of the rule. */
  readonly rule: FilterEffects;
  readonly extras?: BackendExtras | undefined;
}

type FilteredRef = BackendRef & { readonly filters?: readonly HTTPRouteFilter[] };

/** `field` is the backend's: `spec.rules[0].backendRefs[1]`. */
export function translateRuleBackend(
  context: RouteContext,
  backendRef: FilteredRef,
  { field, transport, prefix, rule, extras }: RuleBackendQuestion,
): RuleBackend {
  const { filters: given = [], weight } = backendRef;
  const ref = resolveBackendRef(context, { ref: backendRef, field, transport, extras });
  if (given.length === 0) {
    const refs = [ref];
    const uses = weight > 0 ? usesOf(refs) : none;
    return { backend: { weight, target: ref.target }, ref, refs, uses, refusals: none };
  }
  const list = `${field}.filters`;
  const filters = translateFilters(context, given, { field: list, transport, prefix });
  const { blocked, mirrors, ...effects } = filters.effects;
  const refusals = [
    ...lacks(context, "HTTPRouteBackendRequestHeaderModification", list),
    ...filters.refusals,
  ];
  const auth = given.findIndex(({ type }) => type === "ExternalAuth");
  if (auth >= 0) {
    refusals.push(
      unsupported(`${list}[${auth}]`, "ExternalAuth is for rules; move it to the rule's filters"),
    );
  }
  if (effects.redirect && rule.rewrite) {
    refusals.push(
      incompatible(list, "RequestRedirect cannot be combined with the rule's URLRewrite; keep one"),
    );
  }
  const backend: HttpBackend =
    blocked === undefined
      ? { weight, target: ref.target, ...effects, ...(mirrors.length > 0 && { mirrors }) }
      : { weight, target: errorTarget(blocked) };
  const refs = [ref, ...filters.refs];
  const uses = weight > 0 && blocked === undefined ? usesOf(refs) : [];
  const blocksRule = auth >= 0 ? { blocksRule: `${list}[${auth}]: requests cannot be authorised` } : {};
  return { backend, ref, refs, uses, refusals, ...blocksRule };
}

// One rule of an HTTPRoute: its matches, each a rule of the model of its own, and the action that they share.

import type { HTTPRouteRule } from "../resources/index.ts";
import { incompatible } from "./content-problems.ts";
import { translateFilters } from "./http-filters.ts";
import { translateHttpMatch } from "./http-matches.ts";
import { translateRetry, translateTimeouts } from "./http-timeouts.ts";
import type { Aged } from "./object-age.ts";
import type { RouteContext } from "./route-context.ts";
import { backendField, ruleField } from "./rule-fields.ts";
import { translateExtras, withMatch, withOneLabel } from "./rule-extras.ts";
import { assembleRule } from "./rule-actions.ts";
import { translateRuleBackend } from "./rule-backends.ts";
import type { RuleContent } from "./rule-content.ts";
import { httpWeights } from "./rule-precedence.ts";
import { resolveSession } from "./rule-sessions.ts";

const everything = { path: { type: "PathPrefix", value: "/" } } as const;

export function translateHttpRule(
  context: RouteContext,
  age: Aged,
  rule: HTTPRouteRule,
  index: number,
): RuleContent {
  const field = ruleField(context, index);
  // Spec: no matches match every request.
  const given = rule.matches.length > 0 ? rule.matches : [everything];
  const extras = context.layered?.extras?.[index];
  const matches = given.map((match, i) => {
    const at = `${field}.matches[${i}]`;
    const translated = withMatch(context, translateHttpMatch(context, match, at), extras?.match, at);
    return { ...withOneLabel(context, translated), weights: httpWeights(translated.match) };
  });
  const [first] = matches;
  const isOnePrefix = matches.length === 1 && first?.match.path.type === "prefix";
  const prefix = isOnePrefix ? first.match.path.value : undefined;

  const transport = "http";
  const filters = translateFilters(context, rule.filters ?? [], {
    field: `${field}.filters`,
    transport,
    prefix,
  });
  const backends = (rule.backendRefs ?? []).map((ref, i) =>
    translateRuleBackend(context, ref, {
      field: backendField(context, index, i),
      transport,
      prefix,
      rule: filters.effects,
      extras: extras?.backends?.[i] ?? extras?.backend,
    }),
  );
  const { redirect } = filters.effects;
  const beyond = extras && translateExtras(context, extras, field);
  const timeouts = translateTimeouts(context, rule.timeouts ?? {}, `${field}.timeouts`);
  const hasBackendTimeout = rule.timeouts?.backendRequest !== undefined;
  const retry =
    rule.retry && translateRetry(context, rule.retry, { field: `${field}.retry`, hasBackendTimeout });
  const session = resolveSession(context, rule.sessionPersistence, { index, backends });
  const answersTwice =
    redirect && backends.length > 0
      ? [incompatible(`${field}.filters`, "RequestRedirect answers by itself; remove it or the backendRefs")]
      : [];
  return assembleRule(context, {
    age,
    index,
    name: rule.name,
    protocol: "http",
    matches,
    filters,
    backends,
    session,
    rest: {
      timeouts: { ...timeouts.timeouts, ...beyond?.timeouts },
      ...(retry && { retry: retry.retry }),
      ...beyond?.action,
      ...(redirect &&
        extras?.toSecurePort && { redirect: { ...redirect, port: context.gateway.securePort ?? 443 } }),
    },
    blocked: beyond?.blocked,
    refusals: [
      ...timeouts.refusals,
      ...(retry?.refusals ?? []),
      ...answersTwice,
      ...(beyond?.refusals ?? []),
    ],
  });
}

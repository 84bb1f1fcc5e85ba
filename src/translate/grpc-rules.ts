// One rule of a GRPCRoute. A gRPC method is a path, `/service/method`, and a call is an HTTP/2 request.

import type { PathMatch, RequestMatch } from "../model/index.ts";
import type { GRPCMethodMatch, GRPCRouteMatch, GRPCRouteRule } from "../resources/index.ts";
import { unsupported, type Refusal } from "./content-problems.ts";
import { translateFilters } from "./http-filters.ts";
import { judgeExpression, judgeHeaders, translateHeaders } from "./http-matches.ts";
import type { Aged } from "./object-age.ts";
import type { RouteContext } from "./route-context.ts";
import { backendField, ruleField } from "./rule-fields.ts";
import { assembleRule } from "./rule-actions.ts";
import { translateRuleBackend } from "./rule-backends.ts";
import type { RuleContent } from "./rule-content.ts";
import { grpcWeights } from "./rule-precedence.ts";
import { resolveSession } from "./rule-sessions.ts";

export function translateGrpcRule(
  context: RouteContext,
  age: Aged,
  rule: GRPCRouteRule,
  index: number,
): RuleContent {
  const field = ruleField(context, index);
  // Spec: no matches match every call.
  const given: readonly GRPCRouteMatch[] = rule.matches?.length ? rule.matches : [{}];
  const matches = given.map((match, i) => {
    const translated = translateGrpcMatch(match, `${field}.matches[${i}]`);
    return { ...translated, weights: grpcWeights(match, translated.match) };
  });
  const question = { transport: "grpc", prefix: undefined } as const;
  const filters = translateFilters(context, rule.filters ?? [], { ...question, field: `${field}.filters` });
  const backends = (rule.backendRefs ?? []).map((ref, i) =>
    translateRuleBackend(context, ref, {
      ...question,
      field: backendField(context, index, i),
      rule: filters.effects,
    }),
  );
  const session = resolveSession(context, rule.sessionPersistence, { index, backends });
  return assembleRule(context, {
    age,
    index,
    name: rule.name,
    protocol: "grpc",
    matches,
    filters,
    backends,
    session,
    rest: { timeouts: {} },
    refusals: [],
  });
}

export function translateGrpcMatch(
  { method, headers = [] }: GRPCRouteMatch,
  field: string,
): { readonly match: RequestMatch; readonly refusals: readonly Refusal[] } {
  const path = method ? translateMethod(method, `${field}.method`) : { path: anyCall, refusals: [] };
  return {
    match: { path: path.path, headers: translateHeaders(headers), queryParams: [] },
    refusals: [...path.refusals, ...judgeHeaders(headers, `${field}.headers`)],
  };
}

const anyCall: PathMatch = { type: "prefix", value: "/" };
const anyName = "[^/]+";

/** Spec: a service or method that is left out or empty is any. */
function translateMethod(
  { type, service = "", method = "" }: GRPCMethodMatch,
  field: string,
): { readonly path: PathMatch; readonly refusals: readonly Refusal[] } {
  if (service === "" && method === "") return { path: anyCall, refusals: [] };
  if (type === "Exact") {
    const refusals = [...judgeName(service, `${field}.service`), ...judgeName(method, `${field}.method`)];
    if (method === "") return { path: { type: "prefix", value: `/${service}` }, refusals };
    if (service === "") return { path: { type: "regex", value: `/${anyName}/${method}` }, refusals };
    return { path: { type: "exact", value: `/${service}/${method}` }, refusals };
  }
  if (type !== "RegularExpression") {
    return {
      path: anyCall,
      refusals: [unsupported(`${field}.type`, `${String(type)} is not a known type of match`)],
    };
  }
  // Each part is judged alone, so that neither can reach into the other.
  const part = (source: string) => (source === "" ? anyName : `(?:${source})`);
  const value = `/${part(service)}/${part(method)}`;
  const refusals = [
    ...(service === "" ? [] : judgeExpression(service, `${field}.service`)),
    ...(method === "" ? [] : judgeExpression(method, `${field}.method`)),
  ];
  // Together they may still be more than a proxy takes.
  return {
    path: { type: "regex", value },
    refusals: refusals.length > 0 ? refusals : judgeExpression(value, field),
  };
}

/** The names that protocol buffers have. What is no name could mean something in an expression. */
function judgeName(name: string, field: string): Refusal[] {
  const isName = name === "" || /^[A-Za-z0-9_.]+$/.test(name);
  return isName ? [] : [unsupported(field, `${JSON.stringify(name)} is not a name that gRPC can have`)];
}

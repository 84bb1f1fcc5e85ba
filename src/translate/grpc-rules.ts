// One rule of a GRPCRoute. A gRPC method is a path, `/service/method`, and a call is an HTTP/2 request.

import type { HttpBackend, PathMatch, RequestMatch, RuleAction } from "../model/index.ts";
import type { GRPCBackendRef, GRPCMethodMatch, GRPCRouteMatch, GRPCRouteRule } from "../resources/index.ts";
import { errorTarget, resolveBackendRef, type ResolvedRef } from "./backend-refs.ts";
import type { BackendUse } from "./backend-use.ts";
import { lacks, unsupported, type Refusal } from "./content-problems.ts";
import { translateFilters } from "./http-filters.ts";
import { judgeExpression, judgeHeaders, translateHeaders } from "./http-matches.ts";
import { withSession } from "./http-rules.ts";
import type { Aged } from "./object-age.ts";
import type { RouteContext } from "./route-context.ts";
import { routeRule, usesOf, type RankedRule, type RuleContent } from "./rule-content.ts";
import { grpcWeights } from "./rule-precedence.ts";
import { resolveSession } from "./rule-sessions.ts";

export function translateGrpcRule(
  context: RouteContext,
  age: Aged,
  rule: GRPCRouteRule,
  index: number,
): RuleContent {
  const field = `spec.rules[${index}]`;
  // Spec: no matches match every call.
  const given: readonly GRPCRouteMatch[] = rule.matches?.length ? rule.matches : [{}];
  const matches = given.map((match, i) => translateGrpcMatch(match, `${field}.matches[${i}]`));
  const filters = translateFilters(context, rule.filters ?? [], {
    field: `${field}.filters`,
    transport: "grpc",
    prefix: undefined,
  });
  const backends = (rule.backendRefs ?? []).map((ref, i) =>
    translateGrpcBackend(context, ref, `${field}.backendRefs[${i}]`),
  );
  const session = resolveSession(context, rule.sessionPersistence, {
    rule: `${context.kind}/${context.namespace}/${context.name}/${index}`,
    field: `${field}.sessionPersistence`,
    targets: backends.flatMap(({ ref }) => ref.object ?? []),
  });
  const refusals = [
    ...matches.flatMap((match) => match.refusals),
    ...filters.refusals,
    ...backends.flatMap((backend) => backend.refusals),
    ...session.refusals,
  ];
  const refs = [...filters.refs, ...backends.flatMap((backend) => backend.refs)];
  if (refusals.length > 0) return { rules: [], streams: [], refusals, refs, uses: [] };

  const { blocked, ...effects } = filters.effects;
  const shared = { route: routeRule(context, index, rule.name), protocol: "grpc", timeouts: {} } as const;
  const action: RuleAction =
    blocked === undefined
      ? {
          ...shared,
          ...effects,
          backends: backends.flatMap(({ backend }) => (backend.weight > 0 ? [backend] : [])),
        }
      : { ...shared, mirrors: [], backends: [{ weight: 1, target: errorTarget(blocked) }] };
  const actionFor = blocked === undefined ? withSession(action, session.sessionFor) : () => action;
  const rules = matches.map(({ match }, i): RankedRule => {
    const key = `${context.kind}/${context.namespace}/${context.name}/${index}/${i}`;
    const rank = { weights: grpcWeights(given[i]!, match), age, rule: index, match: i };
    return { rule: { key, match, action: actionFor(match.path) }, rank };
  });
  const uses =
    blocked === undefined ? [...usesOf(filters.refs), ...backends.flatMap((backend) => backend.uses)] : [];
  return { rules, streams: [], refusals, refs, uses };
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

interface TranslatedBackend {
  readonly backend: HttpBackend;
  readonly ref: ResolvedRef;
  readonly refs: readonly ResolvedRef[];
  readonly uses: readonly BackendUse[];
  readonly refusals: readonly Refusal[];
}

function translateGrpcBackend(
  context: RouteContext,
  backendRef: GRPCBackendRef,
  field: string,
): TranslatedBackend {
  const { filters: given = [], weight } = backendRef;
  const ref = resolveBackendRef(context, { ref: backendRef, field, transport: "grpc" });
  const list = `${field}.filters`;
  const filters = translateFilters(context, given, { field: list, transport: "grpc", prefix: undefined });
  const { blocked, mirrors, ...effects } = filters.effects;
  const missing = given.length > 0 ? lacks(context, "HTTPRouteBackendRequestHeaderModification", list) : [];
  const backend: HttpBackend =
    blocked === undefined
      ? { weight, target: ref.target, ...effects, ...(mirrors.length > 0 && { mirrors }) }
      : { weight, target: errorTarget(blocked) };
  const refs = [ref, ...filters.refs];
  const uses = weight > 0 && blocked === undefined ? usesOf(refs) : [];
  return { backend, ref, refs, uses, refusals: [...missing, ...filters.refusals] };
}

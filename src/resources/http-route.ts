import { duration, hostname, sectionName } from "./api-scalars.ts";
import { parseDuration } from "./duration.ts";
import { httpRouteFilters, type HTTPRouteFilter } from "./http-route-filter.ts";
import { httpRouteMatch, type HTTPRouteMatch } from "./http-route-match.ts";
import {
  backendRefFields,
  hasPortForService,
  parentRefs,
  portForServiceMessage,
} from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import {
  haveFewMatches,
  haveUniqueNames,
  totalMatchesMessage,
  uniqueRuleNamesMessage,
} from "./route-rules.ts";
import { array } from "./schema-collections.ts";
import { defaulted, experimental, object, optional, required } from "./schema-object.ts";
import { integer, oneOf } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";
import { sessionPersistence } from "./session-persistence.ts";

const httpBackendRef = object({ ...backendRefFields, filters: optional(httpRouteFilters) }).rule(
  portForServiceMessage,
  hasPortForService,
);
export type HTTPBackendRef = Infer<typeof httpBackendRef>;

const httpRouteTimeouts = object({
  request: optional(duration),
  backendRequest: optional(duration),
}).rule("backendRequest timeout cannot be longer than request timeout", ({ request, backendRequest }) => {
  const whole = parseDuration(request ?? "0s") ?? 0;
  // Zero means no limit.
  return whole === 0 || (parseDuration(backendRequest ?? "0s") ?? 0) <= whole;
});
export type HTTPRouteTimeouts = Infer<typeof httpRouteTimeouts>;

const httpRouteRetry = object({
  codes: optional(array(integer({ minimum: 400, maximum: 599 }), { unique: true })),
  attempts: optional(integer({ minimum: 1 })),
  backoff: optional(duration),
});
export type HTTPRouteRetry = Infer<typeof httpRouteRetry>;

const everything = { path: { type: "PathPrefix", value: "/" } } as const;

const httpRouteRule = object({
  name: optional(sectionName),
  matches: defaulted(array(httpRouteMatch, { maxItems: 64 }), [everything]),
  filters: optional(httpRouteFilters),
  backendRefs: optional(array(httpBackendRef, { maxItems: 16 })),
  timeouts: optional(httpRouteTimeouts),
  retry: experimental(optional(httpRouteRetry)),
  sessionPersistence: experimental(optional(sessionPersistence)),
})
  .rule(
    "RequestRedirect filter must not be used together with backendRefs",
    ({ backendRefs = [], filters = [] }) =>
      backendRefs.length === 0 || filters.every((filter) => filter.requestRedirect === undefined),
  )
  .rule(
    "When using RequestRedirect filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
    ({ filters = [], matches }) => !existsOne(filters, redirectsPrefix) || isOnePrefix(matches),
  )
  .rule(
    "When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
    ({ filters = [], matches }) => !existsOne(filters, rewritesPrefix) || isOnePrefix(matches),
  )
  .rule(
    "Within backendRefs, when using RequestRedirect filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
    ({ backendRefs = [], matches }) =>
      !existsOne(backendRefs, ({ filters = [] }) => existsOne(filters, redirectsPrefix)) ||
      isOnePrefix(matches),
  )
  .rule(
    "Within backendRefs, When using URLRewrite filter with path.replacePrefixMatch, exactly one PathPrefix match must be specified",
    ({ backendRefs = [], matches }) =>
      !existsOne(backendRefs, ({ filters = [] }) => existsOne(filters, rewritesPrefix)) ||
      isOnePrefix(matches),
  );
export type HTTPRouteRule = Infer<typeof httpRouteRule>;

const redirectsPrefix = ({ requestRedirect }: HTTPRouteFilter) =>
  requestRedirect?.path?.type === "ReplacePrefixMatch";
const rewritesPrefix = ({ urlRewrite }: HTTPRouteFilter) => urlRewrite?.path?.type === "ReplacePrefixMatch";

/** CEL's exists_one, which the API's rules are written with: exactly one, so two or more escape the rule. */
function existsOne<T>(items: readonly T[], holds: (item: T) => boolean): boolean {
  let count = 0;
  for (const item of items) if (holds(item)) count++;
  return count === 1;
}

function isOnePrefix(matches: readonly HTTPRouteMatch[]): boolean {
  return matches.length === 1 && matches[0]?.path.type === "PathPrefix";
}

const httpRouteSpec = object({
  parentRefs: optional(parentRefs),
  useDefaultGateways: experimental(optional(oneOf(["All", "None"]))),
  hostnames: optional(array(hostname, { maxItems: 16 })),
  rules: defaulted(
    array(httpRouteRule, { minItems: 1, maxItems: 16 })
      .rule(totalMatchesMessage, haveFewMatches)
      .rule(uniqueRuleNamesMessage, haveUniqueNames, { experimental: true }),
    [{ matches: [everything] }],
  ),
});
export type HTTPRouteSpec = Infer<typeof httpRouteSpec>;

export const httpRoute = namespaced("HTTPRoute", { spec: required(httpRouteSpec) });
export type HTTPRoute = Infer<typeof httpRoute>;

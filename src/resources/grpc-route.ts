import { hostname, httpHeaderName, sectionName } from "./api-scalars.ts";
import { httpHeaderFilter, httpRequestMirrorFilter, membersByType, usedOnce } from "./header-filter.ts";
import {
  backendRefFields,
  hasPortForService,
  localObjectReference,
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
import { oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";
import { sessionPersistence } from "./session-persistence.ts";

const matchType = oneOf(["Exact", "RegularExpression"]);
const serviceName = /^\.?[a-z_][a-z_0-9]*(\.[a-z_][a-z_0-9]*)*$/i;
const methodName = /^[A-Za-z_][A-Za-z_0-9]*$/;

const grpcMethodMatch = object({
  type: defaulted(matchType, "Exact"),
  service: optional(string({ maxLength: 1024 })),
  method: optional(string({ maxLength: 1024 })),
})
  .rule(
    "One or both of 'service' or 'method' must be specified",
    ({ service, method }) => service !== undefined || method !== undefined,
  )
  .rule(
    "service must only contain valid characters (matching ^(?i)\\.?[a-z_][a-z_0-9]*(\\.[a-z_][a-z_0-9]*)*$)",
    ({ type, service }) =>
      type !== "Exact" || service === undefined || serviceName.test(service) || ["service"],
  )
  .rule(
    "method must only contain valid characters (matching ^[A-Za-z_][A-Za-z_0-9]*$)",
    ({ type, method }) => type !== "Exact" || method === undefined || methodName.test(method) || ["method"],
  );
export type GRPCMethodMatch = Infer<typeof grpcMethodMatch>;

const grpcHeaderMatch = object({
  type: defaulted(matchType, "Exact"),
  name: required(httpHeaderName),
  value: required(string({ minLength: 1, maxLength: 4096 })),
});
export type GRPCHeaderMatch = Infer<typeof grpcHeaderMatch>;

const grpcRouteMatch = object({
  method: optional(grpcMethodMatch),
  headers: optional(array(grpcHeaderMatch, { maxItems: 16, mapKeys: ["name"] })),
});
export type GRPCRouteMatch = Infer<typeof grpcRouteMatch>;

const filterTypes = [
  "ResponseHeaderModifier",
  "RequestHeaderModifier",
  "RequestMirror",
  "ExtensionRef",
] as const;
export type GRPCRouteFilterType = (typeof filterTypes)[number];

const grpcRouteFilter = membersByType(
  object({
    type: required(oneOf(filterTypes)),
    requestHeaderModifier: optional(httpHeaderFilter),
    responseHeaderModifier: optional(httpHeaderFilter),
    requestMirror: optional(httpRequestMirrorFilter),
    extensionRef: optional(localObjectReference),
  }),
  {
    RequestHeaderModifier: "requestHeaderModifier",
    ResponseHeaderModifier: "responseHeaderModifier",
    RequestMirror: "requestMirror",
    ExtensionRef: "extensionRef",
  },
);
export type GRPCRouteFilter = Infer<typeof grpcRouteFilter>;

const grpcRouteFilters = array(grpcRouteFilter, { maxItems: 16 })
  .rule("RequestHeaderModifier filter cannot be repeated", usedOnce("RequestHeaderModifier"))
  .rule("ResponseHeaderModifier filter cannot be repeated", usedOnce("ResponseHeaderModifier"));

const grpcBackendRef = object({ ...backendRefFields, filters: optional(grpcRouteFilters) }).rule(
  portForServiceMessage,
  hasPortForService,
);
export type GRPCBackendRef = Infer<typeof grpcBackendRef>;

const grpcRouteRule = object({
  name: optional(sectionName),
  matches: optional(array(grpcRouteMatch, { maxItems: 64 })),
  filters: optional(grpcRouteFilters),
  backendRefs: optional(array(grpcBackendRef, { maxItems: 16 })),
  sessionPersistence: experimental(optional(sessionPersistence)),
});
export type GRPCRouteRule = Infer<typeof grpcRouteRule>;

const grpcRouteSpec = object({
  parentRefs: optional(parentRefs),
  useDefaultGateways: experimental(optional(oneOf(["All", "None"]))),
  hostnames: optional(array(hostname, { maxItems: 16 })),
  rules: optional(
    array(grpcRouteRule, { maxItems: 16 })
      .rule(totalMatchesMessage, haveFewMatches)
      .rule(uniqueRuleNamesMessage, haveUniqueNames, { experimental: true }),
  ),
});
export type GRPCRouteSpec = Infer<typeof grpcRouteSpec>;

export const grpcRoute = namespaced("GRPCRoute", { spec: required(grpcRouteSpec) });
export type GRPCRoute = Infer<typeof grpcRoute>;

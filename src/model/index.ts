export type {
  Backend,
  BackendTarget,
  BackendTls,
  Endpoint,
  EndpointSet,
  HttpBackend,
  RetryBudget,
  SubjectAltName,
  WeightedBackend,
} from "./backend.ts";
export type { Certificate } from "./certificate.ts";
export { modelKinds, type ModelChanges, type ModelItems, type ModelKind } from "./changes.ts";
export type {
  CorsPolicy,
  ExternalAuth,
  HeaderChanges,
  HeaderValue,
  Mirror,
  PathChange,
  Redirect,
  Rewrite,
} from "./filter.ts";
export type { ClientValidation, Listener, ServerName, ServerNameAction, StreamRoute } from "./listener.ts";
export type { ObjectName, RouteRule } from "./object-name.ts";
export type {
  PathMatch,
  RequestMatch,
  Retry,
  Rule,
  RuleAction,
  SessionPersistence,
  Timeouts,
  ValueMatch,
} from "./rule.ts";
export type { VirtualHost } from "./virtual-host.ts";
export { allFeatures, features, type FeatureDefinition } from "./features.ts";
export { judgeCors, type CorsRequest, type CorsVerdict } from "./cors.ts";
export {
  HostTable,
  compareHostnames,
  hostnameCandidates,
  isAddressLiteral,
  matchesHostname,
  normalizeHost,
} from "./hostname.ts";
export {
  compileMatch,
  compileRules,
  explainMatch,
  type CompiledMatch,
  type MatchStep,
  type MatchableRequest,
} from "./matching.ts";
export { changePath } from "./path-change.ts";
export { redirectLocation, type RedirectedRequest } from "./redirect-location.ts";
export {
  compileRegularExpression,
  longestRegularExpression,
  parseRegularExpression,
  type RegularExpressionVerdict,
} from "./regular-expression.ts";
export {
  comparablePath,
  firstQueryValue,
  normalizePath,
  refusedPathPattern,
  type NormalizedTarget,
  type RefusedTarget,
} from "./request-path.ts";

export type {
  Backend,
  BackendTarget,
  BackendTls,
  Endpoint,
  EndpointSet,
  RetryBudget,
  SubjectAltName,
  WeightedBackend,
} from "./backend.ts";
export type { Certificate } from "./certificate.ts";
export {
  compileClientAddresses,
  encodeAddressRange,
  parseAddressRange,
  renderAddressRange,
  type AddressRange,
  type ClientAddresses,
  type CompiledClientAddresses,
} from "./client-addresses.ts";
export { modelKinds, perModelKind, type ModelChanges, type ModelItems, type ModelKind } from "./changes.ts";
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
export type { HealthCheck, StatusRange } from "./health-check.ts";
export type { HttpBackend } from "./http-backend.ts";
export type { ClientValidation, Listener, ServerName, ServerNameAction, StreamRoute } from "./listener.ts";
export type { HashBalancing, HashSource, LoadBalancing } from "./load-balancing.ts";
export type { ObjectName, RouteRule } from "./object-name.ts";
export { TokenBucket, type RateLimit } from "./rate-limit.ts";
export type {
  HeaderMatch,
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
export { assertionHolds, kindOfCharacter, none as beyondText } from "./regular-expression/assertions.ts";
export { connectionHeaders } from "./connection-headers.ts";
export { judgeCors, type CorsRequest, type CorsVerdict } from "./cors.ts";
export { grpcStatusName, grpcStatusOf, isGrpcContentType } from "./grpc-status.ts";
export {
  HostTable,
  compareHostnames,
  hostnameCandidates,
  isAddressLiteral,
  matchesHostname,
  normalizeHost,
} from "./hostname.ts";
export { explainMatch, type MatchStep } from "./match-explanation.ts";
export { compileMatch, type CompiledMatch, type MatchableRequest } from "./matching.ts";
export { changePath } from "./path-change.ts";
export { renderPathPattern } from "./path-pattern.ts";
export { redirectLocation, type RedirectedRequest } from "./redirect-location.ts";
export {
  compileRegularExpression,
  parseRegularExpression,
  programOfRegularExpression,
  type RegularExpressionVerdict,
  type TextTest,
} from "./regular-expression.ts";
export { MatchingEffort, MatchingTooCostly } from "./regular-expression/matching-effort.ts";
export { compileByteProgram, type ByteProgram } from "./regular-expression/byte-program.ts";
export {
  comparablePath,
  firstQueryValue,
  normalizePath,
  refusedPathPattern,
  type NormalizedTarget,
  type RefusedTarget,
} from "./request-path.ts";
export { compileRules, type RuleFinder } from "./rule-table.ts";

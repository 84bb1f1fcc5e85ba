export { customResourceDefinition, gatedFields, type GatedField } from "./custom-resource-definition.ts";
export { compileLabelSelector } from "./label-selector.ts";
export type { CompiledSelector, Labels, LabelSelector, LabelSelectorRequirement } from "./label-selector.ts";
export { formatDuration, parseDuration } from "./duration.ts";
export { parseGoDuration } from "./go-duration.ts";
export { isFieldName, isFieldValue } from "./http-field.ts";
export { isHostname, judgeHostname } from "./hostname.ts";
export { isIPv4, isIPv6, isSameAddress } from "./ip-address.ts";
export { gateNames, gates, type Gate } from "./gates.ts";
export { apiVersionOf, findKind, kinds } from "./kinds.ts";
export type { KindDefinition, Resource, ResourceByKind, ResourceKind } from "./kinds.ts";
export { ownGroup } from "./own-group.ts";
export { platformKind } from "./platform.ts";
export { dnsRecordKind, openshiftDnsRecordKind } from "./dns-record.ts";
export { parseResource } from "./parse-resource.ts";
export type { Parsed, ParseOptions } from "./parse-resource.ts";
export { formatPath } from "./problem.ts";
export type { Path, Problem } from "./problem.ts";
export { resourceKey } from "./resource-key.ts";
export type { RawStatus } from "./resource-schema.ts";
export { nearest } from "./suggestion.ts";
export type { FieldFacts, Infer, RuleFacts, Schema, SchemaNode } from "./schema.ts";

export type { ClusterMetadata, ObjectMetadata, OwnerReference } from "./metadata.ts";
export type {
  BackendObjectReference,
  BackendRef,
  LocalObjectReference,
  LocalPolicyTargetReference,
  LocalPolicyTargetReferenceWithSectionName,
  ObjectReference,
  ParametersReference,
  ParentReference,
  SecretObjectReference,
} from "./object-reference.ts";
export type {
  AllowedListeners,
  AllowedRoutes,
  ListenerNamespaces,
  RouteGroupKind,
  RouteNamespaces,
} from "./allowed-routes.ts";
export type { Listener, ListenerTLSConfig } from "./listener.ts";
export type { GatewayClass, GatewayClassSpec } from "./gateway-class.ts";
export type {
  FrontendTLSConfig,
  FrontendTLSValidation,
  Gateway,
  GatewayBackendTLS,
  GatewayInfrastructure,
  GatewaySpec,
  GatewaySpecAddress,
  GatewayTLSConfig,
  TLSConfig,
  TLSPortConfig,
} from "./gateway.ts";
export type {
  Ingress,
  IngressBackend,
  IngressPath,
  IngressRule,
  IngressSpec,
  IngressTLS,
} from "./ingress.ts";
export type { IngressClass, IngressClassSpec } from "./ingress-class.ts";
export type { ListenerSet, ListenerSetSpec, ParentGatewayReference } from "./listener-set.ts";
export type {
  HTTPBackendRef,
  HTTPRoute,
  HTTPRouteRetry,
  HTTPRouteRule,
  HTTPRouteSpec,
  HTTPRouteTimeouts,
} from "./http-route.ts";
export { httpMethods } from "./http-route-match.ts";
export type {
  HTTPHeaderMatch,
  HTTPMethod,
  HTTPPathMatch,
  HTTPQueryParamMatch,
  HTTPRouteMatch,
} from "./http-route-match.ts";
export type {
  HTTPCORSFilter,
  HTTPPathModifier,
  HTTPRequestRedirectFilter,
  HTTPRouteFilter,
  HTTPRouteFilterType,
  HTTPURLRewriteFilter,
} from "./http-route-filter.ts";
export type { Fraction, HTTPHeader, HTTPHeaderFilter, HTTPRequestMirrorFilter } from "./header-filter.ts";
export type {
  ForwardBodyConfig,
  GRPCAuthConfig,
  HTTPAuthConfig,
  HTTPExternalAuthFilter,
} from "./http-external-auth.ts";
export type {
  GRPCBackendRef,
  GRPCHeaderMatch,
  GRPCMethodMatch,
  GRPCRoute,
  GRPCRouteFilter,
  GRPCRouteFilterType,
  GRPCRouteMatch,
  GRPCRouteRule,
  GRPCRouteSpec,
} from "./grpc-route.ts";
export type { L4RouteRule } from "./l4-route-rule.ts";
export type { TLSRoute, TLSRouteRule, TLSRouteSpec } from "./tls-route.ts";
export type { TCPRoute, TCPRouteRule, TCPRouteSpec } from "./tcp-route.ts";
export type { UDPRoute, UDPRouteRule, UDPRouteSpec } from "./udp-route.ts";
export type {
  ReferenceGrant,
  ReferenceGrantFrom,
  ReferenceGrantSpec,
  ReferenceGrantTo,
} from "./reference-grant.ts";
export type { BackendTLSPolicyValidation, SubjectAltName } from "./backend-tls-validation.ts";
export type { BackendTLSPolicy, BackendTLSPolicySpec } from "./backend-tls-policy.ts";
export type { CookieConfig, SessionPersistence } from "./session-persistence.ts";
export type {
  BackendPort,
  BackendTLS,
  ExternalHostnameBackend,
  XBackend,
  XBackendSpec,
} from "./x-backend.ts";
export type {
  BudgetDetails,
  RequestRate,
  RetryConstraint,
  XBackendTrafficPolicy,
  XBackendTrafficPolicySpec,
} from "./x-backend-traffic-policy.ts";
export type { XMesh, XMeshSpec } from "./x-mesh.ts";
export type { TrustBundle } from "./trust-bundle.ts";
export type { PlatformDns, PlatformSpec } from "./platform.ts";
export type { DnsRecordSpec, DnsRecordStatus } from "./dns-record.ts";
export type { ProxyConfig, ProxyConfigSpec, ResourceQuantities, Toleration } from "./proxy-config.ts";
export type { RouteCertificate } from "./route-certificate.ts";
export type { HTTPProxy, HTTPProxyInclude, HTTPProxySpec } from "./http-proxy.ts";
export type {
  HTTPProxyCondition,
  HTTPProxyHeaderCondition,
  HTTPProxyQueryParameterCondition,
} from "./http-proxy-condition.ts";
export type {
  HTTPProxyCORSPolicy,
  HTTPProxyHeadersPolicy,
  HTTPProxyIPFilterPolicy,
  HTTPProxyLoadBalancerPolicy,
  HTTPProxyRateLimitPolicy,
} from "./http-proxy-policy.ts";
export type {
  HTTPProxyReplacePrefix,
  HTTPProxyRequestRedirectPolicy,
  HTTPProxyRetryPolicy,
  HTTPProxyRoute,
  HTTPProxyTimeoutPolicy,
} from "./http-proxy-route.ts";
export type {
  HTTPProxyHealthCheckPolicy,
  HTTPProxyService,
  HTTPProxyTCPHealthCheckPolicy,
  HTTPProxyTCPProxy,
  HTTPProxyUpstreamValidation,
} from "./http-proxy-service.ts";
export type {
  HTTPProxyClientValidation,
  HTTPProxyTLS,
  HTTPProxyVirtualHost,
} from "./http-proxy-virtual-host.ts";
export type { TLSCertificateDelegation } from "./tls-certificate-delegation.ts";
export type { Service, ServicePort, ServiceSpec } from "./service.ts";
export type { Endpoint, EndpointConditions, EndpointPort, EndpointSlice } from "./endpoint-slice.ts";
export type { Secret } from "./secret.ts";
export type { ConfigMap } from "./config-map.ts";
export type { Namespace } from "./namespace.ts";

/**
 * The features of Gateway API v1.6.3 by the names that the API gives them, and a few that it has no name for.
 * A driver claims what its proxy does right; the translation refuses what is not claimed.
 */
export interface FeatureDefinition {
  readonly name: string;
  /** The kind whose users care. */
  readonly area:
    | "Gateway"
    | "HTTPRoute"
    | "GRPCRoute"
    | "TLSRoute"
    | "TCPRoute"
    | "UDPRoute"
    | "Backend"
    | "Beyond the API";
  /** `own`: the API has no field for it; it comes from Ingress annotations, HTTPProxies and the like. */
  readonly level: "core" | "extended" | "experimental" | "own";
  /** Known to the official conformance suite, so listed in GatewayClass `status.supportedFeatures`. */
  readonly official: boolean;
}

const own = (name: string) => ({ name, area: "Beyond the API", level: "own", official: false }) as const;

const official = (area: FeatureDefinition["area"], level: FeatureDefinition["level"]) => (name: string) =>
  ({ name, area, level, official: true }) as const;

export const features: readonly FeatureDefinition[] = [
  ...["Gateway", "ReferenceGrant"].map(official("Gateway", "core")),
  ...[
    "GatewayAddressEmpty",
    "GatewayBackendClientCertificate",
    "GatewayFrontendClientCertificateValidation",
    "GatewayFrontendClientCertificateValidationInsecureFallback",
    "GatewayHTTPListenerIsolation",
    "GatewayHTTPSListenerDetectMisdirectedRequests",
    "GatewayInfrastructure",
    "GatewayPort8080",
    "GatewayStaticAddresses",
    "ListenerSet",
  ].map(official("Gateway", "extended")),
  ...["HTTPRoute"].map(official("HTTPRoute", "core")),
  ...[
    "HTTPRoute303RedirectStatusCode",
    "HTTPRoute307RedirectStatusCode",
    "HTTPRoute308RedirectStatusCode",
    "HTTPRouteBackendProtocolH2C",
    "HTTPRouteBackendProtocolWebSocket",
    "HTTPRouteBackendRequestHeaderModification",
    "HTTPRouteBackendTimeout",
    "HTTPRouteCORS",
    "HTTPRouteDestinationPortMatching",
    "HTTPRouteHostRewrite",
    "HTTPRouteMethodMatching",
    "HTTPRouteNamedRouteRule",
    "HTTPRouteParentRefPort",
    "HTTPRoutePathRedirect",
    "HTTPRoutePathRewrite",
    "HTTPRoutePortRedirect",
    "HTTPRouteQueryParamMatching",
    "HTTPRouteRequestMirror",
    "HTTPRouteRequestMultipleMirrors",
    "HTTPRouteRequestPercentageMirror",
    "HTTPRouteRequestTimeout",
    "HTTPRouteResponseHeaderModification",
    "HTTPRouteRetry",
    "HTTPRouteRetryBackendTimeout",
    "HTTPRouteRetryConnectionError",
    "HTTPRouteSchemeRedirect",
  ].map(official("HTTPRoute", "extended")),
  ...["GRPCRoute"].map(official("GRPCRoute", "core")),
  ...["GRPCRouteNamedRouteRule"].map(official("GRPCRoute", "extended")),
  ...["TLSRoute"].map(official("TLSRoute", "core")),
  ...["TLSRouteModeMixed", "TLSRouteModeTerminate"].map(official("TLSRoute", "extended")),
  ...["TCPRoute"].map(official("TCPRoute", "core")),
  ...["UDPRoute"].map(official("UDPRoute", "core")),
  ...["BackendTLSPolicy", "BackendTLSPolicySANValidation"].map(official("Backend", "extended")),
  { name: "DefaultGateways", area: "Gateway", level: "experimental", official: false },
  { name: "HTTPRouteExternalAuth", area: "HTTPRoute", level: "experimental", official: false },
  { name: "RetryConstraint", area: "Backend", level: "experimental", official: false },
  { name: "SessionPersistence", area: "Backend", level: "experimental", official: false },
  { name: "XBackend", area: "Backend", level: "experimental", official: false },
  ...[
    "BackendChainValidation",
    "ClientAddressFilter",
    "ConnectTimeout",
    "HealthCheck",
    "InvertedHeaderMatch",
    "LoadBalancing",
    "LocalRateLimit",
    "RequestBodyLimit",
    "StreamIdleTimeout",
  ].map(own),
];

/** All names, for drivers that can do everything. */
export const allFeatures: ReadonlySet<string> = new Set(features.map((feature) => feature.name));

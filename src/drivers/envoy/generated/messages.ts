// Made by scripts/envoy-messages.mjs. To have another message, name it in messages/used.json and run the script.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A message of any kind. Decoding leaves `typeUrl` and bytes, whatever the kind. */

export type Any =
  | { [Name in MessageName]: { readonly type: Name; readonly value: Messages[Name] } }[MessageName]
  | { readonly typeUrl: string; readonly bytes: Uint8Array };

export interface AccessLog {
  readonly name?: string;
  readonly filter?: AccessLogFilter;
  readonly typedConfig?: Any;
}

export interface AccessLogFilter {
  readonly statusCodeFilter?: StatusCodeFilter;
  readonly notHealthCheckFilter?: NotHealthCheckFilter;
  readonly andFilter?: AndFilter;
  readonly orFilter?: OrFilter;
  readonly headerFilter?: HeaderFilter;
  readonly responseFlagFilter?: ResponseFlagFilter;
}

export interface AndFilter {
  readonly filters?: readonly AccessLogFilter[];
}

export interface ComparisonFilter {
  readonly op?: "EQ" | "GE" | "LE";
  readonly value?: RuntimeUInt32;
}

export interface HeaderFilter {
  readonly header?: HeaderMatcher;
}

export type NotHealthCheckFilter = Record<string, never>;

export interface OrFilter {
  readonly filters?: readonly AccessLogFilter[];
}

export interface ResponseFlagFilter {
  readonly flags?: readonly string[];
}

export interface StatusCodeFilter {
  readonly comparison?: ComparisonFilter;
}

export interface CircuitBreakers {
  readonly thresholds?: readonly CircuitBreakersThresholds[];
  readonly perHostThresholds?: readonly CircuitBreakersThresholds[];
}

export interface CircuitBreakersThresholds {
  readonly priority?: "DEFAULT" | "HIGH";
  readonly maxConnections?: number;
  readonly maxPendingRequests?: number;
  readonly maxRequests?: number;
  readonly maxRetries?: number;
  readonly trackRemaining?: boolean;
  readonly maxConnectionPools?: number;
  readonly retryBudget?: CircuitBreakersThresholdsRetryBudget;
}

export interface CircuitBreakersThresholdsRetryBudget {
  readonly budgetPercent?: Percent;
  readonly minRetryConcurrency?: number;
  readonly budgetInterval?: number;
}

export interface Cluster {
  readonly name?: string;
  readonly type?: "STATIC" | "STRICT_DNS" | "LOGICAL_DNS" | "EDS" | "ORIGINAL_DST";
  readonly edsClusterConfig?: ClusterEdsClusterConfig;
  readonly connectTimeout?: number;
  readonly perConnectionBufferLimitBytes?: number;
  readonly lbPolicy?: "ROUND_ROBIN" | "LEAST_REQUEST" | "RING_HASH" | "RANDOM" | "MAGLEV" | "CLUSTER_PROVIDED" | "LOAD_BALANCING_POLICY_CONFIG";
  readonly healthChecks?: readonly HealthCheck[];
  readonly circuitBreakers?: CircuitBreakers;
  readonly dnsRefreshRate?: number;
  readonly dnsLookupFamily?: "AUTO" | "V4_ONLY" | "V6_ONLY" | "V4_PREFERRED" | "ALL";
  readonly outlierDetection?: OutlierDetection;
  readonly cleanupInterval?: number;
  readonly upstreamBindConfig?: BindConfig;
  readonly lbSubsetConfig?: ClusterLbSubsetConfig;
  readonly ringHashLbConfig?: ClusterRingHashLbConfig;
  readonly transportSocket?: TransportSocket;
  readonly metadata?: Metadata;
  readonly commonLbConfig?: ClusterCommonLbConfig;
  readonly altStatName?: string;
  readonly upstreamConnectionOptions?: UpstreamConnectionOptions;
  readonly closeConnectionsOnHostHealthFailure?: boolean;
  readonly ignoreHealthOnHostRemoval?: boolean;
  readonly loadAssignment?: ClusterLoadAssignment;
  readonly originalDstLbConfig?: ClusterOriginalDstLbConfig;
  readonly typedExtensionProtocolOptions?: ReadonlyMap<string, Any>;
  readonly leastRequestLbConfig?: ClusterLeastRequestLbConfig;
  readonly clusterType?: ClusterCustomClusterType;
  readonly respectDnsTtl?: boolean;
  readonly loadBalancingPolicy?: LoadBalancingPolicy;
  readonly lrsServer?: ConfigSource;
  readonly transportSocketMatches?: readonly ClusterTransportSocketMatch[];
  readonly dnsFailureRefreshRate?: ClusterRefreshRate;
  readonly upstreamConfig?: TypedExtensionConfig;
  readonly trackClusterStats?: TrackClusterStats;
  readonly preconnectPolicy?: ClusterPreconnectPolicy;
  readonly connectionPoolPerDownstreamConnection?: boolean;
  readonly maglevLbConfig?: ClusterMaglevLbConfig;
  readonly waitForWarmOnInit?: boolean;
  readonly typedDnsResolverConfig?: TypedExtensionConfig;
  readonly roundRobinLbConfig?: ClusterRoundRobinLbConfig;
  readonly lrsReportEndpointMetrics?: readonly string[];
}

export interface ClusterCommonLbConfig {
  readonly healthyPanicThreshold?: Percent;
  readonly zoneAwareLbConfig?: ClusterCommonLbConfigZoneAwareLbConfig;
  readonly localityWeightedLbConfig?: ClusterCommonLbConfigLocalityWeightedLbConfig;
  readonly updateMergeWindow?: number;
  readonly ignoreNewHostsUntilFirstHc?: boolean;
  readonly closeConnectionsOnHostSetChange?: boolean;
  readonly consistentHashingLbConfig?: ClusterCommonLbConfigConsistentHashingLbConfig;
}

export interface ClusterCommonLbConfigConsistentHashingLbConfig {
  readonly useHostnameForHashing?: boolean;
  readonly hashBalanceFactor?: number;
}

export type ClusterCommonLbConfigLocalityWeightedLbConfig = Record<string, never>;

export interface ClusterCommonLbConfigZoneAwareLbConfig {
  readonly routingEnabled?: Percent;
  readonly minClusterSize?: number | bigint;
  readonly failTrafficOnPanic?: boolean;
}

export interface ClusterCustomClusterType {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface ClusterEdsClusterConfig {
  readonly edsConfig?: ConfigSource;
  readonly serviceName?: string;
}

export interface ClusterLbSubsetConfig {
  readonly fallbackPolicy?: "NO_FALLBACK" | "ANY_ENDPOINT" | "DEFAULT_SUBSET";
  readonly defaultSubset?: JsonObject;
  readonly subsetSelectors?: readonly ClusterLbSubsetConfigLbSubsetSelector[];
  readonly localityWeightAware?: boolean;
  readonly scaleLocalityWeight?: boolean;
  readonly panicModeAny?: boolean;
  readonly listAsAny?: boolean;
  readonly metadataFallbackPolicy?: "METADATA_NO_FALLBACK" | "FALLBACK_LIST";
}

export interface ClusterLbSubsetConfigLbSubsetSelector {
  readonly keys?: readonly string[];
  readonly fallbackPolicy?: "NOT_DEFINED" | "NO_FALLBACK" | "ANY_ENDPOINT" | "DEFAULT_SUBSET" | "KEYS_SUBSET";
  readonly fallbackKeysSubset?: readonly string[];
  readonly singleHostPerSubset?: boolean;
}

export interface ClusterLeastRequestLbConfig {
  readonly choiceCount?: number;
  readonly activeRequestBias?: RuntimeDouble;
  readonly slowStartConfig?: ClusterSlowStartConfig;
}

export interface ClusterMaglevLbConfig {
  readonly tableSize?: number | bigint;
}

export interface ClusterOriginalDstLbConfig {
  readonly useHttpHeader?: boolean;
  readonly httpHeaderName?: string;
  readonly upstreamPortOverride?: number;
  readonly metadataKey?: MetadataKey;
}

export interface ClusterPreconnectPolicy {
  readonly perUpstreamPreconnectRatio?: number;
  readonly predictivePreconnectRatio?: number;
}

export interface ClusterRefreshRate {
  readonly baseInterval?: number;
  readonly maxInterval?: number;
}

export interface ClusterRingHashLbConfig {
  readonly minimumRingSize?: number | bigint;
  readonly hashFunction?: "XX_HASH" | "MURMUR_HASH_2";
  readonly maximumRingSize?: number | bigint;
}

export interface ClusterRoundRobinLbConfig {
  readonly slowStartConfig?: ClusterSlowStartConfig;
}

export interface ClusterSlowStartConfig {
  readonly slowStartWindow?: number;
  readonly aggression?: RuntimeDouble;
  readonly minWeightPercent?: Percent;
}

export interface ClusterTransportSocketMatch {
  readonly name?: string;
  readonly match?: JsonObject;
  readonly transportSocket?: TransportSocket;
}

export interface LoadBalancingPolicy {
  readonly policies?: readonly LoadBalancingPolicyPolicy[];
}

export interface LoadBalancingPolicyPolicy {
  readonly typedExtensionConfig?: TypedExtensionConfig;
}

export interface OutlierDetection {
  readonly consecutive5xx?: number;
  readonly interval?: number;
  readonly baseEjectionTime?: number;
  readonly maxEjectionPercent?: number;
  readonly enforcingConsecutive5xx?: number;
  readonly enforcingSuccessRate?: number;
  readonly successRateMinimumHosts?: number;
  readonly successRateRequestVolume?: number;
  readonly successRateStdevFactor?: number;
  readonly consecutiveGatewayFailure?: number;
  readonly enforcingConsecutiveGatewayFailure?: number;
  readonly splitExternalLocalOriginErrors?: boolean;
  readonly consecutiveLocalOriginFailure?: number;
  readonly enforcingConsecutiveLocalOriginFailure?: number;
  readonly enforcingLocalOriginSuccessRate?: number;
  readonly failurePercentageThreshold?: number;
  readonly enforcingFailurePercentage?: number;
  readonly enforcingFailurePercentageLocalOrigin?: number;
  readonly failurePercentageMinimumHosts?: number;
  readonly failurePercentageRequestVolume?: number;
  readonly maxEjectionTime?: number;
  readonly maxEjectionTimeJitter?: number;
  readonly successfulActiveHealthCheckUnejectHost?: boolean;
  readonly monitors?: readonly TypedExtensionConfig[];
  readonly alwaysEjectOneHost?: boolean;
}

export interface TrackClusterStats {
  readonly timeoutBudgets?: boolean;
  readonly requestResponseSizes?: boolean;
  readonly perEndpointStats?: boolean;
}

export interface UpstreamConnectionOptions {
  readonly tcpKeepalive?: TcpKeepalive;
  readonly setLocalInterfaceNameOnUpstreamConnections?: boolean;
  readonly happyEyeballsConfig?: UpstreamConnectionOptionsHappyEyeballsConfig;
}

export interface UpstreamConnectionOptionsHappyEyeballsConfig {
  readonly firstAddressFamilyVersion?: "DEFAULT" | "V4" | "V6";
  readonly firstAddressFamilyCount?: number;
}

export interface HeaderMutation {
  readonly remove?: string;
  readonly append?: HeaderValueOption;
  readonly removeOnMatch?: HeaderMutationRemoveOnMatch;
}

export interface HeaderMutationRemoveOnMatch {
  readonly keyMatcher?: StringMatcher;
}

export interface HeaderMutationRules {
  readonly allowAllRouting?: boolean;
  readonly allowEnvoy?: boolean;
  readonly disallowSystem?: boolean;
  readonly disallowAll?: boolean;
  readonly allowExpression?: RegexMatcher;
  readonly disallowExpression?: RegexMatcher;
  readonly disallowIsError?: boolean;
}

export interface Address {
  readonly socketAddress?: SocketAddress;
  readonly pipe?: Pipe;
  readonly envoyInternalAddress?: EnvoyInternalAddress;
}

export type AggregatedConfigSource = Record<string, never>;

export interface AlternateProtocolsCacheOptions {
  readonly name?: string;
  readonly maxEntries?: number;
  readonly keyValueStoreConfig?: TypedExtensionConfig;
  readonly prepopulatedEntries?: readonly AlternateProtocolsCacheOptionsAlternateProtocolsCacheEntry[];
  readonly canonicalSuffixes?: readonly string[];
}

export interface AlternateProtocolsCacheOptionsAlternateProtocolsCacheEntry {
  readonly hostname?: string;
  readonly port?: number;
}

export interface ApiConfigSource {
  readonly apiType?: "DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE" | "REST" | "GRPC" | "DELTA_GRPC" | "AGGREGATED_GRPC" | "AGGREGATED_DELTA_GRPC";
  readonly clusterNames?: readonly string[];
  readonly refreshDelay?: number;
  readonly grpcServices?: readonly GrpcService[];
  readonly requestTimeout?: number;
  readonly rateLimitSettings?: RateLimitSettings;
  readonly setNodeOnFirstMessageOnly?: boolean;
  readonly transportApiVersion?: "AUTO" | "V2" | "V3";
  readonly configValidators?: readonly TypedExtensionConfig[];
}

export interface AsyncDataSource {
  readonly local?: DataSource;
}

export interface BackoffStrategy {
  readonly baseInterval?: number;
  readonly maxInterval?: number;
}

export interface BindConfig {
  readonly sourceAddress?: SocketAddress;
  readonly freebind?: boolean;
  readonly socketOptions?: readonly SocketOption[];
  readonly extraSourceAddresses?: readonly ExtraSourceAddress[];
  readonly localAddressSelector?: TypedExtensionConfig;
}

export interface BuildVersion {
  readonly metadata?: JsonObject;
}

export interface CidrRange {
  readonly addressPrefix?: string;
  readonly prefixLen?: number;
}

export interface ConfigSource {
  readonly apiConfigSource?: ApiConfigSource;
  readonly ads?: AggregatedConfigSource;
  readonly initialFetchTimeout?: number;
  readonly self?: SelfConfigSource;
  readonly resourceApiVersion?: "AUTO" | "V2" | "V3";
  readonly pathConfigSource?: PathConfigSource;
}

export interface ControlPlane {
  readonly identifier?: string;
}

export interface DataSource {
  readonly filename?: string;
  readonly inlineBytes?: Uint8Array;
  readonly inlineString?: string;
  readonly environmentVariable?: string;
  readonly watchedDirectory?: WatchedDirectory;
}

export interface DnsResolutionConfig {
  readonly resolvers?: readonly Address[];
  readonly dnsResolverOptions?: DnsResolverOptions;
}

export interface DnsResolverOptions {
  readonly useTcpForDnsLookups?: boolean;
  readonly noDefaultSearchDomain?: boolean;
}

export interface EnvoyInternalAddress {
  readonly serverListenerName?: string;
  readonly endpointId?: string;
}

export interface Extension {
  readonly name?: string;
  readonly category?: string;
  readonly version?: BuildVersion;
  readonly disabled?: boolean;
  readonly typeUrls?: readonly string[];
}

export interface ExtraSourceAddress {
  readonly address?: SocketAddress;
  readonly socketOptions?: SocketOptionsOverride;
}

export interface GrpcService {
  readonly envoyGrpc?: GrpcServiceEnvoyGrpc;
  readonly googleGrpc?: GrpcServiceGoogleGrpc;
  readonly timeout?: number;
  readonly initialMetadata?: readonly HeaderValue[];
  readonly retryPolicy?: CoreRetryPolicy;
}

export interface GrpcServiceEnvoyGrpc {
  readonly clusterName?: string;
  readonly authority?: string;
  readonly retryPolicy?: CoreRetryPolicy;
  readonly maxReceiveMessageLength?: number;
  readonly skipEnvoyHeaders?: boolean;
}

export interface GrpcServiceGoogleGrpc {
  readonly targetUri?: string;
  readonly channelCredentials?: GrpcServiceGoogleGrpcChannelCredentials;
  readonly callCredentials?: readonly GrpcServiceGoogleGrpcCallCredentials[];
  readonly statPrefix?: string;
  readonly credentialsFactoryName?: string;
  readonly config?: JsonObject;
  readonly perStreamBufferLimitBytes?: number;
  readonly channelArgs?: GrpcServiceGoogleGrpcChannelArgs;
}

export interface GrpcServiceGoogleGrpcCallCredentials {
  readonly accessToken?: string;
  readonly googleComputeEngine?: Record<string, never>;
  readonly googleRefreshToken?: string;
  readonly serviceAccountJwtAccess?: GrpcServiceGoogleGrpcCallCredentialsServiceAccountJWTAccessCredentials;
  readonly googleIam?: GrpcServiceGoogleGrpcCallCredentialsGoogleIAMCredentials;
  readonly fromPlugin?: GrpcServiceGoogleGrpcCallCredentialsMetadataCredentialsFromPlugin;
  readonly stsService?: GrpcServiceGoogleGrpcCallCredentialsStsService;
}

export interface GrpcServiceGoogleGrpcCallCredentialsGoogleIAMCredentials {
  readonly authorizationToken?: string;
  readonly authoritySelector?: string;
}

export interface GrpcServiceGoogleGrpcCallCredentialsMetadataCredentialsFromPlugin {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface GrpcServiceGoogleGrpcCallCredentialsServiceAccountJWTAccessCredentials {
  readonly jsonKey?: string;
  readonly tokenLifetimeSeconds?: number | bigint;
}

export interface GrpcServiceGoogleGrpcCallCredentialsStsService {
  readonly tokenExchangeServiceUri?: string;
  readonly resource?: string;
  readonly audience?: string;
  readonly scope?: string;
  readonly requestedTokenType?: string;
  readonly subjectTokenPath?: string;
  readonly subjectTokenType?: string;
  readonly actorTokenPath?: string;
  readonly actorTokenType?: string;
}

export interface GrpcServiceGoogleGrpcChannelArgs {
  readonly args?: ReadonlyMap<string, GrpcServiceGoogleGrpcChannelArgsValue>;
}

export interface GrpcServiceGoogleGrpcChannelArgsValue {
  readonly stringValue?: string;
  readonly intValue?: number | bigint;
}

export interface GrpcServiceGoogleGrpcChannelCredentials {
  readonly sslCredentials?: GrpcServiceGoogleGrpcSslCredentials;
  readonly googleDefault?: Record<string, never>;
  readonly localCredentials?: GrpcServiceGoogleGrpcGoogleLocalCredentials;
}

export type GrpcServiceGoogleGrpcGoogleLocalCredentials = Record<string, never>;

export interface GrpcServiceGoogleGrpcSslCredentials {
  readonly rootCerts?: DataSource;
  readonly privateKey?: DataSource;
  readonly certChain?: DataSource;
}

export interface HeaderMap {
  readonly headers?: readonly HeaderValue[];
}

export interface HeaderValue {
  readonly key?: string;
  readonly value?: string;
  readonly rawValue?: Uint8Array;
}

export interface HeaderValueOption {
  readonly header?: HeaderValue;
  readonly appendAction?: "APPEND_IF_EXISTS_OR_ADD" | "ADD_IF_ABSENT" | "OVERWRITE_IF_EXISTS_OR_ADD" | "OVERWRITE_IF_EXISTS";
  readonly keepEmptyValue?: boolean;
}

export interface HealthCheck {
  readonly timeout?: number;
  readonly interval?: number;
  readonly intervalJitter?: number;
  readonly unhealthyThreshold?: number;
  readonly healthyThreshold?: number;
  readonly altPort?: number;
  readonly reuseConnection?: boolean;
  readonly httpHealthCheck?: HealthCheckHttpHealthCheck;
  readonly tcpHealthCheck?: HealthCheckTcpHealthCheck;
  readonly grpcHealthCheck?: HealthCheckGrpcHealthCheck;
  readonly noTrafficInterval?: number;
  readonly customHealthCheck?: HealthCheckCustomHealthCheck;
  readonly unhealthyInterval?: number;
  readonly unhealthyEdgeInterval?: number;
  readonly healthyEdgeInterval?: number;
  readonly intervalJitterPercent?: number;
  readonly alwaysLogHealthCheckFailures?: boolean;
  readonly initialJitter?: number;
  readonly tlsOptions?: HealthCheckTlsOptions;
  readonly transportSocketMatchCriteria?: JsonObject;
  readonly noTrafficHealthyInterval?: number;
  readonly eventLogger?: readonly TypedExtensionConfig[];
  readonly alwaysLogHealthCheckSuccess?: boolean;
}

export interface HealthCheckCustomHealthCheck {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface HealthCheckGrpcHealthCheck {
  readonly serviceName?: string;
  readonly authority?: string;
  readonly initialMetadata?: readonly HeaderValueOption[];
}

export interface HealthCheckHttpHealthCheck {
  readonly host?: string;
  readonly path?: string;
  readonly send?: HealthCheckPayload;
  readonly receive?: readonly HealthCheckPayload[];
  readonly requestHeadersToAdd?: readonly HeaderValueOption[];
  readonly requestHeadersToRemove?: readonly string[];
  readonly expectedStatuses?: readonly Int64Range[];
  readonly codecClientType?: "HTTP1" | "HTTP2" | "HTTP3";
  readonly serviceNameMatcher?: StringMatcher;
  readonly retriableStatuses?: readonly Int64Range[];
  readonly method?: "METHOD_UNSPECIFIED" | "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "CONNECT" | "OPTIONS" | "TRACE" | "PATCH";
  readonly responseBufferSize?: number | bigint;
}

export interface HealthCheckPayload {
  readonly text?: string;
  readonly binary?: Uint8Array;
}

export interface HealthCheckTcpHealthCheck {
  readonly send?: HealthCheckPayload;
  readonly receive?: readonly HealthCheckPayload[];
  readonly proxyProtocolConfig?: ProxyProtocolConfig;
}

export interface HealthCheckTlsOptions {
  readonly alpnProtocols?: readonly string[];
}

export interface Http1ProtocolOptions {
  readonly allowAbsoluteUrl?: boolean;
  readonly acceptHttp10?: boolean;
  readonly defaultHostForHttp10?: string;
  readonly headerKeyFormat?: Http1ProtocolOptionsHeaderKeyFormat;
  readonly enableTrailers?: boolean;
  readonly allowChunkedLength?: boolean;
  readonly overrideStreamErrorOnInvalidHttpMessage?: boolean;
  readonly sendFullyQualifiedUrl?: boolean;
  readonly useBalsaParser?: boolean;
  readonly allowCustomMethods?: boolean;
  readonly ignoreHttp11Upgrade?: readonly StringMatcher[];
}

export interface Http1ProtocolOptionsHeaderKeyFormat {
  readonly properCaseWords?: Http1ProtocolOptionsHeaderKeyFormatProperCaseWords;
  readonly statefulFormatter?: TypedExtensionConfig;
}

export type Http1ProtocolOptionsHeaderKeyFormatProperCaseWords = Record<string, never>;

export interface Http2ProtocolOptions {
  readonly hpackTableSize?: number;
  readonly maxConcurrentStreams?: number;
  readonly initialStreamWindowSize?: number;
  readonly initialConnectionWindowSize?: number;
  readonly allowConnect?: boolean;
  readonly allowMetadata?: boolean;
  readonly maxOutboundFrames?: number;
  readonly maxOutboundControlFrames?: number;
  readonly maxConsecutiveInboundFramesWithEmptyPayload?: number;
  readonly maxInboundPriorityFramesPerStream?: number;
  readonly maxInboundWindowUpdateFramesPerDataFrameSent?: number;
  readonly customSettingsParameters?: readonly Http2ProtocolOptionsSettingsParameter[];
  readonly overrideStreamErrorOnInvalidHttpMessage?: boolean;
  readonly connectionKeepalive?: KeepaliveSettings;
  readonly useOghttp2Codec?: boolean;
}

export interface Http2ProtocolOptionsSettingsParameter {
  readonly identifier?: number;
  readonly value?: number;
}

export interface CoreHttpProtocolOptions {
  readonly idleTimeout?: number;
  readonly maxHeadersCount?: number;
  readonly maxConnectionDuration?: number;
  readonly maxStreamDuration?: number;
  readonly headersWithUnderscoresAction?: "ALLOW" | "REJECT_REQUEST" | "DROP_HEADER";
  readonly maxRequestsPerConnection?: number;
}

export interface HttpUri {
  readonly uri?: string;
  readonly cluster?: string;
  readonly timeout?: number;
}

export interface JsonFormatOptions {
  readonly sortProperties?: boolean;
}

export interface KeepaliveSettings {
  readonly interval?: number;
  readonly timeout?: number;
  readonly intervalJitter?: Percent;
  readonly connectionIdleInterval?: number;
}

export interface Locality {
  readonly region?: string;
  readonly zone?: string;
  readonly subZone?: string;
}

export interface Metadata {
  readonly filterMetadata?: ReadonlyMap<string, JsonObject>;
  readonly typedFilterMetadata?: ReadonlyMap<string, Any>;
}

export interface Node {
  readonly id?: string;
  readonly cluster?: string;
  readonly metadata?: JsonObject;
  readonly locality?: Locality;
  readonly userAgentName?: string;
  readonly userAgentVersion?: string;
  readonly userAgentBuildVersion?: BuildVersion;
  readonly extensions?: readonly Extension[];
  readonly clientFeatures?: readonly string[];
}

export interface PathConfigSource {
  readonly path?: string;
  readonly watchedDirectory?: WatchedDirectory;
}

export interface Pipe {
  readonly path?: string;
  readonly mode?: number;
}

export interface ProxyProtocolConfig {
  readonly version?: "V1" | "V2";
}

export interface QueryParameter {
  readonly key?: string;
  readonly value?: string;
}

export interface RateLimitSettings {
  readonly maxTokens?: number;
  readonly fillRate?: number;
}

export interface CoreRetryPolicy {
  readonly retryBackOff?: BackoffStrategy;
  readonly numRetries?: number;
  readonly retryOn?: string;
  readonly retryPriority?: CoreRetryPolicyRetryPriority;
  readonly retryHostPredicate?: readonly CoreRetryPolicyRetryHostPredicate[];
  readonly hostSelectionRetryMaxAttempts?: number | bigint;
}

export interface CoreRetryPolicyRetryHostPredicate {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface CoreRetryPolicyRetryPriority {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface RuntimeDouble {
  readonly defaultValue?: number;
  readonly runtimeKey?: string;
}

export interface RuntimeFeatureFlag {
  readonly defaultValue?: boolean;
  readonly runtimeKey?: string;
}

export interface RuntimeFractionalPercent {
  readonly defaultValue?: FractionalPercent;
  readonly runtimeKey?: string;
}

export interface RuntimePercent {
  readonly defaultValue?: Percent;
  readonly runtimeKey?: string;
}

export interface RuntimeUInt32 {
  readonly defaultValue?: number;
  readonly runtimeKey?: string;
}

export interface SelfConfigSource {
  readonly transportApiVersion?: "AUTO" | "V2" | "V3";
}

export interface SocketAddress {
  readonly protocol?: "TCP" | "UDP";
  readonly address?: string;
  readonly portValue?: number;
  readonly namedPort?: string;
  readonly resolverName?: string;
  readonly ipv4Compat?: boolean;
}

export interface SocketOption {
  readonly description?: string;
  readonly level?: number | bigint;
  readonly name?: number | bigint;
  readonly intValue?: number | bigint;
  readonly bufValue?: Uint8Array;
  readonly state?: "STATE_PREBIND" | "STATE_BOUND" | "STATE_LISTENING";
}

export interface SocketOptionsOverride {
  readonly socketOptions?: readonly SocketOption[];
}

export interface SubstitutionFormatString {
  readonly jsonFormat?: JsonObject;
  readonly omitEmptyValues?: boolean;
  readonly contentType?: string;
  readonly textFormatSource?: DataSource;
  readonly formatters?: readonly TypedExtensionConfig[];
  readonly jsonFormatOptions?: JsonFormatOptions;
}

export interface TcpKeepalive {
  readonly keepaliveProbes?: number;
  readonly keepaliveTime?: number;
  readonly keepaliveInterval?: number;
}

export interface TransportSocket {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface TypedExtensionConfig {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface UdpSocketConfig {
  readonly maxRxDatagramSize?: number | bigint;
  readonly preferGro?: boolean;
}

export interface UpstreamHttpProtocolOptions {
  readonly autoSni?: boolean;
  readonly autoSanValidation?: boolean;
  readonly overrideAutoSniHeader?: string;
}

export interface WatchedDirectory {
  readonly path?: string;
}

export interface ClusterLoadAssignment {
  readonly clusterName?: string;
  readonly endpoints?: readonly LocalityLbEndpoints[];
  readonly policy?: ClusterLoadAssignmentPolicy;
  readonly namedEndpoints?: ReadonlyMap<string, Endpoint>;
}

export interface ClusterLoadAssignmentPolicy {
  readonly dropOverloads?: readonly ClusterLoadAssignmentPolicyDropOverload[];
  readonly overprovisioningFactor?: number;
  readonly endpointStaleAfter?: number;
  readonly weightedPriorityHealth?: boolean;
}

export interface ClusterLoadAssignmentPolicyDropOverload {
  readonly category?: string;
  readonly dropPercentage?: FractionalPercent;
}

export interface Endpoint {
  readonly address?: Address;
  readonly healthCheckConfig?: EndpointHealthCheckConfig;
  readonly hostname?: string;
  readonly additionalAddresses?: readonly EndpointAdditionalAddress[];
}

export interface EndpointAdditionalAddress {
  readonly address?: Address;
}

export interface EndpointHealthCheckConfig {
  readonly portValue?: number;
  readonly hostname?: string;
  readonly address?: Address;
  readonly disableActiveHealthCheck?: boolean;
}

export interface LbEndpoint {
  readonly endpoint?: Endpoint;
  readonly healthStatus?: "UNKNOWN" | "HEALTHY" | "UNHEALTHY" | "DRAINING" | "TIMEOUT" | "DEGRADED";
  readonly metadata?: Metadata;
  readonly loadBalancingWeight?: number;
  readonly endpointName?: string;
}

export interface LocalityLbEndpoints {
  readonly locality?: Locality;
  readonly lbEndpoints?: readonly LbEndpoint[];
  readonly loadBalancingWeight?: number;
  readonly priority?: number;
  readonly proximity?: number;
  readonly loadBalancerEndpoints?: LocalityLbEndpointsLbEndpointList;
  readonly metadata?: Metadata;
}

export interface LocalityLbEndpointsLbEndpointList {
  readonly lbEndpoints?: readonly LbEndpoint[];
}

export interface AdditionalAddress {
  readonly address?: Address;
  readonly socketOptions?: SocketOptionsOverride;
}

export interface Filter {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface FilterChain {
  readonly filterChainMatch?: FilterChainMatch;
  readonly filters?: readonly Filter[];
  readonly metadata?: Metadata;
  readonly transportSocket?: TransportSocket;
  readonly name?: string;
  readonly onDemandConfiguration?: FilterChainOnDemandConfiguration;
  readonly transportSocketConnectTimeout?: number;
}

export interface FilterChainOnDemandConfiguration {
  readonly rebuildTimeout?: number;
}

export interface FilterChainMatch {
  readonly prefixRanges?: readonly CidrRange[];
  readonly addressSuffix?: string;
  readonly suffixLen?: number;
  readonly sourcePrefixRanges?: readonly CidrRange[];
  readonly sourcePorts?: readonly number[];
  readonly destinationPort?: number;
  readonly transportProtocol?: string;
  readonly applicationProtocols?: readonly string[];
  readonly serverNames?: readonly string[];
  readonly sourceType?: "ANY" | "SAME_IP_OR_LOOPBACK" | "EXTERNAL";
  readonly directSourcePrefixRanges?: readonly CidrRange[];
}

export interface Listener {
  readonly name?: string;
  readonly address?: Address;
  readonly filterChains?: readonly FilterChain[];
  readonly useOriginalDst?: boolean;
  readonly perConnectionBufferLimitBytes?: number;
  readonly metadata?: Metadata;
  readonly drainType?: "DEFAULT" | "MODIFY_ONLY";
  readonly listenerFilters?: readonly ListenerFilter[];
  readonly transparent?: boolean;
  readonly freebind?: boolean;
  readonly tcpFastOpenQueueLength?: number;
  readonly socketOptions?: readonly SocketOption[];
  readonly listenerFiltersTimeout?: number;
  readonly trafficDirection?: "UNSPECIFIED" | "INBOUND" | "OUTBOUND";
  readonly continueOnListenerFiltersTimeout?: boolean;
  readonly udpListenerConfig?: UdpListenerConfig;
  readonly connectionBalanceConfig?: ListenerConnectionBalanceConfig;
  readonly accessLog?: readonly AccessLog[];
  readonly tcpBacklogSize?: number;
  readonly defaultFilterChain?: FilterChain;
  readonly bindToPort?: boolean;
  readonly internalListener?: ListenerInternalListenerConfig;
  readonly statPrefix?: string;
  readonly enableReusePort?: boolean;
  readonly enableMptcp?: boolean;
  readonly ignoreGlobalConnLimit?: boolean;
  readonly filterChainMatcher?: Matcher;
  readonly additionalAddresses?: readonly AdditionalAddress[];
  readonly maxConnectionsToAcceptPerSocketEvent?: number;
  readonly bypassOverloadManager?: boolean;
}

export interface ListenerConnectionBalanceConfig {
  readonly exactBalance?: ListenerConnectionBalanceConfigExactBalance;
  readonly extendBalance?: TypedExtensionConfig;
}

export type ListenerConnectionBalanceConfigExactBalance = Record<string, never>;

export type ListenerInternalListenerConfig = Record<string, never>;

export interface ListenerFilter {
  readonly name?: string;
  readonly typedConfig?: Any;
  readonly filterDisabled?: ListenerFilterChainMatchPredicate;
}

export interface ListenerFilterChainMatchPredicate {
  readonly orMatch?: ListenerFilterChainMatchPredicateMatchSet;
  readonly andMatch?: ListenerFilterChainMatchPredicateMatchSet;
  readonly notMatch?: ListenerFilterChainMatchPredicate;
  readonly anyMatch?: boolean;
  readonly destinationPortRange?: Int32Range;
}

export interface ListenerFilterChainMatchPredicateMatchSet {
  readonly rules?: readonly ListenerFilterChainMatchPredicate[];
}

export interface QuicProtocolOptions {
  readonly idleTimeout?: number;
  readonly cryptoHandshakeTimeout?: number;
  readonly enabled?: RuntimeFeatureFlag;
  readonly packetsToReadToConnectionCountRatio?: number;
  readonly cryptoStreamConfig?: TypedExtensionConfig;
  readonly proofSourceConfig?: TypedExtensionConfig;
  readonly connectionIdGeneratorConfig?: TypedExtensionConfig;
  readonly serverPreferredAddressConfig?: TypedExtensionConfig;
  readonly sendDisableActiveMigration?: boolean;
  readonly connectionDebugVisitorConfig?: TypedExtensionConfig;
}

export interface UdpListenerConfig {
  readonly downstreamSocketConfig?: UdpSocketConfig;
  readonly quicOptions?: QuicProtocolOptions;
  readonly udpPacketPacketWriterConfig?: TypedExtensionConfig;
}

export interface Permission {
  readonly andRules?: PermissionSet;
  readonly orRules?: PermissionSet;
  readonly any?: boolean;
  readonly header?: HeaderMatcher;
  readonly destinationIp?: CidrRange;
  readonly destinationPort?: number;
  readonly metadata?: MetadataMatcher;
  readonly notRule?: Permission;
  readonly requestedServerName?: StringMatcher;
  readonly urlPath?: PathMatcher;
  readonly destinationPortRange?: Int32Range;
  readonly matcher?: TypedExtensionConfig;
  readonly uriTemplate?: TypedExtensionConfig;
}

export interface PermissionSet {
  readonly rules?: readonly Permission[];
}

export interface Policy {
  readonly permissions?: readonly Permission[];
  readonly principals?: readonly Principal[];
}

export interface Principal {
  readonly andIds?: PrincipalSet;
  readonly orIds?: PrincipalSet;
  readonly any?: boolean;
  readonly authenticated?: PrincipalAuthenticated;
  readonly header?: HeaderMatcher;
  readonly metadata?: MetadataMatcher;
  readonly notId?: Principal;
  readonly urlPath?: PathMatcher;
  readonly directRemoteIp?: CidrRange;
  readonly remoteIp?: CidrRange;
  readonly filterState?: FilterStateMatcher;
}

export interface PrincipalAuthenticated {
  readonly principalName?: StringMatcher;
}

export interface PrincipalSet {
  readonly ids?: readonly Principal[];
}

export interface RBAC {
  readonly action?: "ALLOW" | "DENY" | "LOG";
  readonly policies?: ReadonlyMap<string, Policy>;
  readonly auditLoggingOptions?: RBACAuditLoggingOptions;
}

export interface RBACAuditLoggingOptions {
  readonly auditCondition?: "NONE" | "ON_DENY" | "ON_ALLOW" | "ON_DENY_AND_ALLOW";
  readonly loggerConfigs?: readonly RBACAuditLoggingOptionsAuditLoggerConfig[];
}

export interface RBACAuditLoggingOptionsAuditLoggerConfig {
  readonly auditLogger?: TypedExtensionConfig;
  readonly isOptional?: boolean;
}

export interface RouteCorsPolicy {
  readonly allowMethods?: string;
  readonly allowHeaders?: string;
  readonly exposeHeaders?: string;
  readonly maxAge?: string;
  readonly allowCredentials?: boolean;
  readonly filterEnabled?: RuntimeFractionalPercent;
  readonly shadowEnabled?: RuntimeFractionalPercent;
  readonly allowOriginStringMatch?: readonly StringMatcher[];
  readonly allowPrivateNetworkAccess?: boolean;
  readonly forwardNotMatchingPreflights?: boolean;
}

export interface DirectResponseAction {
  readonly status?: number;
  readonly body?: DataSource;
}

export interface FilterConfig {
  readonly config?: Any;
  readonly isOptional?: boolean;
  readonly disabled?: boolean;
}

export interface HeaderMatcher {
  readonly name?: string;
  readonly rangeMatch?: Int64Range;
  readonly presentMatch?: boolean;
  readonly invertMatch?: boolean;
  readonly stringMatch?: StringMatcher;
  readonly treatMissingHeaderAsEmpty?: boolean;
}

export interface HedgePolicy {
  readonly initialRequests?: number;
  readonly additionalRequestChance?: FractionalPercent;
  readonly hedgeOnPerTryTimeout?: boolean;
}

export interface InternalRedirectPolicy {
  readonly maxInternalRedirects?: number;
  readonly redirectResponseCodes?: readonly number[];
  readonly predicates?: readonly TypedExtensionConfig[];
  readonly allowCrossSchemeRedirect?: boolean;
  readonly responseHeadersToCopy?: readonly string[];
}

export type NonForwardingAction = Record<string, never>;

export interface QueryParameterMatcher {
  readonly name?: string;
  readonly stringMatch?: StringMatcher;
  readonly presentMatch?: boolean;
}

export interface RedirectAction {
  readonly hostRedirect?: string;
  readonly pathRedirect?: string;
  readonly responseCode?: "MOVED_PERMANENTLY" | "FOUND" | "SEE_OTHER" | "TEMPORARY_REDIRECT" | "PERMANENT_REDIRECT";
  readonly httpsRedirect?: boolean;
  readonly prefixRewrite?: string;
  readonly stripQuery?: boolean;
  readonly schemeRedirect?: string;
  readonly portRedirect?: number;
  readonly regexRewrite?: RegexMatchAndSubstitute;
}

export interface RetryPolicy {
  readonly retryOn?: string;
  readonly numRetries?: number;
  readonly perTryTimeout?: number;
  readonly retryPriority?: RetryPolicyRetryPriority;
  readonly retryHostPredicate?: readonly RetryPolicyRetryHostPredicate[];
  readonly hostSelectionRetryMaxAttempts?: number | bigint;
  readonly retriableStatusCodes?: readonly number[];
  readonly retryBackOff?: RetryPolicyRetryBackOff;
  readonly retriableHeaders?: readonly HeaderMatcher[];
  readonly retriableRequestHeaders?: readonly HeaderMatcher[];
  readonly rateLimitedRetryBackOff?: RetryPolicyRateLimitedRetryBackOff;
  readonly retryOptionsPredicates?: readonly TypedExtensionConfig[];
  readonly perTryIdleTimeout?: number;
}

export interface RetryPolicyRateLimitedRetryBackOff {
  readonly resetHeaders?: readonly RetryPolicyResetHeader[];
  readonly maxInterval?: number;
}

export interface RetryPolicyResetHeader {
  readonly name?: string;
  readonly format?: "SECONDS" | "UNIX_TIMESTAMP";
}

export interface RetryPolicyRetryBackOff {
  readonly baseInterval?: number;
  readonly maxInterval?: number;
}

export interface RetryPolicyRetryHostPredicate {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface RetryPolicyRetryPriority {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface Route {
  readonly match?: RouteMatch;
  readonly route?: RouteAction;
  readonly redirect?: RedirectAction;
  readonly metadata?: Metadata;
  readonly directResponse?: DirectResponseAction;
  readonly requestHeadersToAdd?: readonly HeaderValueOption[];
  readonly responseHeadersToAdd?: readonly HeaderValueOption[];
  readonly responseHeadersToRemove?: readonly string[];
  readonly requestHeadersToRemove?: readonly string[];
  readonly typedPerFilterConfig?: ReadonlyMap<string, Any>;
  readonly name?: string;
  readonly perRequestBufferLimitBytes?: number;
  readonly nonForwardingAction?: NonForwardingAction;
  readonly statPrefix?: string;
}

export interface RouteAction {
  readonly cluster?: string;
  readonly clusterHeader?: string;
  readonly weightedClusters?: WeightedCluster;
  readonly metadataMatch?: Metadata;
  readonly prefixRewrite?: string;
  readonly hostRewriteLiteral?: string;
  readonly autoHostRewrite?: boolean;
  readonly timeout?: number;
  readonly retryPolicy?: RetryPolicy;
  readonly priority?: "DEFAULT" | "HIGH";
  readonly hashPolicy?: readonly RouteActionHashPolicy[];
  readonly clusterNotFoundResponseCode?: "SERVICE_UNAVAILABLE" | "NOT_FOUND" | "INTERNAL_SERVER_ERROR";
  readonly idleTimeout?: number;
  readonly upgradeConfigs?: readonly RouteActionUpgradeConfig[];
  readonly hedgePolicy?: HedgePolicy;
  readonly hostRewriteHeader?: string;
  readonly requestMirrorPolicies?: readonly RouteActionRequestMirrorPolicy[];
  readonly regexRewrite?: RegexMatchAndSubstitute;
  readonly retryPolicyTypedConfig?: Any;
  readonly internalRedirectPolicy?: InternalRedirectPolicy;
  readonly hostRewritePathRegex?: RegexMatchAndSubstitute;
  readonly maxStreamDuration?: RouteActionMaxStreamDuration;
  readonly clusterSpecifierPlugin?: string;
  readonly appendXForwardedHost?: boolean;
  readonly earlyDataPolicy?: TypedExtensionConfig;
  readonly pathRewritePolicy?: TypedExtensionConfig;
}

export interface RouteActionHashPolicy {
  readonly header?: RouteActionHashPolicyHeader;
  readonly cookie?: RouteActionHashPolicyCookie;
  readonly connectionProperties?: RouteActionHashPolicyConnectionProperties;
  readonly terminal?: boolean;
  readonly queryParameter?: RouteActionHashPolicyQueryParameter;
  readonly filterState?: RouteActionHashPolicyFilterState;
}

export interface RouteActionHashPolicyConnectionProperties {
  readonly sourceIp?: boolean;
}

export interface RouteActionHashPolicyCookie {
  readonly name?: string;
  readonly ttl?: number;
  readonly path?: string;
  readonly attributes?: readonly RouteActionHashPolicyCookieAttribute[];
}

export interface RouteActionHashPolicyCookieAttribute {
  readonly name?: string;
  readonly value?: string;
}

export interface RouteActionHashPolicyFilterState {
  readonly key?: string;
}

export interface RouteActionHashPolicyHeader {
  readonly headerName?: string;
  readonly regexRewrite?: RegexMatchAndSubstitute;
}

export interface RouteActionHashPolicyQueryParameter {
  readonly name?: string;
}

export interface RouteActionMaxStreamDuration {
  readonly maxStreamDuration?: number;
  readonly grpcTimeoutHeaderMax?: number;
  readonly grpcTimeoutHeaderOffset?: number;
}

export interface RouteActionRequestMirrorPolicy {
  readonly cluster?: string;
  readonly runtimeFraction?: RuntimeFractionalPercent;
  readonly traceSampled?: boolean;
  readonly clusterHeader?: string;
  readonly disableShadowHostSuffixAppend?: boolean;
}

export interface RouteActionUpgradeConfig {
  readonly upgradeType?: string;
  readonly enabled?: boolean;
  readonly connectConfig?: RouteActionUpgradeConfigConnectConfig;
}

export interface RouteActionUpgradeConfigConnectConfig {
  readonly proxyProtocolConfig?: ProxyProtocolConfig;
  readonly allowPost?: boolean;
}

export interface RouteConfiguration {
  readonly name?: string;
  readonly virtualHosts?: readonly VirtualHost[];
  readonly internalOnlyHeaders?: readonly string[];
  readonly responseHeadersToAdd?: readonly HeaderValueOption[];
  readonly responseHeadersToRemove?: readonly string[];
  readonly requestHeadersToAdd?: readonly HeaderValueOption[];
  readonly validateClusters?: boolean;
  readonly requestHeadersToRemove?: readonly string[];
  readonly mostSpecificHeaderMutationsWins?: boolean;
  readonly maxDirectResponseBodySizeBytes?: number;
  readonly requestMirrorPolicies?: readonly RouteActionRequestMirrorPolicy[];
  readonly ignorePortInHostMatching?: boolean;
  readonly ignorePathParametersInPathMatching?: boolean;
  readonly typedPerFilterConfig?: ReadonlyMap<string, Any>;
  readonly metadata?: Metadata;
}

export interface RouteList {
  readonly routes?: readonly Route[];
}

export interface RouteMatch {
  readonly prefix?: string;
  readonly path?: string;
  readonly caseSensitive?: boolean;
  readonly headers?: readonly HeaderMatcher[];
  readonly queryParameters?: readonly QueryParameterMatcher[];
  readonly grpc?: RouteMatchGrpcRouteMatchOptions;
  readonly runtimeFraction?: RuntimeFractionalPercent;
  readonly safeRegex?: RegexMatcher;
  readonly tlsContext?: RouteMatchTlsContextMatchOptions;
  readonly connectMatcher?: RouteMatchConnectMatcher;
  readonly dynamicMetadata?: readonly MetadataMatcher[];
  readonly pathSeparatedPrefix?: string;
  readonly pathMatchPolicy?: TypedExtensionConfig;
}

export type RouteMatchConnectMatcher = Record<string, never>;

export type RouteMatchGrpcRouteMatchOptions = Record<string, never>;

export interface RouteMatchTlsContextMatchOptions {
  readonly presented?: boolean;
  readonly validated?: boolean;
}

export interface ScopedRouteConfiguration {
  readonly name?: string;
  readonly routeConfigurationName?: string;
  readonly key?: ScopedRouteConfigurationKey;
  readonly onDemand?: boolean;
  readonly routeConfiguration?: RouteConfiguration;
}

export interface ScopedRouteConfigurationKey {
  readonly fragments?: readonly ScopedRouteConfigurationKeyFragment[];
}

export interface ScopedRouteConfigurationKeyFragment {
  readonly stringKey?: string;
}

export interface VirtualHost {
  readonly name?: string;
  readonly domains?: readonly string[];
  readonly routes?: readonly Route[];
  readonly requireTls?: "NONE" | "EXTERNAL_ONLY" | "ALL";
  readonly requestHeadersToAdd?: readonly HeaderValueOption[];
  readonly responseHeadersToAdd?: readonly HeaderValueOption[];
  readonly responseHeadersToRemove?: readonly string[];
  readonly requestHeadersToRemove?: readonly string[];
  readonly includeRequestAttemptCount?: boolean;
  readonly typedPerFilterConfig?: ReadonlyMap<string, Any>;
  readonly retryPolicy?: RetryPolicy;
  readonly hedgePolicy?: HedgePolicy;
  readonly perRequestBufferLimitBytes?: number;
  readonly includeAttemptCountInResponse?: boolean;
  readonly retryPolicyTypedConfig?: Any;
  readonly matcher?: Matcher;
  readonly requestMirrorPolicies?: readonly RouteActionRequestMirrorPolicy[];
  readonly includeIsTimeoutRetryHeader?: boolean;
  readonly metadata?: Metadata;
}

export interface WeightedCluster {
  readonly clusters?: readonly WeightedClusterClusterWeight[];
  readonly runtimeKeyPrefix?: string;
  readonly headerName?: string;
}

export interface WeightedClusterClusterWeight {
  readonly name?: string;
  readonly weight?: number;
  readonly metadataMatch?: Metadata;
  readonly requestHeadersToAdd?: readonly HeaderValueOption[];
  readonly responseHeadersToAdd?: readonly HeaderValueOption[];
  readonly responseHeadersToRemove?: readonly string[];
  readonly requestHeadersToRemove?: readonly string[];
  readonly typedPerFilterConfig?: ReadonlyMap<string, Any>;
  readonly hostRewriteLiteral?: string;
  readonly clusterHeader?: string;
}

export interface FileAccessLog {
  readonly path?: string;
  readonly logFormat?: SubstitutionFormatString;
}

export interface StderrAccessLog {
  readonly logFormat?: SubstitutionFormatString;
}

export interface StdoutAccessLog {
  readonly logFormat?: SubstitutionFormatString;
}

export interface AggregateCluster {
  readonly clusters?: readonly string[];
}

export interface ExtensionWithMatcher {
  readonly extensionConfig?: TypedExtensionConfig;
  readonly xdsMatcher?: Matcher;
}

export interface ExtensionWithMatcherPerRoute {
  readonly xdsMatcher?: Matcher;
}

export type SkipFilter = Record<string, never>;

export interface FilterStateValue {
  readonly objectKey?: string;
  readonly formatString?: SubstitutionFormatString;
  readonly readOnly?: boolean;
  readonly sharedWithUpstream?: "NONE" | "ONCE" | "TRANSITIVE";
  readonly skipIfEmpty?: boolean;
  readonly factoryKey?: string;
}

export interface BufferFilter {
  readonly maxRequestBytes?: number;
}

export interface BufferPerRoute {
  readonly disabled?: boolean;
  readonly buffer?: BufferFilter;
}

export interface Composite {
  readonly namedFilterChains?: ReadonlyMap<string, FilterChainConfiguration>;
}

export interface DynamicConfig {
  readonly name?: string;
}

export interface ExecuteFilterAction {
  readonly typedConfig?: TypedExtensionConfig;
  readonly dynamicConfig?: DynamicConfig;
  readonly samplePercent?: RuntimeFractionalPercent;
  readonly filterChain?: FilterChainConfiguration;
  readonly filterChainName?: string;
}

export interface FilterChainConfiguration {
  readonly typedConfig?: readonly TypedExtensionConfig[];
}

export type Cors = Record<string, never>;

export interface CorsPolicy {
  readonly allowOriginStringMatch?: readonly StringMatcher[];
  readonly allowMethods?: string;
  readonly allowHeaders?: string;
  readonly exposeHeaders?: string;
  readonly maxAge?: string;
  readonly allowCredentials?: boolean;
  readonly filterEnabled?: RuntimeFractionalPercent;
  readonly shadowEnabled?: RuntimeFractionalPercent;
  readonly allowPrivateNetworkAccess?: boolean;
  readonly forwardNotMatchingPreflights?: boolean;
}

export interface CustomResponse {
  readonly customResponseMatcher?: Matcher;
}

export interface AuthorizationRequest {
  readonly headersToAdd?: readonly HeaderValue[];
}

export interface AuthorizationResponse {
  readonly allowedUpstreamHeaders?: ListStringMatcher;
  readonly allowedClientHeaders?: ListStringMatcher;
  readonly allowedUpstreamHeadersToAppend?: ListStringMatcher;
  readonly allowedClientHeadersOnSuccess?: ListStringMatcher;
  readonly dynamicMetadataFromHeaders?: ListStringMatcher;
}

export interface BufferSettings {
  readonly maxRequestBytes?: number;
  readonly allowPartialMessage?: boolean;
  readonly packAsBytes?: boolean;
}

export interface CheckSettings {
  readonly contextExtensions?: ReadonlyMap<string, string>;
  readonly disableRequestBodyBuffering?: boolean;
  readonly withRequestBody?: BufferSettings;
}

export interface ExtAuthz {
  readonly grpcService?: GrpcService;
  readonly failureModeAllow?: boolean;
  readonly httpService?: HttpService;
  readonly withRequestBody?: BufferSettings;
  readonly clearRouteCache?: boolean;
  readonly statusOnError?: HttpStatus;
  readonly metadataContextNamespaces?: readonly string[];
  readonly filterEnabled?: RuntimeFractionalPercent;
  readonly includePeerCertificate?: boolean;
  readonly denyAtDisable?: RuntimeFeatureFlag;
  readonly transportApiVersion?: "AUTO" | "V2" | "V3";
  readonly statPrefix?: string;
  readonly filterEnabledMetadata?: MetadataMatcher;
  readonly bootstrapMetadataLabelsKey?: string;
  readonly typedMetadataContextNamespaces?: readonly string[];
  readonly allowedHeaders?: ListStringMatcher;
  readonly includeTlsSession?: boolean;
  readonly failureModeAllowHeaderAdd?: boolean;
  readonly chargeClusterResponseStats?: boolean;
  readonly routeMetadataContextNamespaces?: readonly string[];
  readonly routeTypedMetadataContextNamespaces?: readonly string[];
  readonly encodeRawHeaders?: boolean;
  readonly validateMutations?: boolean;
  readonly disallowedHeaders?: ListStringMatcher;
  readonly decoderHeaderMutationRules?: HeaderMutationRules;
  readonly enableDynamicMetadataIngestion?: boolean;
}

export interface ExtAuthzPerRoute {
  readonly disabled?: boolean;
  readonly checkSettings?: CheckSettings;
}

export interface HttpService {
  readonly serverUri?: HttpUri;
  readonly pathPrefix?: string;
  readonly authorizationRequest?: AuthorizationRequest;
  readonly authorizationResponse?: AuthorizationResponse;
}

export interface FaultAbort {
  readonly httpStatus?: number;
  readonly percentage?: FractionalPercent;
  readonly headerAbort?: FaultAbortHeaderAbort;
  readonly grpcStatus?: number;
}

export type FaultAbortHeaderAbort = Record<string, never>;

export interface HTTPFault {
  readonly abort?: FaultAbort;
  readonly upstreamCluster?: string;
  readonly headers?: readonly HeaderMatcher[];
  readonly downstreamNodes?: readonly string[];
  readonly maxActiveFaults?: number;
  readonly delayPercentRuntime?: string;
  readonly abortPercentRuntime?: string;
  readonly delayDurationRuntime?: string;
  readonly abortHttpStatusRuntime?: string;
  readonly maxActiveFaultsRuntime?: string;
  readonly responseRateLimitPercentRuntime?: string;
  readonly abortGrpcStatusRuntime?: string;
  readonly disableDownstreamClusterStats?: boolean;
  readonly filterMetadata?: JsonObject;
}

export interface HeaderMutationFilter {
  readonly mutations?: Mutations;
  readonly mostSpecificHeaderMutationsWins?: boolean;
}

export interface HeaderMutationPerRoute {
  readonly mutations?: Mutations;
}

export interface Mutations {
  readonly requestMutations?: readonly HeaderMutation[];
  readonly responseMutations?: readonly HeaderMutation[];
  readonly requestTrailersMutations?: readonly HeaderMutation[];
}

export interface HeaderToMetadata {
  readonly requestRules?: readonly HeaderToMetadataRule[];
  readonly responseRules?: readonly HeaderToMetadataRule[];
}

export interface HeaderToMetadataKeyValuePair {
  readonly metadataNamespace?: string;
  readonly key?: string;
  readonly value?: string;
  readonly type?: "STRING" | "NUMBER" | "PROTOBUF_VALUE";
  readonly encode?: "NONE" | "BASE64";
  readonly regexValueRewrite?: RegexMatchAndSubstitute;
}

export interface HeaderToMetadataRule {
  readonly header?: string;
  readonly onHeaderPresent?: HeaderToMetadataKeyValuePair;
  readonly onHeaderMissing?: HeaderToMetadataKeyValuePair;
  readonly remove?: boolean;
  readonly cookie?: string;
}

export interface HealthCheckFilter {
  readonly passThroughMode?: boolean;
  readonly cacheTime?: number;
  readonly clusterMinHealthyPercentages?: ReadonlyMap<string, Percent>;
  readonly headers?: readonly HeaderMatcher[];
}

export interface LocalRateLimit {
  readonly statPrefix?: string;
  readonly status?: HttpStatus;
  readonly tokenBucket?: TokenBucket;
  readonly filterEnabled?: RuntimeFractionalPercent;
  readonly filterEnforced?: RuntimeFractionalPercent;
  readonly responseHeadersToAdd?: readonly HeaderValueOption[];
  readonly stage?: number;
  readonly requestHeadersToAddWhenNotEnforced?: readonly HeaderValueOption[];
  readonly localRateLimitPerDownstreamConnection?: boolean;
  readonly enableXRatelimitHeaders?: "OFF" | "DRAFT_VERSION_03";
  readonly vhRateLimits?: "OVERRIDE" | "INCLUDE" | "IGNORE";
  readonly alwaysConsumeDefaultTokenBucket?: boolean;
  readonly rateLimitedAsResourceExhausted?: boolean;
}

export interface Lua {
  readonly sourceCodes?: ReadonlyMap<string, DataSource>;
  readonly defaultSourceCode?: DataSource;
  readonly statPrefix?: string;
  readonly filterContext?: JsonObject;
}

export interface LuaPerRoute {
  readonly disabled?: boolean;
  readonly name?: string;
  readonly sourceCode?: DataSource;
}

export interface OnDemand {
  readonly odcds?: OnDemandCds;
}

export interface OnDemandCds {
  readonly source?: ConfigSource;
  readonly resourcesLocator?: string;
  readonly timeout?: number;
}

export interface OnDemandPerRoute {
  readonly odcds?: OnDemandCds;
}

export interface HttpRbac {
  readonly rules?: RBAC;
  readonly shadowRules?: RBAC;
  readonly shadowRulesStatPrefix?: string;
  readonly matcher?: Matcher;
  readonly shadowMatcher?: Matcher;
  readonly rulesStatPrefix?: string;
  readonly trackPerRuleStats?: boolean;
}

export interface RBACPerRoute {
  readonly rbac?: HttpRbac;
}

export interface Router {
  readonly dynamicStats?: boolean;
  readonly upstreamLog?: readonly AccessLog[];
  readonly suppressEnvoyHeaders?: boolean;
  readonly strictCheckHeaders?: readonly string[];
  readonly respectExpectedRqTimeout?: boolean;
  readonly suppressGrpcRequestFailureCodeStats?: boolean;
  readonly upstreamHttpFilters?: readonly HttpFilter[];
  readonly upstreamLogOptions?: RouterUpstreamAccessLogOptions;
}

export interface RouterUpstreamAccessLogOptions {
  readonly flushUpstreamLogOnUpstreamStream?: boolean;
  readonly upstreamLogFlushInterval?: number;
}

export interface SetFilterState {
  readonly onRequestHeaders?: readonly FilterStateValue[];
}

export interface SetMetadata {
  readonly metadata?: readonly SetMetadataValue[];
}

export interface SetMetadataValue {
  readonly metadataNamespace?: string;
  readonly allowOverwrite?: boolean;
  readonly value?: JsonObject;
  readonly typedValue?: Any;
}

export interface StatefulSession {
  readonly sessionState?: TypedExtensionConfig;
  readonly strict?: boolean;
}

export interface StatefulSessionPerRoute {
  readonly disabled?: boolean;
  readonly statefulSession?: StatefulSession;
}

export type UpstreamCodec = Record<string, never>;

export type HttpInspector = Record<string, never>;

export type OriginalDst = Record<string, never>;

export interface ProxyProtocol {
  readonly rules?: readonly ProxyProtocolRule[];
  readonly allowRequestsWithoutProxyProtocol?: boolean;
  readonly disallowedVersions?: readonly ("V1" | "V2")[];
  readonly statPrefix?: string;
}

export interface ProxyProtocolKeyValuePair {
  readonly metadataNamespace?: string;
  readonly key?: string;
}

export interface ProxyProtocolRule {
  readonly tlvType?: number;
  readonly onTlvPresent?: ProxyProtocolKeyValuePair;
}

export interface TlsInspector {
  readonly enableJa3Fingerprinting?: boolean;
  readonly initialReadBufferSize?: number;
}

export interface ConnectionLimit {
  readonly statPrefix?: string;
  readonly maxConnections?: number | bigint;
  readonly delay?: number;
  readonly runtimeEnabled?: RuntimeFeatureFlag;
}

export interface NetworkDirectResponse {
  readonly response?: DataSource;
}

export interface HttpConnectionManager {
  readonly codecType?: "AUTO" | "HTTP1" | "HTTP2" | "HTTP3";
  readonly statPrefix?: string;
  readonly rds?: Rds;
  readonly routeConfig?: RouteConfiguration;
  readonly httpFilters?: readonly HttpFilter[];
  readonly addUserAgent?: boolean;
  readonly tracing?: HttpConnectionManagerTracing;
  readonly httpProtocolOptions?: Http1ProtocolOptions;
  readonly http2ProtocolOptions?: Http2ProtocolOptions;
  readonly serverName?: string;
  readonly drainTimeout?: number;
  readonly accessLog?: readonly AccessLog[];
  readonly useRemoteAddress?: boolean;
  readonly generateRequestId?: boolean;
  readonly forwardClientCertDetails?: "SANITIZE" | "FORWARD_ONLY" | "APPEND_FORWARD" | "SANITIZE_SET" | "ALWAYS_FORWARD_ONLY";
  readonly setCurrentClientCertDetails?: HttpConnectionManagerSetCurrentClientCertDetails;
  readonly proxy100Continue?: boolean;
  readonly xffNumTrustedHops?: number;
  readonly representIpv4RemoteAddressAsIpv4MappedIpv6?: boolean;
  readonly skipXffAppend?: boolean;
  readonly via?: string;
  readonly upgradeConfigs?: readonly HttpConnectionManagerUpgradeConfig[];
  readonly streamIdleTimeout?: number;
  readonly internalAddressConfig?: HttpConnectionManagerInternalAddressConfig;
  readonly delayedCloseTimeout?: number;
  readonly requestTimeout?: number;
  readonly maxRequestHeadersKb?: number;
  readonly normalizePath?: boolean;
  readonly scopedRoutes?: ScopedRoutes;
  readonly preserveExternalRequestId?: boolean;
  readonly mergeSlashes?: boolean;
  readonly serverHeaderTransformation?: "OVERWRITE" | "APPEND_IF_ABSENT" | "PASS_THROUGH";
  readonly commonHttpProtocolOptions?: CoreHttpProtocolOptions;
  readonly requestIdExtension?: RequestIDExtension;
  readonly alwaysSetRequestIdInResponse?: boolean;
  readonly localReplyConfig?: LocalReplyConfig;
  readonly stripMatchingHostPort?: boolean;
  readonly streamErrorOnInvalidHttpMessage?: boolean;
  readonly requestHeadersTimeout?: number;
  readonly stripAnyHostPort?: boolean;
  readonly pathNormalizationOptions?: HttpConnectionManagerPathNormalizationOptions;
  readonly pathWithEscapedSlashesAction?: "IMPLEMENTATION_SPECIFIC_DEFAULT" | "KEEP_UNCHANGED" | "REJECT_REQUEST" | "UNESCAPE_AND_REDIRECT" | "UNESCAPE_AND_FORWARD";
  readonly originalIpDetectionExtensions?: readonly TypedExtensionConfig[];
  readonly stripTrailingHostDot?: boolean;
  readonly proxyStatusConfig?: HttpConnectionManagerProxyStatusConfig;
  readonly typedHeaderValidationConfig?: TypedExtensionConfig;
  readonly appendXForwardedPort?: boolean;
  readonly earlyHeaderMutationExtensions?: readonly TypedExtensionConfig[];
  readonly addProxyProtocolConnectionState?: boolean;
  readonly accessLogOptions?: HttpConnectionManagerHcmAccessLogOptions;
  readonly appendLocalOverload?: boolean;
}

export interface HttpConnectionManagerHcmAccessLogOptions {
  readonly accessLogFlushInterval?: number;
  readonly flushAccessLogOnNewRequest?: boolean;
  readonly flushLogOnTunnelSuccessfullyEstablished?: boolean;
}

export interface HttpConnectionManagerInternalAddressConfig {
  readonly unixSockets?: boolean;
  readonly cidrRanges?: readonly CidrRange[];
}

export interface HttpConnectionManagerPathNormalizationOptions {
  readonly forwardingTransformation?: PathTransformation;
  readonly httpFilterTransformation?: PathTransformation;
}

export interface HttpConnectionManagerProxyStatusConfig {
  readonly removeDetails?: boolean;
  readonly removeConnectionTerminationDetails?: boolean;
  readonly removeResponseFlags?: boolean;
  readonly setRecommendedResponseCode?: boolean;
  readonly useNodeId?: boolean;
  readonly literalProxyName?: string;
}

export interface HttpConnectionManagerSetCurrentClientCertDetails {
  readonly subject?: boolean;
  readonly cert?: boolean;
  readonly dns?: boolean;
  readonly uri?: boolean;
  readonly chain?: boolean;
}

export interface HttpConnectionManagerTracing {
  readonly clientSampling?: Percent;
  readonly randomSampling?: Percent;
  readonly overallSampling?: Percent;
  readonly verbose?: boolean;
  readonly maxPathTagLength?: number;
  readonly spawnUpstreamSpan?: boolean;
}

export interface HttpConnectionManagerUpgradeConfig {
  readonly upgradeType?: string;
  readonly filters?: readonly HttpFilter[];
  readonly enabled?: boolean;
}

export interface HttpFilter {
  readonly name?: string;
  readonly typedConfig?: Any;
  readonly isOptional?: boolean;
  readonly disabled?: boolean;
}

export interface LocalReplyConfig {
  readonly mappers?: readonly ResponseMapper[];
  readonly bodyFormat?: SubstitutionFormatString;
}

export interface Rds {
  readonly configSource?: ConfigSource;
  readonly routeConfigName?: string;
}

export interface RequestIDExtension {
  readonly typedConfig?: Any;
}

export interface ResponseMapper {
  readonly filter?: AccessLogFilter;
  readonly statusCode?: number;
  readonly body?: DataSource;
  readonly bodyFormatOverride?: SubstitutionFormatString;
  readonly headersToAdd?: readonly HeaderValueOption[];
}

export interface ScopedRds {
  readonly scopedRdsConfigSource?: ConfigSource;
  readonly srdsResourcesLocator?: string;
}

export interface ScopedRouteConfigurationsList {
  readonly scopedRouteConfigurations?: readonly ScopedRouteConfiguration[];
}

export interface ScopedRoutes {
  readonly name?: string;
  readonly scopeKeyBuilder?: ScopedRoutesScopeKeyBuilder;
  readonly rdsConfigSource?: ConfigSource;
  readonly scopedRouteConfigurationsList?: ScopedRouteConfigurationsList;
  readonly scopedRds?: ScopedRds;
}

export interface ScopedRoutesScopeKeyBuilder {
  readonly fragments?: readonly ScopedRoutesScopeKeyBuilderFragmentBuilder[];
}

export interface ScopedRoutesScopeKeyBuilderFragmentBuilder {
  readonly headerValueExtractor?: ScopedRoutesScopeKeyBuilderFragmentBuilderHeaderValueExtractor;
}

export interface ScopedRoutesScopeKeyBuilderFragmentBuilderHeaderValueExtractor {
  readonly name?: string;
  readonly elementSeparator?: string;
  readonly index?: number;
  readonly element?: ScopedRoutesScopeKeyBuilderFragmentBuilderHeaderValueExtractorKvElement;
}

export interface ScopedRoutesScopeKeyBuilderFragmentBuilderHeaderValueExtractorKvElement {
  readonly separator?: string;
  readonly key?: string;
}

export interface NetworkRbac {
  readonly rules?: RBAC;
  readonly shadowRules?: RBAC;
  readonly statPrefix?: string;
  readonly enforcementType?: "ONE_TIME_ON_FIRST_BYTE" | "CONTINUOUS";
  readonly shadowRulesStatPrefix?: string;
  readonly matcher?: Matcher;
  readonly shadowMatcher?: Matcher;
}

export interface NetworkSetFilterState {
  readonly onNewConnection?: readonly FilterStateValue[];
}

export type SniCluster = Record<string, never>;

export interface TcpProxy {
  readonly statPrefix?: string;
  readonly cluster?: string;
  readonly downstreamIdleTimeout?: number;
  readonly upstreamIdleTimeout?: number;
  readonly accessLog?: readonly AccessLog[];
  readonly maxConnectAttempts?: number;
  readonly idleTimeout?: number;
  readonly metadataMatch?: Metadata;
  readonly weightedClusters?: TcpProxyWeightedCluster;
  readonly tunnelingConfig?: TcpProxyTunnelingConfig;
  readonly maxDownstreamConnectionDuration?: number;
  readonly onDemand?: TcpProxyOnDemand;
  readonly accessLogOptions?: TcpProxyTcpAccessLogOptions;
}

export interface TcpProxyOnDemand {
  readonly odcdsConfig?: ConfigSource;
  readonly resourcesLocator?: string;
  readonly timeout?: number;
}

export interface TcpProxyTcpAccessLogOptions {
  readonly accessLogFlushInterval?: number;
  readonly flushAccessLogOnConnected?: boolean;
}

export interface TcpProxyTunnelingConfig {
  readonly hostname?: string;
  readonly usePost?: boolean;
  readonly headersToAdd?: readonly HeaderValueOption[];
  readonly propagateResponseHeaders?: boolean;
  readonly postPath?: string;
  readonly propagateResponseTrailers?: boolean;
}

export interface TcpProxyWeightedCluster {
  readonly clusters?: readonly TcpProxyWeightedClusterClusterWeight[];
}

export interface TcpProxyWeightedClusterClusterWeight {
  readonly name?: string;
  readonly weight?: number;
  readonly metadataMatch?: Metadata;
}

export interface UdpProxyRoute {
  readonly cluster?: string;
}

export interface UdpProxyConfig {
  readonly statPrefix?: string;
  readonly idleTimeout?: number;
  readonly useOriginalSrcIp?: boolean;
  readonly hashPolicies?: readonly UdpProxyConfigHashPolicy[];
  readonly upstreamSocketConfig?: UdpSocketConfig;
  readonly usePerPacketLoadBalancing?: boolean;
  readonly accessLog?: readonly AccessLog[];
  readonly matcher?: Matcher;
  readonly proxyAccessLog?: readonly AccessLog[];
  readonly sessionFilters?: readonly UdpProxyConfigSessionFilter[];
  readonly tunnelingConfig?: UdpProxyConfigUdpTunnelingConfig;
  readonly accessLogOptions?: UdpProxyConfigUdpAccessLogOptions;
}

export interface UdpProxyConfigHashPolicy {
  readonly sourceIp?: boolean;
  readonly key?: string;
}

export interface UdpProxyConfigSessionFilter {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface UdpProxyConfigUdpAccessLogOptions {
  readonly accessLogFlushInterval?: number;
  readonly flushAccessLogOnTunnelConnected?: boolean;
}

export interface UdpProxyConfigUdpTunnelingConfig {
  readonly proxyHost?: string;
  readonly proxyPort?: number;
  readonly targetHost?: string;
  readonly defaultTargetPort?: number;
  readonly usePost?: boolean;
  readonly postPath?: string;
  readonly retryOptions?: UdpProxyConfigUdpTunnelingConfigRetryOptions;
  readonly headersToAdd?: readonly HeaderValueOption[];
  readonly bufferOptions?: UdpProxyConfigUdpTunnelingConfigBufferOptions;
  readonly propagateResponseHeaders?: boolean;
  readonly propagateResponseTrailers?: boolean;
}

export interface UdpProxyConfigUdpTunnelingConfigBufferOptions {
  readonly maxBufferedDatagrams?: number;
  readonly maxBufferedBytes?: number | bigint;
}

export interface UdpProxyConfigUdpTunnelingConfigRetryOptions {
  readonly maxConnectAttempts?: number;
}

export type MetadataFormatter = Record<string, never>;

export type ReqWithoutQuery = Record<string, never>;

export interface LocalResponsePolicy {
  readonly body?: DataSource;
  readonly bodyFormat?: SubstitutionFormatString;
  readonly statusCode?: number;
  readonly responseHeadersToAdd?: readonly HeaderValueOption[];
}

export interface EarlyHeaderMutation {
  readonly mutations?: readonly HeaderMutation[];
}

export interface PreserveCaseFormatterConfig {
  readonly forwardReasonPhrase?: boolean;
  readonly formatterTypeOnEnvoyHeaders?: "DEFAULT" | "PROPER_CASE";
}

export interface CustomHeaderConfig {
  readonly headerName?: string;
  readonly allowExtensionToSetAddressAsTrusted?: boolean;
  readonly rejectWithStatus?: HttpStatus;
}

export interface XffConfig {
  readonly xffNumTrustedHops?: number;
}

export interface CookieBasedSessionState {
  readonly cookie?: Cookie;
}

export interface HeaderBasedSessionState {
  readonly name?: string;
}

export interface ConsistentHashingLbConfig {
  readonly useHostnameForHashing?: boolean;
  readonly hashBalanceFactor?: number;
}

export interface LocalityLbConfig {
  readonly zoneAwareLbConfig?: LocalityLbConfigZoneAwareLbConfig;
  readonly localityWeightedLbConfig?: LocalityLbConfigLocalityWeightedLbConfig;
}

export type LocalityLbConfigLocalityWeightedLbConfig = Record<string, never>;

export interface LocalityLbConfigZoneAwareLbConfig {
  readonly routingEnabled?: Percent;
  readonly minClusterSize?: number | bigint;
  readonly failTrafficOnPanic?: boolean;
}

export interface SlowStartConfig {
  readonly slowStartWindow?: number;
  readonly aggression?: RuntimeDouble;
  readonly minWeightPercent?: Percent;
}

export interface LeastRequest {
  readonly choiceCount?: number;
  readonly activeRequestBias?: RuntimeDouble;
  readonly slowStartConfig?: SlowStartConfig;
  readonly localityLbConfig?: LocalityLbConfig;
  readonly selectionMethod?: "N_CHOICES" | "FULL_SCAN";
}

export interface Maglev {
  readonly tableSize?: number | bigint;
  readonly consistentHashingLbConfig?: ConsistentHashingLbConfig;
  readonly localityWeightedLbConfig?: LocalityLbConfigLocalityWeightedLbConfig;
}

export interface Random {
  readonly localityLbConfig?: LocalityLbConfig;
}

export interface RingHash {
  readonly hashFunction?: "DEFAULT_HASH" | "XX_HASH" | "MURMUR_HASH_2";
  readonly minimumRingSize?: number | bigint;
  readonly maximumRingSize?: number | bigint;
  readonly consistentHashingLbConfig?: ConsistentHashingLbConfig;
  readonly localityWeightedLbConfig?: LocalityLbConfigLocalityWeightedLbConfig;
}

export interface RoundRobin {
  readonly slowStartConfig?: SlowStartConfig;
  readonly localityLbConfig?: LocalityLbConfig;
}

export type ApplicationProtocolInput = Record<string, never>;

export type DestinationIPInput = Record<string, never>;

export type DestinationPortInput = Record<string, never>;

export type DirectSourceIPInput = Record<string, never>;

export interface FilterStateInput {
  readonly key?: string;
}

export type ServerNameInput = Record<string, never>;

export type SourceIPInput = Record<string, never>;

export type SourcePortInput = Record<string, never>;

export type SourceTypeInput = Record<string, never>;

export type TransportProtocolInput = Record<string, never>;

export interface CaresDnsResolverConfig {
  readonly resolvers?: readonly Address[];
  readonly dnsResolverOptions?: DnsResolverOptions;
  readonly useResolversAsFallback?: boolean;
  readonly filterUnroutableFamilies?: boolean;
  readonly udpMaxQueries?: number;
}

export type GetAddrInfoDnsResolverConfig = Record<string, never>;

export interface UriTemplateMatchConfig {
  readonly pathTemplate?: string;
}

export interface UriTemplateRewriteConfig {
  readonly pathTemplateRewrite?: string;
}

export interface UuidRequestIdConfig {
  readonly packTraceReason?: boolean;
  readonly useRequestIdForTraceSampling?: boolean;
}

export type PreviousHostsPredicate = Record<string, never>;

export interface LuaConfig {
  readonly sourceCode?: DataSource;
  readonly defaultCluster?: string;
}

export type RawBuffer = Record<string, never>;

export interface SniCertificateMapper {
  readonly defaultValue?: string;
}

export interface StaticCertificateMapper {
  readonly name?: string;
}

export interface OnDemandSecret {
  readonly configSource?: ConfigSource;
  readonly certificateMapper?: TypedExtensionConfig;
  readonly prefetchSecretNames?: readonly string[];
}

export interface CertificateProviderPluginInstance {
  readonly instanceName?: string;
  readonly certificateName?: string;
}

export interface CertificateValidationContext {
  readonly trustedCa?: DataSource;
  readonly verifyCertificateHash?: readonly string[];
  readonly verifyCertificateSpki?: readonly string[];
  readonly requireSignedCertificateTimestamp?: boolean;
  readonly crl?: DataSource;
  readonly allowExpiredCertificate?: boolean;
  readonly trustChainVerification?: "VERIFY_TRUST_CHAIN" | "ACCEPT_UNTRUSTED";
  readonly watchedDirectory?: WatchedDirectory;
  readonly customValidatorConfig?: TypedExtensionConfig;
  readonly caCertificateProviderInstance?: CertificateProviderPluginInstance;
  readonly onlyVerifyLeafCertCrl?: boolean;
  readonly matchTypedSubjectAltNames?: readonly SubjectAltNameMatcher[];
  readonly maxVerifyDepth?: number;
  readonly systemRootCerts?: CertificateValidationContextSystemRootCerts;
}

export type CertificateValidationContextSystemRootCerts = Record<string, never>;

export interface CommonTlsContext {
  readonly tlsParams?: TlsParameters;
  readonly tlsCertificates?: readonly TlsCertificate[];
  readonly validationContext?: CertificateValidationContext;
  readonly alpnProtocols?: readonly string[];
  readonly tlsCertificateSdsSecretConfigs?: readonly SdsSecretConfig[];
  readonly validationContextSdsSecretConfig?: SdsSecretConfig;
  readonly combinedValidationContext?: CommonTlsContextCombinedCertificateValidationContext;
  readonly customHandshaker?: TypedExtensionConfig;
  readonly tlsCertificateProviderInstance?: CertificateProviderPluginInstance;
  readonly keyLog?: TlsKeyLog;
  readonly customTlsCertificateSelector?: TypedExtensionConfig;
}

export interface CommonTlsContextCombinedCertificateValidationContext {
  readonly defaultValidationContext?: CertificateValidationContext;
  readonly validationContextSdsSecretConfig?: SdsSecretConfig;
}

export interface DownstreamTlsContext {
  readonly commonTlsContext?: CommonTlsContext;
  readonly requireClientCertificate?: boolean;
  readonly requireSni?: boolean;
  readonly sessionTicketKeys?: TlsSessionTicketKeys;
  readonly sessionTicketKeysSdsSecretConfig?: SdsSecretConfig;
  readonly sessionTimeout?: number;
  readonly disableStatelessSessionResumption?: boolean;
  readonly ocspStaplePolicy?: "LENIENT_STAPLING" | "STRICT_STAPLING" | "MUST_STAPLE";
  readonly fullScanCertsOnSniMismatch?: boolean;
  readonly disableStatefulSessionResumption?: boolean;
}

export interface GenericSecret {
  readonly secret?: DataSource;
}

export interface SdsSecretConfig {
  readonly name?: string;
  readonly sdsConfig?: ConfigSource;
}

export interface Secret {
  readonly name?: string;
  readonly tlsCertificate?: TlsCertificate;
  readonly sessionTicketKeys?: TlsSessionTicketKeys;
  readonly validationContext?: CertificateValidationContext;
  readonly genericSecret?: GenericSecret;
}

export interface SubjectAltNameMatcher {
  readonly sanType?: "SAN_TYPE_UNSPECIFIED" | "EMAIL" | "DNS" | "URI" | "IP_ADDRESS" | "OTHER_NAME";
  readonly matcher?: StringMatcher;
  readonly oid?: string;
}

export interface TlsCertificate {
  readonly certificateChain?: DataSource;
  readonly privateKey?: DataSource;
  readonly password?: DataSource;
  readonly ocspStaple?: DataSource;
  readonly signedCertificateTimestamp?: readonly DataSource[];
  readonly watchedDirectory?: WatchedDirectory;
  readonly pkcs12?: DataSource;
}

export interface TlsKeyLog {
  readonly path?: string;
  readonly localAddressRange?: readonly CidrRange[];
  readonly remoteAddressRange?: readonly CidrRange[];
}

export interface TlsParameters {
  readonly tlsMinimumProtocolVersion?: "TLS_AUTO" | "TLSv1_0" | "TLSv1_1" | "TLSv1_2" | "TLSv1_3";
  readonly tlsMaximumProtocolVersion?: "TLS_AUTO" | "TLSv1_0" | "TLSv1_1" | "TLSv1_2" | "TLSv1_3";
  readonly cipherSuites?: readonly string[];
  readonly ecdhCurves?: readonly string[];
  readonly signatureAlgorithms?: readonly string[];
}

export interface TlsSessionTicketKeys {
  readonly keys?: readonly DataSource[];
}

export interface UpstreamTlsContext {
  readonly commonTlsContext?: CommonTlsContext;
  readonly sni?: string;
  readonly allowRenegotiation?: boolean;
  readonly maxSessionKeys?: number;
  readonly enforceRsaKeyUsage?: boolean;
}

export interface HttpProtocolOptions {
  readonly commonHttpProtocolOptions?: CoreHttpProtocolOptions;
  readonly upstreamHttpProtocolOptions?: UpstreamHttpProtocolOptions;
  readonly explicitHttpConfig?: HttpProtocolOptionsExplicitHttpConfig;
  readonly useDownstreamProtocolConfig?: HttpProtocolOptionsUseDownstreamHttpConfig;
  readonly autoConfig?: HttpProtocolOptionsAutoHttpConfig;
  readonly httpFilters?: readonly HttpFilter[];
  readonly headerValidationConfig?: TypedExtensionConfig;
}

export interface HttpProtocolOptionsAutoHttpConfig {
  readonly httpProtocolOptions?: Http1ProtocolOptions;
  readonly http2ProtocolOptions?: Http2ProtocolOptions;
  readonly alternateProtocolsCacheOptions?: AlternateProtocolsCacheOptions;
}

export interface HttpProtocolOptionsExplicitHttpConfig {
  readonly httpProtocolOptions?: Http1ProtocolOptions;
  readonly http2ProtocolOptions?: Http2ProtocolOptions;
}

export interface HttpProtocolOptionsUseDownstreamHttpConfig {
  readonly httpProtocolOptions?: Http1ProtocolOptions;
  readonly http2ProtocolOptions?: Http2ProtocolOptions;
}

export interface TcpProtocolOptions {
  readonly idleTimeout?: number;
}

export interface DeltaDiscoveryRequest {
  readonly node?: Node;
  readonly typeUrl?: string;
  readonly resourceNamesSubscribe?: readonly string[];
  readonly resourceNamesUnsubscribe?: readonly string[];
  readonly initialResourceVersions?: ReadonlyMap<string, string>;
  readonly responseNonce?: string;
  readonly errorDetail?: Status;
  readonly resourceLocatorsSubscribe?: readonly ResourceLocator[];
  readonly resourceLocatorsUnsubscribe?: readonly ResourceLocator[];
}

export interface DeltaDiscoveryResponse {
  readonly systemVersionInfo?: string;
  readonly resources?: readonly Resource[];
  readonly typeUrl?: string;
  readonly nonce?: string;
  readonly removedResources?: readonly string[];
  readonly controlPlane?: ControlPlane;
  readonly removedResourceNames?: readonly ResourceName[];
}

export interface Resource {
  readonly version?: string;
  readonly resource?: Any;
  readonly name?: string;
  readonly aliases?: readonly string[];
  readonly ttl?: number;
  readonly cacheControl?: ResourceCacheControl;
  readonly resourceName?: ResourceName;
  readonly metadata?: Metadata;
}

export interface ResourceCacheControl {
  readonly doNotCache?: boolean;
}

export interface ResourceLocator {
  readonly name?: string;
  readonly dynamicParameters?: ReadonlyMap<string, string>;
}

export interface ResourceName {
  readonly name?: string;
}

export interface Cookie {
  readonly name?: string;
  readonly ttl?: number;
  readonly path?: string;
  readonly attributes?: readonly CookieAttribute[];
}

export interface CookieAttribute {
  readonly name?: string;
  readonly value?: string;
}

export interface PathTransformation {
  readonly operations?: readonly PathTransformationOperation[];
}

export interface PathTransformationOperation {
  readonly normalizePathRfc3986?: PathTransformationOperationNormalizePathRFC3986;
  readonly mergeSlashes?: PathTransformationOperationMergeSlashes;
}

export type PathTransformationOperationMergeSlashes = Record<string, never>;

export type PathTransformationOperationNormalizePathRFC3986 = Record<string, never>;

export interface DoubleMatcher {
  readonly range?: DoubleRange;
  readonly exact?: number;
}

export interface FilterStateMatcher {
  readonly key?: string;
  readonly stringMatch?: StringMatcher;
}

export interface HttpRequestHeaderMatchInput {
  readonly headerName?: string;
}

export interface HttpRequestQueryParamMatchInput {
  readonly queryParam?: string;
}

export interface HttpRequestTrailerMatchInput {
  readonly headerName?: string;
}

export interface HttpResponseHeaderMatchInput {
  readonly headerName?: string;
}

export type HttpResponseStatusCodeMatchInput = Record<string, never>;

export interface ListMatcher {
  readonly oneOf?: ValueMatcher;
}

export interface ListStringMatcher {
  readonly patterns?: readonly StringMatcher[];
}

export interface MetadataMatcher {
  readonly filter?: string;
  readonly path?: readonly MetadataMatcherPathSegment[];
  readonly value?: ValueMatcher;
  readonly invert?: boolean;
}

export interface MetadataMatcherPathSegment {
  readonly key?: string;
}

export interface OrMatcher {
  readonly valueMatchers?: readonly ValueMatcher[];
}

export interface PathMatcher {
  readonly path?: StringMatcher;
}

export interface RegexMatchAndSubstitute {
  readonly pattern?: RegexMatcher;
  readonly substitution?: string;
}

export interface RegexMatcher {
  readonly regex?: string;
}

export interface StringMatcher {
  readonly exact?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly safeRegex?: RegexMatcher;
  readonly ignoreCase?: boolean;
  readonly contains?: string;
  readonly custom?: XdsTypedExtensionConfig;
}

export interface ValueMatcher {
  readonly nullMatch?: ValueMatcherNullMatch;
  readonly doubleMatch?: DoubleMatcher;
  readonly stringMatch?: StringMatcher;
  readonly boolMatch?: boolean;
  readonly presentMatch?: boolean;
  readonly listMatch?: ListMatcher;
  readonly orMatch?: OrMatcher;
}

export type ValueMatcherNullMatch = Record<string, never>;

export interface MetadataKey {
  readonly key?: string;
  readonly path?: readonly MetadataKeyPathSegment[];
}

export interface MetadataKeyPathSegment {
  readonly key?: string;
}

export interface MetadataKind {
  readonly request?: MetadataKindRequest;
  readonly route?: MetadataKindRoute;
  readonly cluster?: MetadataKindCluster;
  readonly host?: MetadataKindHost;
}

export type MetadataKindCluster = Record<string, never>;

export type MetadataKindHost = Record<string, never>;

export type MetadataKindRequest = Record<string, never>;

export type MetadataKindRoute = Record<string, never>;

export interface DoubleRange {
  readonly start?: number;
  readonly end?: number;
}

export interface FractionalPercent {
  readonly numerator?: number;
  readonly denominator?: "HUNDRED" | "TEN_THOUSAND" | "MILLION";
}

export interface HttpStatus {
  readonly code?: "Empty" | "Continue" | "OK" | "Created" | "Accepted" | "NonAuthoritativeInformation" | "NoContent" | "ResetContent" | "PartialContent" | "MultiStatus" | "AlreadyReported" | "IMUsed" | "MultipleChoices" | "MovedPermanently" | "Found" | "SeeOther" | "NotModified" | "UseProxy" | "TemporaryRedirect" | "PermanentRedirect" | "BadRequest" | "Unauthorized" | "PaymentRequired" | "Forbidden" | "NotFound" | "MethodNotAllowed" | "NotAcceptable" | "ProxyAuthenticationRequired" | "RequestTimeout" | "Conflict" | "Gone" | "LengthRequired" | "PreconditionFailed" | "PayloadTooLarge" | "URITooLong" | "UnsupportedMediaType" | "RangeNotSatisfiable" | "ExpectationFailed" | "MisdirectedRequest" | "UnprocessableEntity" | "Locked" | "FailedDependency" | "UpgradeRequired" | "PreconditionRequired" | "TooManyRequests" | "RequestHeaderFieldsTooLarge" | "InternalServerError" | "NotImplemented" | "BadGateway" | "ServiceUnavailable" | "GatewayTimeout" | "HTTPVersionNotSupported" | "VariantAlsoNegotiates" | "InsufficientStorage" | "LoopDetected" | "NotExtended" | "NetworkAuthenticationRequired";
}

export interface Int32Range {
  readonly start?: number;
  readonly end?: number;
}

export interface Int64Range {
  readonly start?: number | bigint;
  readonly end?: number | bigint;
}

export interface Percent {
  readonly value?: number;
}

export interface TokenBucket {
  readonly maxTokens?: number;
  readonly tokensPerFill?: number;
  readonly fillInterval?: number;
}

export interface Status {
  readonly code?: number;
  readonly message?: string;
  readonly details?: readonly Any[];
}

export interface XdsTypedExtensionConfig {
  readonly name?: string;
  readonly typedConfig?: Any;
}

export interface IPMatcher {
  readonly rangeMatchers?: readonly IPMatcherIPRangeMatcher[];
}

export interface IPMatcherIPRangeMatcher {
  readonly onMatch?: MatcherOnMatch;
  readonly exclusive?: boolean;
}

export interface XdsListStringMatcher {
  readonly patterns?: readonly XdsStringMatcher[];
}

export interface Matcher {
  readonly matcherList?: MatcherMatcherList;
  readonly matcherTree?: MatcherMatcherTree;
  readonly onNoMatch?: MatcherOnMatch;
}

export interface MatcherMatcherList {
  readonly matchers?: readonly MatcherMatcherListFieldMatcher[];
}

export interface MatcherMatcherListFieldMatcher {
  readonly predicate?: MatcherMatcherListPredicate;
  readonly onMatch?: MatcherOnMatch;
}

export interface MatcherMatcherListPredicate {
  readonly singlePredicate?: MatcherMatcherListPredicateSinglePredicate;
  readonly orMatcher?: MatcherMatcherListPredicatePredicateList;
  readonly andMatcher?: MatcherMatcherListPredicatePredicateList;
  readonly notMatcher?: MatcherMatcherListPredicate;
}

export interface MatcherMatcherListPredicatePredicateList {
  readonly predicate?: readonly MatcherMatcherListPredicate[];
}

export interface MatcherMatcherListPredicateSinglePredicate {
  readonly input?: XdsTypedExtensionConfig;
  readonly valueMatch?: XdsStringMatcher;
  readonly customMatch?: XdsTypedExtensionConfig;
}

export interface MatcherMatcherTree {
  readonly input?: XdsTypedExtensionConfig;
  readonly exactMatchMap?: MatcherMatcherTreeMatchMap;
  readonly prefixMatchMap?: MatcherMatcherTreeMatchMap;
  readonly customMatch?: XdsTypedExtensionConfig;
}

export interface MatcherMatcherTreeMatchMap {
  readonly map?: ReadonlyMap<string, MatcherOnMatch>;
}

export interface MatcherOnMatch {
  readonly matcher?: Matcher;
  readonly action?: XdsTypedExtensionConfig;
}

export interface XdsRegexMatcher {
  readonly googleRe2?: XdsRegexMatcherGoogleRE2;
  readonly regex?: string;
}

export type XdsRegexMatcherGoogleRE2 = Record<string, never>;

export interface ServerNameMatcher {
  readonly domainMatchers?: readonly DomainMatcher[];
}

export interface DomainMatcher {
  readonly domains?: readonly string[];
  readonly onMatch?: MatcherOnMatch;
}

export interface XdsStringMatcher {
  readonly exact?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly safeRegex?: XdsRegexMatcher;
  readonly ignoreCase?: boolean;
  readonly contains?: string;
}

export type CelExpression = Record<string, never>;

export interface Messages {
  "envoy.config.accesslog.v3.AccessLog": AccessLog;
  "envoy.config.accesslog.v3.AccessLogFilter": AccessLogFilter;
  "envoy.config.accesslog.v3.AndFilter": AndFilter;
  "envoy.config.accesslog.v3.ComparisonFilter": ComparisonFilter;
  "envoy.config.accesslog.v3.HeaderFilter": HeaderFilter;
  "envoy.config.accesslog.v3.NotHealthCheckFilter": NotHealthCheckFilter;
  "envoy.config.accesslog.v3.OrFilter": OrFilter;
  "envoy.config.accesslog.v3.ResponseFlagFilter": ResponseFlagFilter;
  "envoy.config.accesslog.v3.StatusCodeFilter": StatusCodeFilter;
  "envoy.config.cluster.v3.CircuitBreakers": CircuitBreakers;
  "envoy.config.cluster.v3.CircuitBreakers.Thresholds": CircuitBreakersThresholds;
  "envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget": CircuitBreakersThresholdsRetryBudget;
  "envoy.config.cluster.v3.Cluster": Cluster;
  "envoy.config.cluster.v3.Cluster.CommonLbConfig": ClusterCommonLbConfig;
  "envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig": ClusterCommonLbConfigConsistentHashingLbConfig;
  "envoy.config.cluster.v3.Cluster.CommonLbConfig.LocalityWeightedLbConfig": ClusterCommonLbConfigLocalityWeightedLbConfig;
  "envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig": ClusterCommonLbConfigZoneAwareLbConfig;
  "envoy.config.cluster.v3.Cluster.CustomClusterType": ClusterCustomClusterType;
  "envoy.config.cluster.v3.Cluster.EdsClusterConfig": ClusterEdsClusterConfig;
  "envoy.config.cluster.v3.Cluster.LbSubsetConfig": ClusterLbSubsetConfig;
  "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector": ClusterLbSubsetConfigLbSubsetSelector;
  "envoy.config.cluster.v3.Cluster.LeastRequestLbConfig": ClusterLeastRequestLbConfig;
  "envoy.config.cluster.v3.Cluster.MaglevLbConfig": ClusterMaglevLbConfig;
  "envoy.config.cluster.v3.Cluster.OriginalDstLbConfig": ClusterOriginalDstLbConfig;
  "envoy.config.cluster.v3.Cluster.PreconnectPolicy": ClusterPreconnectPolicy;
  "envoy.config.cluster.v3.Cluster.RefreshRate": ClusterRefreshRate;
  "envoy.config.cluster.v3.Cluster.RingHashLbConfig": ClusterRingHashLbConfig;
  "envoy.config.cluster.v3.Cluster.RoundRobinLbConfig": ClusterRoundRobinLbConfig;
  "envoy.config.cluster.v3.Cluster.SlowStartConfig": ClusterSlowStartConfig;
  "envoy.config.cluster.v3.Cluster.TransportSocketMatch": ClusterTransportSocketMatch;
  "envoy.config.cluster.v3.LoadBalancingPolicy": LoadBalancingPolicy;
  "envoy.config.cluster.v3.LoadBalancingPolicy.Policy": LoadBalancingPolicyPolicy;
  "envoy.config.cluster.v3.OutlierDetection": OutlierDetection;
  "envoy.config.cluster.v3.TrackClusterStats": TrackClusterStats;
  "envoy.config.cluster.v3.UpstreamConnectionOptions": UpstreamConnectionOptions;
  "envoy.config.cluster.v3.UpstreamConnectionOptions.HappyEyeballsConfig": UpstreamConnectionOptionsHappyEyeballsConfig;
  "envoy.config.common.mutation_rules.v3.HeaderMutation": HeaderMutation;
  "envoy.config.common.mutation_rules.v3.HeaderMutation.RemoveOnMatch": HeaderMutationRemoveOnMatch;
  "envoy.config.common.mutation_rules.v3.HeaderMutationRules": HeaderMutationRules;
  "envoy.config.core.v3.Address": Address;
  "envoy.config.core.v3.AggregatedConfigSource": AggregatedConfigSource;
  "envoy.config.core.v3.AlternateProtocolsCacheOptions": AlternateProtocolsCacheOptions;
  "envoy.config.core.v3.AlternateProtocolsCacheOptions.AlternateProtocolsCacheEntry": AlternateProtocolsCacheOptionsAlternateProtocolsCacheEntry;
  "envoy.config.core.v3.ApiConfigSource": ApiConfigSource;
  "envoy.config.core.v3.AsyncDataSource": AsyncDataSource;
  "envoy.config.core.v3.BackoffStrategy": BackoffStrategy;
  "envoy.config.core.v3.BindConfig": BindConfig;
  "envoy.config.core.v3.BuildVersion": BuildVersion;
  "envoy.config.core.v3.CidrRange": CidrRange;
  "envoy.config.core.v3.ConfigSource": ConfigSource;
  "envoy.config.core.v3.ControlPlane": ControlPlane;
  "envoy.config.core.v3.DataSource": DataSource;
  "envoy.config.core.v3.DnsResolutionConfig": DnsResolutionConfig;
  "envoy.config.core.v3.DnsResolverOptions": DnsResolverOptions;
  "envoy.config.core.v3.EnvoyInternalAddress": EnvoyInternalAddress;
  "envoy.config.core.v3.Extension": Extension;
  "envoy.config.core.v3.ExtraSourceAddress": ExtraSourceAddress;
  "envoy.config.core.v3.GrpcService": GrpcService;
  "envoy.config.core.v3.GrpcService.EnvoyGrpc": GrpcServiceEnvoyGrpc;
  "envoy.config.core.v3.GrpcService.GoogleGrpc": GrpcServiceGoogleGrpc;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials": GrpcServiceGoogleGrpcCallCredentials;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials": GrpcServiceGoogleGrpcCallCredentialsGoogleIAMCredentials;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin": GrpcServiceGoogleGrpcCallCredentialsMetadataCredentialsFromPlugin;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials": GrpcServiceGoogleGrpcCallCredentialsServiceAccountJWTAccessCredentials;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.StsService": GrpcServiceGoogleGrpcCallCredentialsStsService;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelArgs": GrpcServiceGoogleGrpcChannelArgs;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelArgs.Value": GrpcServiceGoogleGrpcChannelArgsValue;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelCredentials": GrpcServiceGoogleGrpcChannelCredentials;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.GoogleLocalCredentials": GrpcServiceGoogleGrpcGoogleLocalCredentials;
  "envoy.config.core.v3.GrpcService.GoogleGrpc.SslCredentials": GrpcServiceGoogleGrpcSslCredentials;
  "envoy.config.core.v3.HeaderMap": HeaderMap;
  "envoy.config.core.v3.HeaderValue": HeaderValue;
  "envoy.config.core.v3.HeaderValueOption": HeaderValueOption;
  "envoy.config.core.v3.HealthCheck": HealthCheck;
  "envoy.config.core.v3.HealthCheck.CustomHealthCheck": HealthCheckCustomHealthCheck;
  "envoy.config.core.v3.HealthCheck.GrpcHealthCheck": HealthCheckGrpcHealthCheck;
  "envoy.config.core.v3.HealthCheck.HttpHealthCheck": HealthCheckHttpHealthCheck;
  "envoy.config.core.v3.HealthCheck.Payload": HealthCheckPayload;
  "envoy.config.core.v3.HealthCheck.TcpHealthCheck": HealthCheckTcpHealthCheck;
  "envoy.config.core.v3.HealthCheck.TlsOptions": HealthCheckTlsOptions;
  "envoy.config.core.v3.Http1ProtocolOptions": Http1ProtocolOptions;
  "envoy.config.core.v3.Http1ProtocolOptions.HeaderKeyFormat": Http1ProtocolOptionsHeaderKeyFormat;
  "envoy.config.core.v3.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords": Http1ProtocolOptionsHeaderKeyFormatProperCaseWords;
  "envoy.config.core.v3.Http2ProtocolOptions": Http2ProtocolOptions;
  "envoy.config.core.v3.Http2ProtocolOptions.SettingsParameter": Http2ProtocolOptionsSettingsParameter;
  "envoy.config.core.v3.HttpProtocolOptions": CoreHttpProtocolOptions;
  "envoy.config.core.v3.HttpUri": HttpUri;
  "envoy.config.core.v3.JsonFormatOptions": JsonFormatOptions;
  "envoy.config.core.v3.KeepaliveSettings": KeepaliveSettings;
  "envoy.config.core.v3.Locality": Locality;
  "envoy.config.core.v3.Metadata": Metadata;
  "envoy.config.core.v3.Node": Node;
  "envoy.config.core.v3.PathConfigSource": PathConfigSource;
  "envoy.config.core.v3.Pipe": Pipe;
  "envoy.config.core.v3.ProxyProtocolConfig": ProxyProtocolConfig;
  "envoy.config.core.v3.QueryParameter": QueryParameter;
  "envoy.config.core.v3.RateLimitSettings": RateLimitSettings;
  "envoy.config.core.v3.RetryPolicy": CoreRetryPolicy;
  "envoy.config.core.v3.RetryPolicy.RetryHostPredicate": CoreRetryPolicyRetryHostPredicate;
  "envoy.config.core.v3.RetryPolicy.RetryPriority": CoreRetryPolicyRetryPriority;
  "envoy.config.core.v3.RuntimeDouble": RuntimeDouble;
  "envoy.config.core.v3.RuntimeFeatureFlag": RuntimeFeatureFlag;
  "envoy.config.core.v3.RuntimeFractionalPercent": RuntimeFractionalPercent;
  "envoy.config.core.v3.RuntimePercent": RuntimePercent;
  "envoy.config.core.v3.RuntimeUInt32": RuntimeUInt32;
  "envoy.config.core.v3.SelfConfigSource": SelfConfigSource;
  "envoy.config.core.v3.SocketAddress": SocketAddress;
  "envoy.config.core.v3.SocketOption": SocketOption;
  "envoy.config.core.v3.SocketOptionsOverride": SocketOptionsOverride;
  "envoy.config.core.v3.SubstitutionFormatString": SubstitutionFormatString;
  "envoy.config.core.v3.TcpKeepalive": TcpKeepalive;
  "envoy.config.core.v3.TransportSocket": TransportSocket;
  "envoy.config.core.v3.TypedExtensionConfig": TypedExtensionConfig;
  "envoy.config.core.v3.UdpSocketConfig": UdpSocketConfig;
  "envoy.config.core.v3.UpstreamHttpProtocolOptions": UpstreamHttpProtocolOptions;
  "envoy.config.core.v3.WatchedDirectory": WatchedDirectory;
  "envoy.config.endpoint.v3.ClusterLoadAssignment": ClusterLoadAssignment;
  "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy": ClusterLoadAssignmentPolicy;
  "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload": ClusterLoadAssignmentPolicyDropOverload;
  "envoy.config.endpoint.v3.Endpoint": Endpoint;
  "envoy.config.endpoint.v3.Endpoint.AdditionalAddress": EndpointAdditionalAddress;
  "envoy.config.endpoint.v3.Endpoint.HealthCheckConfig": EndpointHealthCheckConfig;
  "envoy.config.endpoint.v3.LbEndpoint": LbEndpoint;
  "envoy.config.endpoint.v3.LocalityLbEndpoints": LocalityLbEndpoints;
  "envoy.config.endpoint.v3.LocalityLbEndpoints.LbEndpointList": LocalityLbEndpointsLbEndpointList;
  "envoy.config.listener.v3.AdditionalAddress": AdditionalAddress;
  "envoy.config.listener.v3.Filter": Filter;
  "envoy.config.listener.v3.FilterChain": FilterChain;
  "envoy.config.listener.v3.FilterChain.OnDemandConfiguration": FilterChainOnDemandConfiguration;
  "envoy.config.listener.v3.FilterChainMatch": FilterChainMatch;
  "envoy.config.listener.v3.Listener": Listener;
  "envoy.config.listener.v3.Listener.ConnectionBalanceConfig": ListenerConnectionBalanceConfig;
  "envoy.config.listener.v3.Listener.ConnectionBalanceConfig.ExactBalance": ListenerConnectionBalanceConfigExactBalance;
  "envoy.config.listener.v3.Listener.InternalListenerConfig": ListenerInternalListenerConfig;
  "envoy.config.listener.v3.ListenerFilter": ListenerFilter;
  "envoy.config.listener.v3.ListenerFilterChainMatchPredicate": ListenerFilterChainMatchPredicate;
  "envoy.config.listener.v3.ListenerFilterChainMatchPredicate.MatchSet": ListenerFilterChainMatchPredicateMatchSet;
  "envoy.config.listener.v3.QuicProtocolOptions": QuicProtocolOptions;
  "envoy.config.listener.v3.UdpListenerConfig": UdpListenerConfig;
  "envoy.config.rbac.v3.Permission": Permission;
  "envoy.config.rbac.v3.Permission.Set": PermissionSet;
  "envoy.config.rbac.v3.Policy": Policy;
  "envoy.config.rbac.v3.Principal": Principal;
  "envoy.config.rbac.v3.Principal.Authenticated": PrincipalAuthenticated;
  "envoy.config.rbac.v3.Principal.Set": PrincipalSet;
  "envoy.config.rbac.v3.RBAC": RBAC;
  "envoy.config.rbac.v3.RBAC.AuditLoggingOptions": RBACAuditLoggingOptions;
  "envoy.config.rbac.v3.RBAC.AuditLoggingOptions.AuditLoggerConfig": RBACAuditLoggingOptionsAuditLoggerConfig;
  "envoy.config.route.v3.CorsPolicy": RouteCorsPolicy;
  "envoy.config.route.v3.DirectResponseAction": DirectResponseAction;
  "envoy.config.route.v3.FilterConfig": FilterConfig;
  "envoy.config.route.v3.HeaderMatcher": HeaderMatcher;
  "envoy.config.route.v3.HedgePolicy": HedgePolicy;
  "envoy.config.route.v3.InternalRedirectPolicy": InternalRedirectPolicy;
  "envoy.config.route.v3.NonForwardingAction": NonForwardingAction;
  "envoy.config.route.v3.QueryParameterMatcher": QueryParameterMatcher;
  "envoy.config.route.v3.RedirectAction": RedirectAction;
  "envoy.config.route.v3.RetryPolicy": RetryPolicy;
  "envoy.config.route.v3.RetryPolicy.RateLimitedRetryBackOff": RetryPolicyRateLimitedRetryBackOff;
  "envoy.config.route.v3.RetryPolicy.ResetHeader": RetryPolicyResetHeader;
  "envoy.config.route.v3.RetryPolicy.RetryBackOff": RetryPolicyRetryBackOff;
  "envoy.config.route.v3.RetryPolicy.RetryHostPredicate": RetryPolicyRetryHostPredicate;
  "envoy.config.route.v3.RetryPolicy.RetryPriority": RetryPolicyRetryPriority;
  "envoy.config.route.v3.Route": Route;
  "envoy.config.route.v3.RouteAction": RouteAction;
  "envoy.config.route.v3.RouteAction.HashPolicy": RouteActionHashPolicy;
  "envoy.config.route.v3.RouteAction.HashPolicy.ConnectionProperties": RouteActionHashPolicyConnectionProperties;
  "envoy.config.route.v3.RouteAction.HashPolicy.Cookie": RouteActionHashPolicyCookie;
  "envoy.config.route.v3.RouteAction.HashPolicy.CookieAttribute": RouteActionHashPolicyCookieAttribute;
  "envoy.config.route.v3.RouteAction.HashPolicy.FilterState": RouteActionHashPolicyFilterState;
  "envoy.config.route.v3.RouteAction.HashPolicy.Header": RouteActionHashPolicyHeader;
  "envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter": RouteActionHashPolicyQueryParameter;
  "envoy.config.route.v3.RouteAction.MaxStreamDuration": RouteActionMaxStreamDuration;
  "envoy.config.route.v3.RouteAction.RequestMirrorPolicy": RouteActionRequestMirrorPolicy;
  "envoy.config.route.v3.RouteAction.UpgradeConfig": RouteActionUpgradeConfig;
  "envoy.config.route.v3.RouteAction.UpgradeConfig.ConnectConfig": RouteActionUpgradeConfigConnectConfig;
  "envoy.config.route.v3.RouteConfiguration": RouteConfiguration;
  "envoy.config.route.v3.RouteList": RouteList;
  "envoy.config.route.v3.RouteMatch": RouteMatch;
  "envoy.config.route.v3.RouteMatch.ConnectMatcher": RouteMatchConnectMatcher;
  "envoy.config.route.v3.RouteMatch.GrpcRouteMatchOptions": RouteMatchGrpcRouteMatchOptions;
  "envoy.config.route.v3.RouteMatch.TlsContextMatchOptions": RouteMatchTlsContextMatchOptions;
  "envoy.config.route.v3.ScopedRouteConfiguration": ScopedRouteConfiguration;
  "envoy.config.route.v3.ScopedRouteConfiguration.Key": ScopedRouteConfigurationKey;
  "envoy.config.route.v3.ScopedRouteConfiguration.Key.Fragment": ScopedRouteConfigurationKeyFragment;
  "envoy.config.route.v3.VirtualHost": VirtualHost;
  "envoy.config.route.v3.WeightedCluster": WeightedCluster;
  "envoy.config.route.v3.WeightedCluster.ClusterWeight": WeightedClusterClusterWeight;
  "envoy.extensions.access_loggers.file.v3.FileAccessLog": FileAccessLog;
  "envoy.extensions.access_loggers.stream.v3.StderrAccessLog": StderrAccessLog;
  "envoy.extensions.access_loggers.stream.v3.StdoutAccessLog": StdoutAccessLog;
  "envoy.extensions.clusters.aggregate.v3.ClusterConfig": AggregateCluster;
  "envoy.extensions.common.matching.v3.ExtensionWithMatcher": ExtensionWithMatcher;
  "envoy.extensions.common.matching.v3.ExtensionWithMatcherPerRoute": ExtensionWithMatcherPerRoute;
  "envoy.extensions.filters.common.matcher.action.v3.SkipFilter": SkipFilter;
  "envoy.extensions.filters.common.set_filter_state.v3.FilterStateValue": FilterStateValue;
  "envoy.extensions.filters.http.buffer.v3.Buffer": BufferFilter;
  "envoy.extensions.filters.http.buffer.v3.BufferPerRoute": BufferPerRoute;
  "envoy.extensions.filters.http.composite.v3.Composite": Composite;
  "envoy.extensions.filters.http.composite.v3.DynamicConfig": DynamicConfig;
  "envoy.extensions.filters.http.composite.v3.ExecuteFilterAction": ExecuteFilterAction;
  "envoy.extensions.filters.http.composite.v3.FilterChainConfiguration": FilterChainConfiguration;
  "envoy.extensions.filters.http.cors.v3.Cors": Cors;
  "envoy.extensions.filters.http.cors.v3.CorsPolicy": CorsPolicy;
  "envoy.extensions.filters.http.custom_response.v3.CustomResponse": CustomResponse;
  "envoy.extensions.filters.http.ext_authz.v3.AuthorizationRequest": AuthorizationRequest;
  "envoy.extensions.filters.http.ext_authz.v3.AuthorizationResponse": AuthorizationResponse;
  "envoy.extensions.filters.http.ext_authz.v3.BufferSettings": BufferSettings;
  "envoy.extensions.filters.http.ext_authz.v3.CheckSettings": CheckSettings;
  "envoy.extensions.filters.http.ext_authz.v3.ExtAuthz": ExtAuthz;
  "envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute": ExtAuthzPerRoute;
  "envoy.extensions.filters.http.ext_authz.v3.HttpService": HttpService;
  "envoy.extensions.filters.http.fault.v3.FaultAbort": FaultAbort;
  "envoy.extensions.filters.http.fault.v3.FaultAbort.HeaderAbort": FaultAbortHeaderAbort;
  "envoy.extensions.filters.http.fault.v3.HTTPFault": HTTPFault;
  "envoy.extensions.filters.http.header_mutation.v3.HeaderMutation": HeaderMutationFilter;
  "envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute": HeaderMutationPerRoute;
  "envoy.extensions.filters.http.header_mutation.v3.Mutations": Mutations;
  "envoy.extensions.filters.http.header_to_metadata.v3.Config": HeaderToMetadata;
  "envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair": HeaderToMetadataKeyValuePair;
  "envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule": HeaderToMetadataRule;
  "envoy.extensions.filters.http.health_check.v3.HealthCheck": HealthCheckFilter;
  "envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit": LocalRateLimit;
  "envoy.extensions.filters.http.lua.v3.Lua": Lua;
  "envoy.extensions.filters.http.lua.v3.LuaPerRoute": LuaPerRoute;
  "envoy.extensions.filters.http.on_demand.v3.OnDemand": OnDemand;
  "envoy.extensions.filters.http.on_demand.v3.OnDemandCds": OnDemandCds;
  "envoy.extensions.filters.http.on_demand.v3.PerRouteConfig": OnDemandPerRoute;
  "envoy.extensions.filters.http.rbac.v3.RBAC": HttpRbac;
  "envoy.extensions.filters.http.rbac.v3.RBACPerRoute": RBACPerRoute;
  "envoy.extensions.filters.http.router.v3.Router": Router;
  "envoy.extensions.filters.http.router.v3.Router.UpstreamAccessLogOptions": RouterUpstreamAccessLogOptions;
  "envoy.extensions.filters.http.set_filter_state.v3.Config": SetFilterState;
  "envoy.extensions.filters.http.set_metadata.v3.Config": SetMetadata;
  "envoy.extensions.filters.http.set_metadata.v3.Metadata": SetMetadataValue;
  "envoy.extensions.filters.http.stateful_session.v3.StatefulSession": StatefulSession;
  "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute": StatefulSessionPerRoute;
  "envoy.extensions.filters.http.upstream_codec.v3.UpstreamCodec": UpstreamCodec;
  "envoy.extensions.filters.listener.http_inspector.v3.HttpInspector": HttpInspector;
  "envoy.extensions.filters.listener.original_dst.v3.OriginalDst": OriginalDst;
  "envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol": ProxyProtocol;
  "envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.KeyValuePair": ProxyProtocolKeyValuePair;
  "envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.Rule": ProxyProtocolRule;
  "envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector": TlsInspector;
  "envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit": ConnectionLimit;
  "envoy.extensions.filters.network.direct_response.v3.Config": NetworkDirectResponse;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager": HttpConnectionManager;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.HcmAccessLogOptions": HttpConnectionManagerHcmAccessLogOptions;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.InternalAddressConfig": HttpConnectionManagerInternalAddressConfig;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.PathNormalizationOptions": HttpConnectionManagerPathNormalizationOptions;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ProxyStatusConfig": HttpConnectionManagerProxyStatusConfig;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.SetCurrentClientCertDetails": HttpConnectionManagerSetCurrentClientCertDetails;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.Tracing": HttpConnectionManagerTracing;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.UpgradeConfig": HttpConnectionManagerUpgradeConfig;
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter": HttpFilter;
  "envoy.extensions.filters.network.http_connection_manager.v3.LocalReplyConfig": LocalReplyConfig;
  "envoy.extensions.filters.network.http_connection_manager.v3.Rds": Rds;
  "envoy.extensions.filters.network.http_connection_manager.v3.RequestIDExtension": RequestIDExtension;
  "envoy.extensions.filters.network.http_connection_manager.v3.ResponseMapper": ResponseMapper;
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRds": ScopedRds;
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRouteConfigurationsList": ScopedRouteConfigurationsList;
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes": ScopedRoutes;
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder": ScopedRoutesScopeKeyBuilder;
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder": ScopedRoutesScopeKeyBuilderFragmentBuilder;
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor": ScopedRoutesScopeKeyBuilderFragmentBuilderHeaderValueExtractor;
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor.KvElement": ScopedRoutesScopeKeyBuilderFragmentBuilderHeaderValueExtractorKvElement;
  "envoy.extensions.filters.network.rbac.v3.RBAC": NetworkRbac;
  "envoy.extensions.filters.network.set_filter_state.v3.Config": NetworkSetFilterState;
  "envoy.extensions.filters.network.sni_cluster.v3.SniCluster": SniCluster;
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy": TcpProxy;
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.OnDemand": TcpProxyOnDemand;
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.TcpAccessLogOptions": TcpProxyTcpAccessLogOptions;
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.TunnelingConfig": TcpProxyTunnelingConfig;
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster": TcpProxyWeightedCluster;
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight": TcpProxyWeightedClusterClusterWeight;
  "envoy.extensions.filters.udp.udp_proxy.v3.Route": UdpProxyRoute;
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig": UdpProxyConfig;
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.HashPolicy": UdpProxyConfigHashPolicy;
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.SessionFilter": UdpProxyConfigSessionFilter;
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpAccessLogOptions": UdpProxyConfigUdpAccessLogOptions;
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig": UdpProxyConfigUdpTunnelingConfig;
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.BufferOptions": UdpProxyConfigUdpTunnelingConfigBufferOptions;
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.RetryOptions": UdpProxyConfigUdpTunnelingConfigRetryOptions;
  "envoy.extensions.formatter.metadata.v3.Metadata": MetadataFormatter;
  "envoy.extensions.formatter.req_without_query.v3.ReqWithoutQuery": ReqWithoutQuery;
  "envoy.extensions.http.custom_response.local_response_policy.v3.LocalResponsePolicy": LocalResponsePolicy;
  "envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation": EarlyHeaderMutation;
  "envoy.extensions.http.header_formatters.preserve_case.v3.PreserveCaseFormatterConfig": PreserveCaseFormatterConfig;
  "envoy.extensions.http.original_ip_detection.custom_header.v3.CustomHeaderConfig": CustomHeaderConfig;
  "envoy.extensions.http.original_ip_detection.xff.v3.XffConfig": XffConfig;
  "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState": CookieBasedSessionState;
  "envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState": HeaderBasedSessionState;
  "envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig": ConsistentHashingLbConfig;
  "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig": LocalityLbConfig;
  "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig": LocalityLbConfigLocalityWeightedLbConfig;
  "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig": LocalityLbConfigZoneAwareLbConfig;
  "envoy.extensions.load_balancing_policies.common.v3.SlowStartConfig": SlowStartConfig;
  "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest": LeastRequest;
  "envoy.extensions.load_balancing_policies.maglev.v3.Maglev": Maglev;
  "envoy.extensions.load_balancing_policies.random.v3.Random": Random;
  "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash": RingHash;
  "envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin": RoundRobin;
  "envoy.extensions.matching.common_inputs.network.v3.ApplicationProtocolInput": ApplicationProtocolInput;
  "envoy.extensions.matching.common_inputs.network.v3.DestinationIPInput": DestinationIPInput;
  "envoy.extensions.matching.common_inputs.network.v3.DestinationPortInput": DestinationPortInput;
  "envoy.extensions.matching.common_inputs.network.v3.DirectSourceIPInput": DirectSourceIPInput;
  "envoy.extensions.matching.common_inputs.network.v3.FilterStateInput": FilterStateInput;
  "envoy.extensions.matching.common_inputs.network.v3.ServerNameInput": ServerNameInput;
  "envoy.extensions.matching.common_inputs.network.v3.SourceIPInput": SourceIPInput;
  "envoy.extensions.matching.common_inputs.network.v3.SourcePortInput": SourcePortInput;
  "envoy.extensions.matching.common_inputs.network.v3.SourceTypeInput": SourceTypeInput;
  "envoy.extensions.matching.common_inputs.network.v3.TransportProtocolInput": TransportProtocolInput;
  "envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig": CaresDnsResolverConfig;
  "envoy.extensions.network.dns_resolver.getaddrinfo.v3.GetAddrInfoDnsResolverConfig": GetAddrInfoDnsResolverConfig;
  "envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig": UriTemplateMatchConfig;
  "envoy.extensions.path.rewrite.uri_template.v3.UriTemplateRewriteConfig": UriTemplateRewriteConfig;
  "envoy.extensions.request_id.uuid.v3.UuidRequestIdConfig": UuidRequestIdConfig;
  "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate": PreviousHostsPredicate;
  "envoy.extensions.router.cluster_specifiers.lua.v3.LuaConfig": LuaConfig;
  "envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer": RawBuffer;
  "envoy.extensions.transport_sockets.tls.cert_mappers.sni.v3.SNI": SniCertificateMapper;
  "envoy.extensions.transport_sockets.tls.cert_mappers.static_name.v3.StaticName": StaticCertificateMapper;
  "envoy.extensions.transport_sockets.tls.cert_selectors.on_demand_secret.v3.Config": OnDemandSecret;
  "envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance": CertificateProviderPluginInstance;
  "envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext": CertificateValidationContext;
  "envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext.SystemRootCerts": CertificateValidationContextSystemRootCerts;
  "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext": CommonTlsContext;
  "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext": CommonTlsContextCombinedCertificateValidationContext;
  "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext": DownstreamTlsContext;
  "envoy.extensions.transport_sockets.tls.v3.GenericSecret": GenericSecret;
  "envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig": SdsSecretConfig;
  "envoy.extensions.transport_sockets.tls.v3.Secret": Secret;
  "envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher": SubjectAltNameMatcher;
  "envoy.extensions.transport_sockets.tls.v3.TlsCertificate": TlsCertificate;
  "envoy.extensions.transport_sockets.tls.v3.TlsKeyLog": TlsKeyLog;
  "envoy.extensions.transport_sockets.tls.v3.TlsParameters": TlsParameters;
  "envoy.extensions.transport_sockets.tls.v3.TlsSessionTicketKeys": TlsSessionTicketKeys;
  "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext": UpstreamTlsContext;
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": HttpProtocolOptions;
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.AutoHttpConfig": HttpProtocolOptionsAutoHttpConfig;
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig": HttpProtocolOptionsExplicitHttpConfig;
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.UseDownstreamHttpConfig": HttpProtocolOptionsUseDownstreamHttpConfig;
  "envoy.extensions.upstreams.tcp.v3.TcpProtocolOptions": TcpProtocolOptions;
  "envoy.service.discovery.v3.DeltaDiscoveryRequest": DeltaDiscoveryRequest;
  "envoy.service.discovery.v3.DeltaDiscoveryResponse": DeltaDiscoveryResponse;
  "envoy.service.discovery.v3.Resource": Resource;
  "envoy.service.discovery.v3.Resource.CacheControl": ResourceCacheControl;
  "envoy.service.discovery.v3.ResourceLocator": ResourceLocator;
  "envoy.service.discovery.v3.ResourceName": ResourceName;
  "envoy.type.http.v3.Cookie": Cookie;
  "envoy.type.http.v3.CookieAttribute": CookieAttribute;
  "envoy.type.http.v3.PathTransformation": PathTransformation;
  "envoy.type.http.v3.PathTransformation.Operation": PathTransformationOperation;
  "envoy.type.http.v3.PathTransformation.Operation.MergeSlashes": PathTransformationOperationMergeSlashes;
  "envoy.type.http.v3.PathTransformation.Operation.NormalizePathRFC3986": PathTransformationOperationNormalizePathRFC3986;
  "envoy.type.matcher.v3.DoubleMatcher": DoubleMatcher;
  "envoy.type.matcher.v3.FilterStateMatcher": FilterStateMatcher;
  "envoy.type.matcher.v3.HttpRequestHeaderMatchInput": HttpRequestHeaderMatchInput;
  "envoy.type.matcher.v3.HttpRequestQueryParamMatchInput": HttpRequestQueryParamMatchInput;
  "envoy.type.matcher.v3.HttpRequestTrailerMatchInput": HttpRequestTrailerMatchInput;
  "envoy.type.matcher.v3.HttpResponseHeaderMatchInput": HttpResponseHeaderMatchInput;
  "envoy.type.matcher.v3.HttpResponseStatusCodeMatchInput": HttpResponseStatusCodeMatchInput;
  "envoy.type.matcher.v3.ListMatcher": ListMatcher;
  "envoy.type.matcher.v3.ListStringMatcher": ListStringMatcher;
  "envoy.type.matcher.v3.MetadataMatcher": MetadataMatcher;
  "envoy.type.matcher.v3.MetadataMatcher.PathSegment": MetadataMatcherPathSegment;
  "envoy.type.matcher.v3.OrMatcher": OrMatcher;
  "envoy.type.matcher.v3.PathMatcher": PathMatcher;
  "envoy.type.matcher.v3.RegexMatchAndSubstitute": RegexMatchAndSubstitute;
  "envoy.type.matcher.v3.RegexMatcher": RegexMatcher;
  "envoy.type.matcher.v3.StringMatcher": StringMatcher;
  "envoy.type.matcher.v3.ValueMatcher": ValueMatcher;
  "envoy.type.matcher.v3.ValueMatcher.NullMatch": ValueMatcherNullMatch;
  "envoy.type.metadata.v3.MetadataKey": MetadataKey;
  "envoy.type.metadata.v3.MetadataKey.PathSegment": MetadataKeyPathSegment;
  "envoy.type.metadata.v3.MetadataKind": MetadataKind;
  "envoy.type.metadata.v3.MetadataKind.Cluster": MetadataKindCluster;
  "envoy.type.metadata.v3.MetadataKind.Host": MetadataKindHost;
  "envoy.type.metadata.v3.MetadataKind.Request": MetadataKindRequest;
  "envoy.type.metadata.v3.MetadataKind.Route": MetadataKindRoute;
  "envoy.type.v3.DoubleRange": DoubleRange;
  "envoy.type.v3.FractionalPercent": FractionalPercent;
  "envoy.type.v3.HttpStatus": HttpStatus;
  "envoy.type.v3.Int32Range": Int32Range;
  "envoy.type.v3.Int64Range": Int64Range;
  "envoy.type.v3.Percent": Percent;
  "envoy.type.v3.TokenBucket": TokenBucket;
  "google.rpc.Status": Status;
  "xds.core.v3.TypedExtensionConfig": XdsTypedExtensionConfig;
  "xds.type.matcher.v3.IPMatcher": IPMatcher;
  "xds.type.matcher.v3.IPMatcher.IPRangeMatcher": IPMatcherIPRangeMatcher;
  "xds.type.matcher.v3.ListStringMatcher": XdsListStringMatcher;
  "xds.type.matcher.v3.Matcher": Matcher;
  "xds.type.matcher.v3.Matcher.MatcherList": MatcherMatcherList;
  "xds.type.matcher.v3.Matcher.MatcherList.FieldMatcher": MatcherMatcherListFieldMatcher;
  "xds.type.matcher.v3.Matcher.MatcherList.Predicate": MatcherMatcherListPredicate;
  "xds.type.matcher.v3.Matcher.MatcherList.Predicate.PredicateList": MatcherMatcherListPredicatePredicateList;
  "xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate": MatcherMatcherListPredicateSinglePredicate;
  "xds.type.matcher.v3.Matcher.MatcherTree": MatcherMatcherTree;
  "xds.type.matcher.v3.Matcher.MatcherTree.MatchMap": MatcherMatcherTreeMatchMap;
  "xds.type.matcher.v3.Matcher.OnMatch": MatcherOnMatch;
  "xds.type.matcher.v3.RegexMatcher": XdsRegexMatcher;
  "xds.type.matcher.v3.RegexMatcher.GoogleRE2": XdsRegexMatcherGoogleRE2;
  "xds.type.matcher.v3.ServerNameMatcher": ServerNameMatcher;
  "xds.type.matcher.v3.ServerNameMatcher.DomainMatcher": DomainMatcher;
  "xds.type.matcher.v3.StringMatcher": XdsStringMatcher;
  "xds.type.v3.CelExpression": CelExpression;
}

export type MessageName = keyof Messages;

/** `<number> <name> [repeated | packed | map <key>] <type>`, by number. */

export const messageTables: { readonly [Name in MessageName]: readonly string[] } = {
  "envoy.config.accesslog.v3.AccessLog": [
    "1 name string",
    "2 filter envoy.config.accesslog.v3.AccessLogFilter",
    "4 typedConfig google.protobuf.Any",
  ],
  "envoy.config.accesslog.v3.AccessLogFilter": [
    "1 statusCodeFilter envoy.config.accesslog.v3.StatusCodeFilter",
    "3 notHealthCheckFilter envoy.config.accesslog.v3.NotHealthCheckFilter",
    "6 andFilter envoy.config.accesslog.v3.AndFilter",
    "7 orFilter envoy.config.accesslog.v3.OrFilter",
    "8 headerFilter envoy.config.accesslog.v3.HeaderFilter",
    "9 responseFlagFilter envoy.config.accesslog.v3.ResponseFlagFilter",
  ],
  "envoy.config.accesslog.v3.AndFilter": [
    "1 filters repeated envoy.config.accesslog.v3.AccessLogFilter",
  ],
  "envoy.config.accesslog.v3.ComparisonFilter": [
    "1 op enum:envoy.config.accesslog.v3.ComparisonFilter.Op",
    "2 value envoy.config.core.v3.RuntimeUInt32",
  ],
  "envoy.config.accesslog.v3.HeaderFilter": [
    "1 header envoy.config.route.v3.HeaderMatcher",
  ],
  "envoy.config.accesslog.v3.NotHealthCheckFilter": [
  ],
  "envoy.config.accesslog.v3.OrFilter": [
    "2 filters repeated envoy.config.accesslog.v3.AccessLogFilter",
  ],
  "envoy.config.accesslog.v3.ResponseFlagFilter": [
    "1 flags repeated string",
  ],
  "envoy.config.accesslog.v3.StatusCodeFilter": [
    "1 comparison envoy.config.accesslog.v3.ComparisonFilter",
  ],
  "envoy.config.cluster.v3.CircuitBreakers": [
    "1 thresholds repeated envoy.config.cluster.v3.CircuitBreakers.Thresholds",
    "2 perHostThresholds repeated envoy.config.cluster.v3.CircuitBreakers.Thresholds",
  ],
  "envoy.config.cluster.v3.CircuitBreakers.Thresholds": [
    "1 priority enum:envoy.config.core.v3.RoutingPriority",
    "2 maxConnections google.protobuf.UInt32Value",
    "3 maxPendingRequests google.protobuf.UInt32Value",
    "4 maxRequests google.protobuf.UInt32Value",
    "5 maxRetries google.protobuf.UInt32Value",
    "6 trackRemaining bool",
    "7 maxConnectionPools google.protobuf.UInt32Value",
    "8 retryBudget envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget",
  ],
  "envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget": [
    "1 budgetPercent envoy.type.v3.Percent",
    "2 minRetryConcurrency google.protobuf.UInt32Value",
    "3 budgetInterval google.protobuf.Duration",
  ],
  "envoy.config.cluster.v3.Cluster": [
    "1 name string",
    "2 type enum:envoy.config.cluster.v3.Cluster.DiscoveryType",
    "3 edsClusterConfig envoy.config.cluster.v3.Cluster.EdsClusterConfig",
    "4 connectTimeout google.protobuf.Duration",
    "5 perConnectionBufferLimitBytes google.protobuf.UInt32Value",
    "6 lbPolicy enum:envoy.config.cluster.v3.Cluster.LbPolicy",
    "8 healthChecks repeated envoy.config.core.v3.HealthCheck",
    "10 circuitBreakers envoy.config.cluster.v3.CircuitBreakers",
    "16 dnsRefreshRate google.protobuf.Duration",
    "17 dnsLookupFamily enum:envoy.config.cluster.v3.Cluster.DnsLookupFamily",
    "19 outlierDetection envoy.config.cluster.v3.OutlierDetection",
    "20 cleanupInterval google.protobuf.Duration",
    "21 upstreamBindConfig envoy.config.core.v3.BindConfig",
    "22 lbSubsetConfig envoy.config.cluster.v3.Cluster.LbSubsetConfig",
    "23 ringHashLbConfig envoy.config.cluster.v3.Cluster.RingHashLbConfig",
    "24 transportSocket envoy.config.core.v3.TransportSocket",
    "25 metadata envoy.config.core.v3.Metadata",
    "27 commonLbConfig envoy.config.cluster.v3.Cluster.CommonLbConfig",
    "28 altStatName string",
    "30 upstreamConnectionOptions envoy.config.cluster.v3.UpstreamConnectionOptions",
    "31 closeConnectionsOnHostHealthFailure bool",
    "32 ignoreHealthOnHostRemoval bool",
    "33 loadAssignment envoy.config.endpoint.v3.ClusterLoadAssignment",
    "34 originalDstLbConfig envoy.config.cluster.v3.Cluster.OriginalDstLbConfig",
    "36 typedExtensionProtocolOptions map string google.protobuf.Any",
    "37 leastRequestLbConfig envoy.config.cluster.v3.Cluster.LeastRequestLbConfig",
    "38 clusterType envoy.config.cluster.v3.Cluster.CustomClusterType",
    "39 respectDnsTtl bool",
    "41 loadBalancingPolicy envoy.config.cluster.v3.LoadBalancingPolicy",
    "42 lrsServer envoy.config.core.v3.ConfigSource",
    "43 transportSocketMatches repeated envoy.config.cluster.v3.Cluster.TransportSocketMatch",
    "44 dnsFailureRefreshRate envoy.config.cluster.v3.Cluster.RefreshRate",
    "48 upstreamConfig envoy.config.core.v3.TypedExtensionConfig",
    "49 trackClusterStats envoy.config.cluster.v3.TrackClusterStats",
    "50 preconnectPolicy envoy.config.cluster.v3.Cluster.PreconnectPolicy",
    "51 connectionPoolPerDownstreamConnection bool",
    "52 maglevLbConfig envoy.config.cluster.v3.Cluster.MaglevLbConfig",
    "54 waitForWarmOnInit google.protobuf.BoolValue",
    "55 typedDnsResolverConfig envoy.config.core.v3.TypedExtensionConfig",
    "56 roundRobinLbConfig envoy.config.cluster.v3.Cluster.RoundRobinLbConfig",
    "57 lrsReportEndpointMetrics repeated string",
  ],
  "envoy.config.cluster.v3.Cluster.CommonLbConfig": [
    "1 healthyPanicThreshold envoy.type.v3.Percent",
    "2 zoneAwareLbConfig envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig",
    "3 localityWeightedLbConfig envoy.config.cluster.v3.Cluster.CommonLbConfig.LocalityWeightedLbConfig",
    "4 updateMergeWindow google.protobuf.Duration",
    "5 ignoreNewHostsUntilFirstHc bool",
    "6 closeConnectionsOnHostSetChange bool",
    "7 consistentHashingLbConfig envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig",
  ],
  "envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig": [
    "1 useHostnameForHashing bool",
    "2 hashBalanceFactor google.protobuf.UInt32Value",
  ],
  "envoy.config.cluster.v3.Cluster.CommonLbConfig.LocalityWeightedLbConfig": [
  ],
  "envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig": [
    "1 routingEnabled envoy.type.v3.Percent",
    "2 minClusterSize google.protobuf.UInt64Value",
    "3 failTrafficOnPanic bool",
  ],
  "envoy.config.cluster.v3.Cluster.CustomClusterType": [
    "1 name string",
    "2 typedConfig google.protobuf.Any",
  ],
  "envoy.config.cluster.v3.Cluster.EdsClusterConfig": [
    "1 edsConfig envoy.config.core.v3.ConfigSource",
    "2 serviceName string",
  ],
  "envoy.config.cluster.v3.Cluster.LbSubsetConfig": [
    "1 fallbackPolicy enum:envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetFallbackPolicy",
    "2 defaultSubset google.protobuf.Struct",
    "3 subsetSelectors repeated envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector",
    "4 localityWeightAware bool",
    "5 scaleLocalityWeight bool",
    "6 panicModeAny bool",
    "7 listAsAny bool",
    "8 metadataFallbackPolicy enum:envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetMetadataFallbackPolicy",
  ],
  "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector": [
    "1 keys repeated string",
    "2 fallbackPolicy enum:envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector.LbSubsetSelectorFallbackPolicy",
    "3 fallbackKeysSubset repeated string",
    "4 singleHostPerSubset bool",
  ],
  "envoy.config.cluster.v3.Cluster.LeastRequestLbConfig": [
    "1 choiceCount google.protobuf.UInt32Value",
    "2 activeRequestBias envoy.config.core.v3.RuntimeDouble",
    "3 slowStartConfig envoy.config.cluster.v3.Cluster.SlowStartConfig",
  ],
  "envoy.config.cluster.v3.Cluster.MaglevLbConfig": [
    "1 tableSize google.protobuf.UInt64Value",
  ],
  "envoy.config.cluster.v3.Cluster.OriginalDstLbConfig": [
    "1 useHttpHeader bool",
    "2 httpHeaderName string",
    "3 upstreamPortOverride google.protobuf.UInt32Value",
    "4 metadataKey envoy.type.metadata.v3.MetadataKey",
  ],
  "envoy.config.cluster.v3.Cluster.PreconnectPolicy": [
    "1 perUpstreamPreconnectRatio google.protobuf.DoubleValue",
    "2 predictivePreconnectRatio google.protobuf.DoubleValue",
  ],
  "envoy.config.cluster.v3.Cluster.RefreshRate": [
    "1 baseInterval google.protobuf.Duration",
    "2 maxInterval google.protobuf.Duration",
  ],
  "envoy.config.cluster.v3.Cluster.RingHashLbConfig": [
    "1 minimumRingSize google.protobuf.UInt64Value",
    "3 hashFunction enum:envoy.config.cluster.v3.Cluster.RingHashLbConfig.HashFunction",
    "4 maximumRingSize google.protobuf.UInt64Value",
  ],
  "envoy.config.cluster.v3.Cluster.RoundRobinLbConfig": [
    "1 slowStartConfig envoy.config.cluster.v3.Cluster.SlowStartConfig",
  ],
  "envoy.config.cluster.v3.Cluster.SlowStartConfig": [
    "1 slowStartWindow google.protobuf.Duration",
    "2 aggression envoy.config.core.v3.RuntimeDouble",
    "3 minWeightPercent envoy.type.v3.Percent",
  ],
  "envoy.config.cluster.v3.Cluster.TransportSocketMatch": [
    "1 name string",
    "2 match google.protobuf.Struct",
    "3 transportSocket envoy.config.core.v3.TransportSocket",
  ],
  "envoy.config.cluster.v3.LoadBalancingPolicy": [
    "1 policies repeated envoy.config.cluster.v3.LoadBalancingPolicy.Policy",
  ],
  "envoy.config.cluster.v3.LoadBalancingPolicy.Policy": [
    "4 typedExtensionConfig envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.cluster.v3.OutlierDetection": [
    "1 consecutive5xx google.protobuf.UInt32Value",
    "2 interval google.protobuf.Duration",
    "3 baseEjectionTime google.protobuf.Duration",
    "4 maxEjectionPercent google.protobuf.UInt32Value",
    "5 enforcingConsecutive5xx google.protobuf.UInt32Value",
    "6 enforcingSuccessRate google.protobuf.UInt32Value",
    "7 successRateMinimumHosts google.protobuf.UInt32Value",
    "8 successRateRequestVolume google.protobuf.UInt32Value",
    "9 successRateStdevFactor google.protobuf.UInt32Value",
    "10 consecutiveGatewayFailure google.protobuf.UInt32Value",
    "11 enforcingConsecutiveGatewayFailure google.protobuf.UInt32Value",
    "12 splitExternalLocalOriginErrors bool",
    "13 consecutiveLocalOriginFailure google.protobuf.UInt32Value",
    "14 enforcingConsecutiveLocalOriginFailure google.protobuf.UInt32Value",
    "15 enforcingLocalOriginSuccessRate google.protobuf.UInt32Value",
    "16 failurePercentageThreshold google.protobuf.UInt32Value",
    "17 enforcingFailurePercentage google.protobuf.UInt32Value",
    "18 enforcingFailurePercentageLocalOrigin google.protobuf.UInt32Value",
    "19 failurePercentageMinimumHosts google.protobuf.UInt32Value",
    "20 failurePercentageRequestVolume google.protobuf.UInt32Value",
    "21 maxEjectionTime google.protobuf.Duration",
    "22 maxEjectionTimeJitter google.protobuf.Duration",
    "23 successfulActiveHealthCheckUnejectHost google.protobuf.BoolValue",
    "24 monitors repeated envoy.config.core.v3.TypedExtensionConfig",
    "25 alwaysEjectOneHost google.protobuf.BoolValue",
  ],
  "envoy.config.cluster.v3.TrackClusterStats": [
    "1 timeoutBudgets bool",
    "2 requestResponseSizes bool",
    "3 perEndpointStats bool",
  ],
  "envoy.config.cluster.v3.UpstreamConnectionOptions": [
    "1 tcpKeepalive envoy.config.core.v3.TcpKeepalive",
    "2 setLocalInterfaceNameOnUpstreamConnections bool",
    "3 happyEyeballsConfig envoy.config.cluster.v3.UpstreamConnectionOptions.HappyEyeballsConfig",
  ],
  "envoy.config.cluster.v3.UpstreamConnectionOptions.HappyEyeballsConfig": [
    "1 firstAddressFamilyVersion enum:envoy.config.cluster.v3.UpstreamConnectionOptions.FirstAddressFamilyVersion",
    "2 firstAddressFamilyCount google.protobuf.UInt32Value",
  ],
  "envoy.config.common.mutation_rules.v3.HeaderMutation": [
    "1 remove string",
    "2 append envoy.config.core.v3.HeaderValueOption",
    "3 removeOnMatch envoy.config.common.mutation_rules.v3.HeaderMutation.RemoveOnMatch",
  ],
  "envoy.config.common.mutation_rules.v3.HeaderMutation.RemoveOnMatch": [
    "1 keyMatcher envoy.type.matcher.v3.StringMatcher",
  ],
  "envoy.config.common.mutation_rules.v3.HeaderMutationRules": [
    "1 allowAllRouting google.protobuf.BoolValue",
    "2 allowEnvoy google.protobuf.BoolValue",
    "3 disallowSystem google.protobuf.BoolValue",
    "4 disallowAll google.protobuf.BoolValue",
    "5 allowExpression envoy.type.matcher.v3.RegexMatcher",
    "6 disallowExpression envoy.type.matcher.v3.RegexMatcher",
    "7 disallowIsError google.protobuf.BoolValue",
  ],
  "envoy.config.core.v3.Address": [
    "1 socketAddress envoy.config.core.v3.SocketAddress",
    "2 pipe envoy.config.core.v3.Pipe",
    "3 envoyInternalAddress envoy.config.core.v3.EnvoyInternalAddress",
  ],
  "envoy.config.core.v3.AggregatedConfigSource": [
  ],
  "envoy.config.core.v3.AlternateProtocolsCacheOptions": [
    "1 name string",
    "2 maxEntries google.protobuf.UInt32Value",
    "3 keyValueStoreConfig envoy.config.core.v3.TypedExtensionConfig",
    "4 prepopulatedEntries repeated envoy.config.core.v3.AlternateProtocolsCacheOptions.AlternateProtocolsCacheEntry",
    "5 canonicalSuffixes repeated string",
  ],
  "envoy.config.core.v3.AlternateProtocolsCacheOptions.AlternateProtocolsCacheEntry": [
    "1 hostname string",
    "2 port uint32",
  ],
  "envoy.config.core.v3.ApiConfigSource": [
    "1 apiType enum:envoy.config.core.v3.ApiConfigSource.ApiType",
    "2 clusterNames repeated string",
    "3 refreshDelay google.protobuf.Duration",
    "4 grpcServices repeated envoy.config.core.v3.GrpcService",
    "5 requestTimeout google.protobuf.Duration",
    "6 rateLimitSettings envoy.config.core.v3.RateLimitSettings",
    "7 setNodeOnFirstMessageOnly bool",
    "8 transportApiVersion enum:envoy.config.core.v3.ApiVersion",
    "9 configValidators repeated envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.core.v3.AsyncDataSource": [
    "1 local envoy.config.core.v3.DataSource",
  ],
  "envoy.config.core.v3.BackoffStrategy": [
    "1 baseInterval google.protobuf.Duration",
    "2 maxInterval google.protobuf.Duration",
  ],
  "envoy.config.core.v3.BindConfig": [
    "1 sourceAddress envoy.config.core.v3.SocketAddress",
    "2 freebind google.protobuf.BoolValue",
    "3 socketOptions repeated envoy.config.core.v3.SocketOption",
    "5 extraSourceAddresses repeated envoy.config.core.v3.ExtraSourceAddress",
    "6 localAddressSelector envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.core.v3.BuildVersion": [
    "2 metadata google.protobuf.Struct",
  ],
  "envoy.config.core.v3.CidrRange": [
    "1 addressPrefix string",
    "2 prefixLen google.protobuf.UInt32Value",
  ],
  "envoy.config.core.v3.ConfigSource": [
    "2 apiConfigSource envoy.config.core.v3.ApiConfigSource",
    "3 ads envoy.config.core.v3.AggregatedConfigSource",
    "4 initialFetchTimeout google.protobuf.Duration",
    "5 self envoy.config.core.v3.SelfConfigSource",
    "6 resourceApiVersion enum:envoy.config.core.v3.ApiVersion",
    "8 pathConfigSource envoy.config.core.v3.PathConfigSource",
  ],
  "envoy.config.core.v3.ControlPlane": [
    "1 identifier string",
  ],
  "envoy.config.core.v3.DataSource": [
    "1 filename string",
    "2 inlineBytes bytes",
    "3 inlineString string",
    "4 environmentVariable string",
    "5 watchedDirectory envoy.config.core.v3.WatchedDirectory",
  ],
  "envoy.config.core.v3.DnsResolutionConfig": [
    "1 resolvers repeated envoy.config.core.v3.Address",
    "2 dnsResolverOptions envoy.config.core.v3.DnsResolverOptions",
  ],
  "envoy.config.core.v3.DnsResolverOptions": [
    "1 useTcpForDnsLookups bool",
    "2 noDefaultSearchDomain bool",
  ],
  "envoy.config.core.v3.EnvoyInternalAddress": [
    "1 serverListenerName string",
    "2 endpointId string",
  ],
  "envoy.config.core.v3.Extension": [
    "1 name string",
    "2 category string",
    "4 version envoy.config.core.v3.BuildVersion",
    "5 disabled bool",
    "6 typeUrls repeated string",
  ],
  "envoy.config.core.v3.ExtraSourceAddress": [
    "1 address envoy.config.core.v3.SocketAddress",
    "2 socketOptions envoy.config.core.v3.SocketOptionsOverride",
  ],
  "envoy.config.core.v3.GrpcService": [
    "1 envoyGrpc envoy.config.core.v3.GrpcService.EnvoyGrpc",
    "2 googleGrpc envoy.config.core.v3.GrpcService.GoogleGrpc",
    "3 timeout google.protobuf.Duration",
    "5 initialMetadata repeated envoy.config.core.v3.HeaderValue",
    "6 retryPolicy envoy.config.core.v3.RetryPolicy",
  ],
  "envoy.config.core.v3.GrpcService.EnvoyGrpc": [
    "1 clusterName string",
    "2 authority string",
    "3 retryPolicy envoy.config.core.v3.RetryPolicy",
    "4 maxReceiveMessageLength google.protobuf.UInt32Value",
    "5 skipEnvoyHeaders bool",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc": [
    "1 targetUri string",
    "2 channelCredentials envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelCredentials",
    "3 callCredentials repeated envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials",
    "4 statPrefix string",
    "5 credentialsFactoryName string",
    "6 config google.protobuf.Struct",
    "7 perStreamBufferLimitBytes google.protobuf.UInt32Value",
    "8 channelArgs envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelArgs",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials": [
    "1 accessToken string",
    "2 googleComputeEngine google.protobuf.Empty",
    "3 googleRefreshToken string",
    "4 serviceAccountJwtAccess envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials",
    "5 googleIam envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials",
    "6 fromPlugin envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin",
    "7 stsService envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.StsService",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.GoogleIAMCredentials": [
    "1 authorizationToken string",
    "2 authoritySelector string",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.MetadataCredentialsFromPlugin": [
    "1 name string",
    "3 typedConfig google.protobuf.Any",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.ServiceAccountJWTAccessCredentials": [
    "1 jsonKey string",
    "2 tokenLifetimeSeconds uint64",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.StsService": [
    "1 tokenExchangeServiceUri string",
    "2 resource string",
    "3 audience string",
    "4 scope string",
    "5 requestedTokenType string",
    "6 subjectTokenPath string",
    "7 subjectTokenType string",
    "8 actorTokenPath string",
    "9 actorTokenType string",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelArgs": [
    "1 args map string envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelArgs.Value",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelArgs.Value": [
    "1 stringValue string",
    "2 intValue int64",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.ChannelCredentials": [
    "1 sslCredentials envoy.config.core.v3.GrpcService.GoogleGrpc.SslCredentials",
    "2 googleDefault google.protobuf.Empty",
    "3 localCredentials envoy.config.core.v3.GrpcService.GoogleGrpc.GoogleLocalCredentials",
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.GoogleLocalCredentials": [
  ],
  "envoy.config.core.v3.GrpcService.GoogleGrpc.SslCredentials": [
    "1 rootCerts envoy.config.core.v3.DataSource",
    "2 privateKey envoy.config.core.v3.DataSource",
    "3 certChain envoy.config.core.v3.DataSource",
  ],
  "envoy.config.core.v3.HeaderMap": [
    "1 headers repeated envoy.config.core.v3.HeaderValue",
  ],
  "envoy.config.core.v3.HeaderValue": [
    "1 key string",
    "2 value string",
    "3 rawValue bytes",
  ],
  "envoy.config.core.v3.HeaderValueOption": [
    "1 header envoy.config.core.v3.HeaderValue",
    "3 appendAction enum:envoy.config.core.v3.HeaderValueOption.HeaderAppendAction",
    "4 keepEmptyValue bool",
  ],
  "envoy.config.core.v3.HealthCheck": [
    "1 timeout google.protobuf.Duration",
    "2 interval google.protobuf.Duration",
    "3 intervalJitter google.protobuf.Duration",
    "4 unhealthyThreshold google.protobuf.UInt32Value",
    "5 healthyThreshold google.protobuf.UInt32Value",
    "6 altPort google.protobuf.UInt32Value",
    "7 reuseConnection google.protobuf.BoolValue",
    "8 httpHealthCheck envoy.config.core.v3.HealthCheck.HttpHealthCheck",
    "9 tcpHealthCheck envoy.config.core.v3.HealthCheck.TcpHealthCheck",
    "11 grpcHealthCheck envoy.config.core.v3.HealthCheck.GrpcHealthCheck",
    "12 noTrafficInterval google.protobuf.Duration",
    "13 customHealthCheck envoy.config.core.v3.HealthCheck.CustomHealthCheck",
    "14 unhealthyInterval google.protobuf.Duration",
    "15 unhealthyEdgeInterval google.protobuf.Duration",
    "16 healthyEdgeInterval google.protobuf.Duration",
    "18 intervalJitterPercent uint32",
    "19 alwaysLogHealthCheckFailures bool",
    "20 initialJitter google.protobuf.Duration",
    "21 tlsOptions envoy.config.core.v3.HealthCheck.TlsOptions",
    "23 transportSocketMatchCriteria google.protobuf.Struct",
    "24 noTrafficHealthyInterval google.protobuf.Duration",
    "25 eventLogger repeated envoy.config.core.v3.TypedExtensionConfig",
    "26 alwaysLogHealthCheckSuccess bool",
  ],
  "envoy.config.core.v3.HealthCheck.CustomHealthCheck": [
    "1 name string",
    "3 typedConfig google.protobuf.Any",
  ],
  "envoy.config.core.v3.HealthCheck.GrpcHealthCheck": [
    "1 serviceName string",
    "2 authority string",
    "3 initialMetadata repeated envoy.config.core.v3.HeaderValueOption",
  ],
  "envoy.config.core.v3.HealthCheck.HttpHealthCheck": [
    "1 host string",
    "2 path string",
    "3 send envoy.config.core.v3.HealthCheck.Payload",
    "4 receive repeated envoy.config.core.v3.HealthCheck.Payload",
    "6 requestHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "8 requestHeadersToRemove repeated string",
    "9 expectedStatuses repeated envoy.type.v3.Int64Range",
    "10 codecClientType enum:envoy.type.v3.CodecClientType",
    "11 serviceNameMatcher envoy.type.matcher.v3.StringMatcher",
    "12 retriableStatuses repeated envoy.type.v3.Int64Range",
    "13 method enum:envoy.config.core.v3.RequestMethod",
    "14 responseBufferSize google.protobuf.UInt64Value",
  ],
  "envoy.config.core.v3.HealthCheck.Payload": [
    "1 text string",
    "2 binary bytes",
  ],
  "envoy.config.core.v3.HealthCheck.TcpHealthCheck": [
    "1 send envoy.config.core.v3.HealthCheck.Payload",
    "2 receive repeated envoy.config.core.v3.HealthCheck.Payload",
    "3 proxyProtocolConfig envoy.config.core.v3.ProxyProtocolConfig",
  ],
  "envoy.config.core.v3.HealthCheck.TlsOptions": [
    "1 alpnProtocols repeated string",
  ],
  "envoy.config.core.v3.Http1ProtocolOptions": [
    "1 allowAbsoluteUrl google.protobuf.BoolValue",
    "2 acceptHttp10 bool",
    "3 defaultHostForHttp10 string",
    "4 headerKeyFormat envoy.config.core.v3.Http1ProtocolOptions.HeaderKeyFormat",
    "5 enableTrailers bool",
    "6 allowChunkedLength bool",
    "7 overrideStreamErrorOnInvalidHttpMessage google.protobuf.BoolValue",
    "8 sendFullyQualifiedUrl bool",
    "9 useBalsaParser google.protobuf.BoolValue",
    "10 allowCustomMethods bool",
    "11 ignoreHttp11Upgrade repeated envoy.type.matcher.v3.StringMatcher",
  ],
  "envoy.config.core.v3.Http1ProtocolOptions.HeaderKeyFormat": [
    "1 properCaseWords envoy.config.core.v3.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords",
    "8 statefulFormatter envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.core.v3.Http1ProtocolOptions.HeaderKeyFormat.ProperCaseWords": [
  ],
  "envoy.config.core.v3.Http2ProtocolOptions": [
    "1 hpackTableSize google.protobuf.UInt32Value",
    "2 maxConcurrentStreams google.protobuf.UInt32Value",
    "3 initialStreamWindowSize google.protobuf.UInt32Value",
    "4 initialConnectionWindowSize google.protobuf.UInt32Value",
    "5 allowConnect bool",
    "6 allowMetadata bool",
    "7 maxOutboundFrames google.protobuf.UInt32Value",
    "8 maxOutboundControlFrames google.protobuf.UInt32Value",
    "9 maxConsecutiveInboundFramesWithEmptyPayload google.protobuf.UInt32Value",
    "10 maxInboundPriorityFramesPerStream google.protobuf.UInt32Value",
    "11 maxInboundWindowUpdateFramesPerDataFrameSent google.protobuf.UInt32Value",
    "13 customSettingsParameters repeated envoy.config.core.v3.Http2ProtocolOptions.SettingsParameter",
    "14 overrideStreamErrorOnInvalidHttpMessage google.protobuf.BoolValue",
    "15 connectionKeepalive envoy.config.core.v3.KeepaliveSettings",
    "16 useOghttp2Codec google.protobuf.BoolValue",
  ],
  "envoy.config.core.v3.Http2ProtocolOptions.SettingsParameter": [
    "1 identifier google.protobuf.UInt32Value",
    "2 value google.protobuf.UInt32Value",
  ],
  "envoy.config.core.v3.HttpProtocolOptions": [
    "1 idleTimeout google.protobuf.Duration",
    "2 maxHeadersCount google.protobuf.UInt32Value",
    "3 maxConnectionDuration google.protobuf.Duration",
    "4 maxStreamDuration google.protobuf.Duration",
    "5 headersWithUnderscoresAction enum:envoy.config.core.v3.HttpProtocolOptions.HeadersWithUnderscoresAction",
    "6 maxRequestsPerConnection google.protobuf.UInt32Value",
  ],
  "envoy.config.core.v3.HttpUri": [
    "1 uri string",
    "2 cluster string",
    "3 timeout google.protobuf.Duration",
  ],
  "envoy.config.core.v3.JsonFormatOptions": [
    "1 sortProperties bool",
  ],
  "envoy.config.core.v3.KeepaliveSettings": [
    "1 interval google.protobuf.Duration",
    "2 timeout google.protobuf.Duration",
    "3 intervalJitter envoy.type.v3.Percent",
    "4 connectionIdleInterval google.protobuf.Duration",
  ],
  "envoy.config.core.v3.Locality": [
    "1 region string",
    "2 zone string",
    "3 subZone string",
  ],
  "envoy.config.core.v3.Metadata": [
    "1 filterMetadata map string google.protobuf.Struct",
    "2 typedFilterMetadata map string google.protobuf.Any",
  ],
  "envoy.config.core.v3.Node": [
    "1 id string",
    "2 cluster string",
    "3 metadata google.protobuf.Struct",
    "4 locality envoy.config.core.v3.Locality",
    "6 userAgentName string",
    "7 userAgentVersion string",
    "8 userAgentBuildVersion envoy.config.core.v3.BuildVersion",
    "9 extensions repeated envoy.config.core.v3.Extension",
    "10 clientFeatures repeated string",
  ],
  "envoy.config.core.v3.PathConfigSource": [
    "1 path string",
    "2 watchedDirectory envoy.config.core.v3.WatchedDirectory",
  ],
  "envoy.config.core.v3.Pipe": [
    "1 path string",
    "2 mode uint32",
  ],
  "envoy.config.core.v3.ProxyProtocolConfig": [
    "1 version enum:envoy.config.core.v3.ProxyProtocolConfig.Version",
  ],
  "envoy.config.core.v3.QueryParameter": [
    "1 key string",
    "2 value string",
  ],
  "envoy.config.core.v3.RateLimitSettings": [
    "1 maxTokens google.protobuf.UInt32Value",
    "2 fillRate google.protobuf.DoubleValue",
  ],
  "envoy.config.core.v3.RetryPolicy": [
    "1 retryBackOff envoy.config.core.v3.BackoffStrategy",
    "2 numRetries google.protobuf.UInt32Value",
    "3 retryOn string",
    "4 retryPriority envoy.config.core.v3.RetryPolicy.RetryPriority",
    "5 retryHostPredicate repeated envoy.config.core.v3.RetryPolicy.RetryHostPredicate",
    "6 hostSelectionRetryMaxAttempts int64",
  ],
  "envoy.config.core.v3.RetryPolicy.RetryHostPredicate": [
    "1 name string",
    "2 typedConfig google.protobuf.Any",
  ],
  "envoy.config.core.v3.RetryPolicy.RetryPriority": [
    "1 name string",
    "2 typedConfig google.protobuf.Any",
  ],
  "envoy.config.core.v3.RuntimeDouble": [
    "1 defaultValue double",
    "2 runtimeKey string",
  ],
  "envoy.config.core.v3.RuntimeFeatureFlag": [
    "1 defaultValue google.protobuf.BoolValue",
    "2 runtimeKey string",
  ],
  "envoy.config.core.v3.RuntimeFractionalPercent": [
    "1 defaultValue envoy.type.v3.FractionalPercent",
    "2 runtimeKey string",
  ],
  "envoy.config.core.v3.RuntimePercent": [
    "1 defaultValue envoy.type.v3.Percent",
    "2 runtimeKey string",
  ],
  "envoy.config.core.v3.RuntimeUInt32": [
    "2 defaultValue uint32",
    "3 runtimeKey string",
  ],
  "envoy.config.core.v3.SelfConfigSource": [
    "1 transportApiVersion enum:envoy.config.core.v3.ApiVersion",
  ],
  "envoy.config.core.v3.SocketAddress": [
    "1 protocol enum:envoy.config.core.v3.SocketAddress.Protocol",
    "2 address string",
    "3 portValue uint32",
    "4 namedPort string",
    "5 resolverName string",
    "6 ipv4Compat bool",
  ],
  "envoy.config.core.v3.SocketOption": [
    "1 description string",
    "2 level int64",
    "3 name int64",
    "4 intValue int64",
    "5 bufValue bytes",
    "6 state enum:envoy.config.core.v3.SocketOption.SocketState",
  ],
  "envoy.config.core.v3.SocketOptionsOverride": [
    "1 socketOptions repeated envoy.config.core.v3.SocketOption",
  ],
  "envoy.config.core.v3.SubstitutionFormatString": [
    "2 jsonFormat google.protobuf.Struct",
    "3 omitEmptyValues bool",
    "4 contentType string",
    "5 textFormatSource envoy.config.core.v3.DataSource",
    "6 formatters repeated envoy.config.core.v3.TypedExtensionConfig",
    "7 jsonFormatOptions envoy.config.core.v3.JsonFormatOptions",
  ],
  "envoy.config.core.v3.TcpKeepalive": [
    "1 keepaliveProbes google.protobuf.UInt32Value",
    "2 keepaliveTime google.protobuf.UInt32Value",
    "3 keepaliveInterval google.protobuf.UInt32Value",
  ],
  "envoy.config.core.v3.TransportSocket": [
    "1 name string",
    "3 typedConfig google.protobuf.Any",
  ],
  "envoy.config.core.v3.TypedExtensionConfig": [
    "1 name string",
    "2 typedConfig google.protobuf.Any",
  ],
  "envoy.config.core.v3.UdpSocketConfig": [
    "1 maxRxDatagramSize google.protobuf.UInt64Value",
    "2 preferGro google.protobuf.BoolValue",
  ],
  "envoy.config.core.v3.UpstreamHttpProtocolOptions": [
    "1 autoSni bool",
    "2 autoSanValidation bool",
    "3 overrideAutoSniHeader string",
  ],
  "envoy.config.core.v3.WatchedDirectory": [
    "1 path string",
  ],
  "envoy.config.endpoint.v3.ClusterLoadAssignment": [
    "1 clusterName string",
    "2 endpoints repeated envoy.config.endpoint.v3.LocalityLbEndpoints",
    "4 policy envoy.config.endpoint.v3.ClusterLoadAssignment.Policy",
    "5 namedEndpoints map string envoy.config.endpoint.v3.Endpoint",
  ],
  "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy": [
    "2 dropOverloads repeated envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload",
    "3 overprovisioningFactor google.protobuf.UInt32Value",
    "4 endpointStaleAfter google.protobuf.Duration",
    "6 weightedPriorityHealth bool",
  ],
  "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload": [
    "1 category string",
    "2 dropPercentage envoy.type.v3.FractionalPercent",
  ],
  "envoy.config.endpoint.v3.Endpoint": [
    "1 address envoy.config.core.v3.Address",
    "2 healthCheckConfig envoy.config.endpoint.v3.Endpoint.HealthCheckConfig",
    "3 hostname string",
    "4 additionalAddresses repeated envoy.config.endpoint.v3.Endpoint.AdditionalAddress",
  ],
  "envoy.config.endpoint.v3.Endpoint.AdditionalAddress": [
    "1 address envoy.config.core.v3.Address",
  ],
  "envoy.config.endpoint.v3.Endpoint.HealthCheckConfig": [
    "1 portValue uint32",
    "2 hostname string",
    "3 address envoy.config.core.v3.Address",
    "4 disableActiveHealthCheck bool",
  ],
  "envoy.config.endpoint.v3.LbEndpoint": [
    "1 endpoint envoy.config.endpoint.v3.Endpoint",
    "2 healthStatus enum:envoy.config.core.v3.HealthStatus",
    "3 metadata envoy.config.core.v3.Metadata",
    "4 loadBalancingWeight google.protobuf.UInt32Value",
    "5 endpointName string",
  ],
  "envoy.config.endpoint.v3.LocalityLbEndpoints": [
    "1 locality envoy.config.core.v3.Locality",
    "2 lbEndpoints repeated envoy.config.endpoint.v3.LbEndpoint",
    "3 loadBalancingWeight google.protobuf.UInt32Value",
    "5 priority uint32",
    "6 proximity google.protobuf.UInt32Value",
    "7 loadBalancerEndpoints envoy.config.endpoint.v3.LocalityLbEndpoints.LbEndpointList",
    "9 metadata envoy.config.core.v3.Metadata",
  ],
  "envoy.config.endpoint.v3.LocalityLbEndpoints.LbEndpointList": [
    "1 lbEndpoints repeated envoy.config.endpoint.v3.LbEndpoint",
  ],
  "envoy.config.listener.v3.AdditionalAddress": [
    "1 address envoy.config.core.v3.Address",
    "2 socketOptions envoy.config.core.v3.SocketOptionsOverride",
  ],
  "envoy.config.listener.v3.Filter": [
    "1 name string",
    "4 typedConfig google.protobuf.Any",
  ],
  "envoy.config.listener.v3.FilterChain": [
    "1 filterChainMatch envoy.config.listener.v3.FilterChainMatch",
    "3 filters repeated envoy.config.listener.v3.Filter",
    "5 metadata envoy.config.core.v3.Metadata",
    "6 transportSocket envoy.config.core.v3.TransportSocket",
    "7 name string",
    "8 onDemandConfiguration envoy.config.listener.v3.FilterChain.OnDemandConfiguration",
    "9 transportSocketConnectTimeout google.protobuf.Duration",
  ],
  "envoy.config.listener.v3.FilterChain.OnDemandConfiguration": [
    "1 rebuildTimeout google.protobuf.Duration",
  ],
  "envoy.config.listener.v3.FilterChainMatch": [
    "3 prefixRanges repeated envoy.config.core.v3.CidrRange",
    "4 addressSuffix string",
    "5 suffixLen google.protobuf.UInt32Value",
    "6 sourcePrefixRanges repeated envoy.config.core.v3.CidrRange",
    "7 sourcePorts packed uint32",
    "8 destinationPort google.protobuf.UInt32Value",
    "9 transportProtocol string",
    "10 applicationProtocols repeated string",
    "11 serverNames repeated string",
    "12 sourceType enum:envoy.config.listener.v3.FilterChainMatch.ConnectionSourceType",
    "13 directSourcePrefixRanges repeated envoy.config.core.v3.CidrRange",
  ],
  "envoy.config.listener.v3.Listener": [
    "1 name string",
    "2 address envoy.config.core.v3.Address",
    "3 filterChains repeated envoy.config.listener.v3.FilterChain",
    "4 useOriginalDst google.protobuf.BoolValue",
    "5 perConnectionBufferLimitBytes google.protobuf.UInt32Value",
    "6 metadata envoy.config.core.v3.Metadata",
    "8 drainType enum:envoy.config.listener.v3.Listener.DrainType",
    "9 listenerFilters repeated envoy.config.listener.v3.ListenerFilter",
    "10 transparent google.protobuf.BoolValue",
    "11 freebind google.protobuf.BoolValue",
    "12 tcpFastOpenQueueLength google.protobuf.UInt32Value",
    "13 socketOptions repeated envoy.config.core.v3.SocketOption",
    "15 listenerFiltersTimeout google.protobuf.Duration",
    "16 trafficDirection enum:envoy.config.core.v3.TrafficDirection",
    "17 continueOnListenerFiltersTimeout bool",
    "18 udpListenerConfig envoy.config.listener.v3.UdpListenerConfig",
    "20 connectionBalanceConfig envoy.config.listener.v3.Listener.ConnectionBalanceConfig",
    "22 accessLog repeated envoy.config.accesslog.v3.AccessLog",
    "24 tcpBacklogSize google.protobuf.UInt32Value",
    "25 defaultFilterChain envoy.config.listener.v3.FilterChain",
    "26 bindToPort google.protobuf.BoolValue",
    "27 internalListener envoy.config.listener.v3.Listener.InternalListenerConfig",
    "28 statPrefix string",
    "29 enableReusePort google.protobuf.BoolValue",
    "30 enableMptcp bool",
    "31 ignoreGlobalConnLimit bool",
    "32 filterChainMatcher xds.type.matcher.v3.Matcher",
    "33 additionalAddresses repeated envoy.config.listener.v3.AdditionalAddress",
    "34 maxConnectionsToAcceptPerSocketEvent google.protobuf.UInt32Value",
    "35 bypassOverloadManager bool",
  ],
  "envoy.config.listener.v3.Listener.ConnectionBalanceConfig": [
    "1 exactBalance envoy.config.listener.v3.Listener.ConnectionBalanceConfig.ExactBalance",
    "2 extendBalance envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.listener.v3.Listener.ConnectionBalanceConfig.ExactBalance": [
  ],
  "envoy.config.listener.v3.Listener.InternalListenerConfig": [
  ],
  "envoy.config.listener.v3.ListenerFilter": [
    "1 name string",
    "3 typedConfig google.protobuf.Any",
    "4 filterDisabled envoy.config.listener.v3.ListenerFilterChainMatchPredicate",
  ],
  "envoy.config.listener.v3.ListenerFilterChainMatchPredicate": [
    "1 orMatch envoy.config.listener.v3.ListenerFilterChainMatchPredicate.MatchSet",
    "2 andMatch envoy.config.listener.v3.ListenerFilterChainMatchPredicate.MatchSet",
    "3 notMatch envoy.config.listener.v3.ListenerFilterChainMatchPredicate",
    "4 anyMatch bool",
    "5 destinationPortRange envoy.type.v3.Int32Range",
  ],
  "envoy.config.listener.v3.ListenerFilterChainMatchPredicate.MatchSet": [
    "1 rules repeated envoy.config.listener.v3.ListenerFilterChainMatchPredicate",
  ],
  "envoy.config.listener.v3.QuicProtocolOptions": [
    "2 idleTimeout google.protobuf.Duration",
    "3 cryptoHandshakeTimeout google.protobuf.Duration",
    "4 enabled envoy.config.core.v3.RuntimeFeatureFlag",
    "5 packetsToReadToConnectionCountRatio google.protobuf.UInt32Value",
    "6 cryptoStreamConfig envoy.config.core.v3.TypedExtensionConfig",
    "7 proofSourceConfig envoy.config.core.v3.TypedExtensionConfig",
    "8 connectionIdGeneratorConfig envoy.config.core.v3.TypedExtensionConfig",
    "9 serverPreferredAddressConfig envoy.config.core.v3.TypedExtensionConfig",
    "10 sendDisableActiveMigration google.protobuf.BoolValue",
    "11 connectionDebugVisitorConfig envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.listener.v3.UdpListenerConfig": [
    "5 downstreamSocketConfig envoy.config.core.v3.UdpSocketConfig",
    "7 quicOptions envoy.config.listener.v3.QuicProtocolOptions",
    "8 udpPacketPacketWriterConfig envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.rbac.v3.Permission": [
    "1 andRules envoy.config.rbac.v3.Permission.Set",
    "2 orRules envoy.config.rbac.v3.Permission.Set",
    "3 any bool",
    "4 header envoy.config.route.v3.HeaderMatcher",
    "5 destinationIp envoy.config.core.v3.CidrRange",
    "6 destinationPort uint32",
    "7 metadata envoy.type.matcher.v3.MetadataMatcher",
    "8 notRule envoy.config.rbac.v3.Permission",
    "9 requestedServerName envoy.type.matcher.v3.StringMatcher",
    "10 urlPath envoy.type.matcher.v3.PathMatcher",
    "11 destinationPortRange envoy.type.v3.Int32Range",
    "12 matcher envoy.config.core.v3.TypedExtensionConfig",
    "13 uriTemplate envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.rbac.v3.Permission.Set": [
    "1 rules repeated envoy.config.rbac.v3.Permission",
  ],
  "envoy.config.rbac.v3.Policy": [
    "1 permissions repeated envoy.config.rbac.v3.Permission",
    "2 principals repeated envoy.config.rbac.v3.Principal",
  ],
  "envoy.config.rbac.v3.Principal": [
    "1 andIds envoy.config.rbac.v3.Principal.Set",
    "2 orIds envoy.config.rbac.v3.Principal.Set",
    "3 any bool",
    "4 authenticated envoy.config.rbac.v3.Principal.Authenticated",
    "6 header envoy.config.route.v3.HeaderMatcher",
    "7 metadata envoy.type.matcher.v3.MetadataMatcher",
    "8 notId envoy.config.rbac.v3.Principal",
    "9 urlPath envoy.type.matcher.v3.PathMatcher",
    "10 directRemoteIp envoy.config.core.v3.CidrRange",
    "11 remoteIp envoy.config.core.v3.CidrRange",
    "12 filterState envoy.type.matcher.v3.FilterStateMatcher",
  ],
  "envoy.config.rbac.v3.Principal.Authenticated": [
    "2 principalName envoy.type.matcher.v3.StringMatcher",
  ],
  "envoy.config.rbac.v3.Principal.Set": [
    "1 ids repeated envoy.config.rbac.v3.Principal",
  ],
  "envoy.config.rbac.v3.RBAC": [
    "1 action enum:envoy.config.rbac.v3.RBAC.Action",
    "2 policies map string envoy.config.rbac.v3.Policy",
    "3 auditLoggingOptions envoy.config.rbac.v3.RBAC.AuditLoggingOptions",
  ],
  "envoy.config.rbac.v3.RBAC.AuditLoggingOptions": [
    "1 auditCondition enum:envoy.config.rbac.v3.RBAC.AuditLoggingOptions.AuditCondition",
    "2 loggerConfigs repeated envoy.config.rbac.v3.RBAC.AuditLoggingOptions.AuditLoggerConfig",
  ],
  "envoy.config.rbac.v3.RBAC.AuditLoggingOptions.AuditLoggerConfig": [
    "1 auditLogger envoy.config.core.v3.TypedExtensionConfig",
    "2 isOptional bool",
  ],
  "envoy.config.route.v3.CorsPolicy": [
    "2 allowMethods string",
    "3 allowHeaders string",
    "4 exposeHeaders string",
    "5 maxAge string",
    "6 allowCredentials google.protobuf.BoolValue",
    "9 filterEnabled envoy.config.core.v3.RuntimeFractionalPercent",
    "10 shadowEnabled envoy.config.core.v3.RuntimeFractionalPercent",
    "11 allowOriginStringMatch repeated envoy.type.matcher.v3.StringMatcher",
    "12 allowPrivateNetworkAccess google.protobuf.BoolValue",
    "13 forwardNotMatchingPreflights google.protobuf.BoolValue",
  ],
  "envoy.config.route.v3.DirectResponseAction": [
    "1 status uint32",
    "2 body envoy.config.core.v3.DataSource",
  ],
  "envoy.config.route.v3.FilterConfig": [
    "1 config google.protobuf.Any",
    "2 isOptional bool",
    "3 disabled bool",
  ],
  "envoy.config.route.v3.HeaderMatcher": [
    "1 name string",
    "6 rangeMatch envoy.type.v3.Int64Range",
    "7 presentMatch bool",
    "8 invertMatch bool",
    "13 stringMatch envoy.type.matcher.v3.StringMatcher",
    "14 treatMissingHeaderAsEmpty bool",
  ],
  "envoy.config.route.v3.HedgePolicy": [
    "1 initialRequests google.protobuf.UInt32Value",
    "2 additionalRequestChance envoy.type.v3.FractionalPercent",
    "3 hedgeOnPerTryTimeout bool",
  ],
  "envoy.config.route.v3.InternalRedirectPolicy": [
    "1 maxInternalRedirects google.protobuf.UInt32Value",
    "2 redirectResponseCodes packed uint32",
    "3 predicates repeated envoy.config.core.v3.TypedExtensionConfig",
    "4 allowCrossSchemeRedirect bool",
    "5 responseHeadersToCopy repeated string",
  ],
  "envoy.config.route.v3.NonForwardingAction": [
  ],
  "envoy.config.route.v3.QueryParameterMatcher": [
    "1 name string",
    "5 stringMatch envoy.type.matcher.v3.StringMatcher",
    "6 presentMatch bool",
  ],
  "envoy.config.route.v3.RedirectAction": [
    "1 hostRedirect string",
    "2 pathRedirect string",
    "3 responseCode enum:envoy.config.route.v3.RedirectAction.RedirectResponseCode",
    "4 httpsRedirect bool",
    "5 prefixRewrite string",
    "6 stripQuery bool",
    "7 schemeRedirect string",
    "8 portRedirect uint32",
    "9 regexRewrite envoy.type.matcher.v3.RegexMatchAndSubstitute",
  ],
  "envoy.config.route.v3.RetryPolicy": [
    "1 retryOn string",
    "2 numRetries google.protobuf.UInt32Value",
    "3 perTryTimeout google.protobuf.Duration",
    "4 retryPriority envoy.config.route.v3.RetryPolicy.RetryPriority",
    "5 retryHostPredicate repeated envoy.config.route.v3.RetryPolicy.RetryHostPredicate",
    "6 hostSelectionRetryMaxAttempts int64",
    "7 retriableStatusCodes packed uint32",
    "8 retryBackOff envoy.config.route.v3.RetryPolicy.RetryBackOff",
    "9 retriableHeaders repeated envoy.config.route.v3.HeaderMatcher",
    "10 retriableRequestHeaders repeated envoy.config.route.v3.HeaderMatcher",
    "11 rateLimitedRetryBackOff envoy.config.route.v3.RetryPolicy.RateLimitedRetryBackOff",
    "12 retryOptionsPredicates repeated envoy.config.core.v3.TypedExtensionConfig",
    "13 perTryIdleTimeout google.protobuf.Duration",
  ],
  "envoy.config.route.v3.RetryPolicy.RateLimitedRetryBackOff": [
    "1 resetHeaders repeated envoy.config.route.v3.RetryPolicy.ResetHeader",
    "2 maxInterval google.protobuf.Duration",
  ],
  "envoy.config.route.v3.RetryPolicy.ResetHeader": [
    "1 name string",
    "2 format enum:envoy.config.route.v3.RetryPolicy.ResetHeaderFormat",
  ],
  "envoy.config.route.v3.RetryPolicy.RetryBackOff": [
    "1 baseInterval google.protobuf.Duration",
    "2 maxInterval google.protobuf.Duration",
  ],
  "envoy.config.route.v3.RetryPolicy.RetryHostPredicate": [
    "1 name string",
    "3 typedConfig google.protobuf.Any",
  ],
  "envoy.config.route.v3.RetryPolicy.RetryPriority": [
    "1 name string",
    "3 typedConfig google.protobuf.Any",
  ],
  "envoy.config.route.v3.Route": [
    "1 match envoy.config.route.v3.RouteMatch",
    "2 route envoy.config.route.v3.RouteAction",
    "3 redirect envoy.config.route.v3.RedirectAction",
    "4 metadata envoy.config.core.v3.Metadata",
    "7 directResponse envoy.config.route.v3.DirectResponseAction",
    "9 requestHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "10 responseHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "11 responseHeadersToRemove repeated string",
    "12 requestHeadersToRemove repeated string",
    "13 typedPerFilterConfig map string google.protobuf.Any",
    "14 name string",
    "16 perRequestBufferLimitBytes google.protobuf.UInt32Value",
    "18 nonForwardingAction envoy.config.route.v3.NonForwardingAction",
    "19 statPrefix string",
  ],
  "envoy.config.route.v3.RouteAction": [
    "1 cluster string",
    "2 clusterHeader string",
    "3 weightedClusters envoy.config.route.v3.WeightedCluster",
    "4 metadataMatch envoy.config.core.v3.Metadata",
    "5 prefixRewrite string",
    "6 hostRewriteLiteral string",
    "7 autoHostRewrite google.protobuf.BoolValue",
    "8 timeout google.protobuf.Duration",
    "9 retryPolicy envoy.config.route.v3.RetryPolicy",
    "11 priority enum:envoy.config.core.v3.RoutingPriority",
    "15 hashPolicy repeated envoy.config.route.v3.RouteAction.HashPolicy",
    "20 clusterNotFoundResponseCode enum:envoy.config.route.v3.RouteAction.ClusterNotFoundResponseCode",
    "24 idleTimeout google.protobuf.Duration",
    "25 upgradeConfigs repeated envoy.config.route.v3.RouteAction.UpgradeConfig",
    "27 hedgePolicy envoy.config.route.v3.HedgePolicy",
    "29 hostRewriteHeader string",
    "30 requestMirrorPolicies repeated envoy.config.route.v3.RouteAction.RequestMirrorPolicy",
    "32 regexRewrite envoy.type.matcher.v3.RegexMatchAndSubstitute",
    "33 retryPolicyTypedConfig google.protobuf.Any",
    "34 internalRedirectPolicy envoy.config.route.v3.InternalRedirectPolicy",
    "35 hostRewritePathRegex envoy.type.matcher.v3.RegexMatchAndSubstitute",
    "36 maxStreamDuration envoy.config.route.v3.RouteAction.MaxStreamDuration",
    "37 clusterSpecifierPlugin string",
    "38 appendXForwardedHost bool",
    "40 earlyDataPolicy envoy.config.core.v3.TypedExtensionConfig",
    "41 pathRewritePolicy envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.route.v3.RouteAction.HashPolicy": [
    "1 header envoy.config.route.v3.RouteAction.HashPolicy.Header",
    "2 cookie envoy.config.route.v3.RouteAction.HashPolicy.Cookie",
    "3 connectionProperties envoy.config.route.v3.RouteAction.HashPolicy.ConnectionProperties",
    "4 terminal bool",
    "5 queryParameter envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter",
    "6 filterState envoy.config.route.v3.RouteAction.HashPolicy.FilterState",
  ],
  "envoy.config.route.v3.RouteAction.HashPolicy.ConnectionProperties": [
    "1 sourceIp bool",
  ],
  "envoy.config.route.v3.RouteAction.HashPolicy.Cookie": [
    "1 name string",
    "2 ttl google.protobuf.Duration",
    "3 path string",
    "4 attributes repeated envoy.config.route.v3.RouteAction.HashPolicy.CookieAttribute",
  ],
  "envoy.config.route.v3.RouteAction.HashPolicy.CookieAttribute": [
    "1 name string",
    "2 value string",
  ],
  "envoy.config.route.v3.RouteAction.HashPolicy.FilterState": [
    "1 key string",
  ],
  "envoy.config.route.v3.RouteAction.HashPolicy.Header": [
    "1 headerName string",
    "2 regexRewrite envoy.type.matcher.v3.RegexMatchAndSubstitute",
  ],
  "envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter": [
    "1 name string",
  ],
  "envoy.config.route.v3.RouteAction.MaxStreamDuration": [
    "1 maxStreamDuration google.protobuf.Duration",
    "2 grpcTimeoutHeaderMax google.protobuf.Duration",
    "3 grpcTimeoutHeaderOffset google.protobuf.Duration",
  ],
  "envoy.config.route.v3.RouteAction.RequestMirrorPolicy": [
    "1 cluster string",
    "3 runtimeFraction envoy.config.core.v3.RuntimeFractionalPercent",
    "4 traceSampled google.protobuf.BoolValue",
    "5 clusterHeader string",
    "6 disableShadowHostSuffixAppend bool",
  ],
  "envoy.config.route.v3.RouteAction.UpgradeConfig": [
    "1 upgradeType string",
    "2 enabled google.protobuf.BoolValue",
    "3 connectConfig envoy.config.route.v3.RouteAction.UpgradeConfig.ConnectConfig",
  ],
  "envoy.config.route.v3.RouteAction.UpgradeConfig.ConnectConfig": [
    "1 proxyProtocolConfig envoy.config.core.v3.ProxyProtocolConfig",
    "2 allowPost bool",
  ],
  "envoy.config.route.v3.RouteConfiguration": [
    "1 name string",
    "2 virtualHosts repeated envoy.config.route.v3.VirtualHost",
    "3 internalOnlyHeaders repeated string",
    "4 responseHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "5 responseHeadersToRemove repeated string",
    "6 requestHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "7 validateClusters google.protobuf.BoolValue",
    "8 requestHeadersToRemove repeated string",
    "10 mostSpecificHeaderMutationsWins bool",
    "11 maxDirectResponseBodySizeBytes google.protobuf.UInt32Value",
    "13 requestMirrorPolicies repeated envoy.config.route.v3.RouteAction.RequestMirrorPolicy",
    "14 ignorePortInHostMatching bool",
    "15 ignorePathParametersInPathMatching bool",
    "16 typedPerFilterConfig map string google.protobuf.Any",
    "17 metadata envoy.config.core.v3.Metadata",
  ],
  "envoy.config.route.v3.RouteList": [
    "1 routes repeated envoy.config.route.v3.Route",
  ],
  "envoy.config.route.v3.RouteMatch": [
    "1 prefix string",
    "2 path string",
    "4 caseSensitive google.protobuf.BoolValue",
    "6 headers repeated envoy.config.route.v3.HeaderMatcher",
    "7 queryParameters repeated envoy.config.route.v3.QueryParameterMatcher",
    "8 grpc envoy.config.route.v3.RouteMatch.GrpcRouteMatchOptions",
    "9 runtimeFraction envoy.config.core.v3.RuntimeFractionalPercent",
    "10 safeRegex envoy.type.matcher.v3.RegexMatcher",
    "11 tlsContext envoy.config.route.v3.RouteMatch.TlsContextMatchOptions",
    "12 connectMatcher envoy.config.route.v3.RouteMatch.ConnectMatcher",
    "13 dynamicMetadata repeated envoy.type.matcher.v3.MetadataMatcher",
    "14 pathSeparatedPrefix string",
    "15 pathMatchPolicy envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.config.route.v3.RouteMatch.ConnectMatcher": [
  ],
  "envoy.config.route.v3.RouteMatch.GrpcRouteMatchOptions": [
  ],
  "envoy.config.route.v3.RouteMatch.TlsContextMatchOptions": [
    "1 presented google.protobuf.BoolValue",
    "2 validated google.protobuf.BoolValue",
  ],
  "envoy.config.route.v3.ScopedRouteConfiguration": [
    "1 name string",
    "2 routeConfigurationName string",
    "3 key envoy.config.route.v3.ScopedRouteConfiguration.Key",
    "4 onDemand bool",
    "5 routeConfiguration envoy.config.route.v3.RouteConfiguration",
  ],
  "envoy.config.route.v3.ScopedRouteConfiguration.Key": [
    "1 fragments repeated envoy.config.route.v3.ScopedRouteConfiguration.Key.Fragment",
  ],
  "envoy.config.route.v3.ScopedRouteConfiguration.Key.Fragment": [
    "1 stringKey string",
  ],
  "envoy.config.route.v3.VirtualHost": [
    "1 name string",
    "2 domains repeated string",
    "3 routes repeated envoy.config.route.v3.Route",
    "4 requireTls enum:envoy.config.route.v3.VirtualHost.TlsRequirementType",
    "7 requestHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "10 responseHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "11 responseHeadersToRemove repeated string",
    "13 requestHeadersToRemove repeated string",
    "14 includeRequestAttemptCount bool",
    "15 typedPerFilterConfig map string google.protobuf.Any",
    "16 retryPolicy envoy.config.route.v3.RetryPolicy",
    "17 hedgePolicy envoy.config.route.v3.HedgePolicy",
    "18 perRequestBufferLimitBytes google.protobuf.UInt32Value",
    "19 includeAttemptCountInResponse bool",
    "20 retryPolicyTypedConfig google.protobuf.Any",
    "21 matcher xds.type.matcher.v3.Matcher",
    "22 requestMirrorPolicies repeated envoy.config.route.v3.RouteAction.RequestMirrorPolicy",
    "23 includeIsTimeoutRetryHeader bool",
    "24 metadata envoy.config.core.v3.Metadata",
  ],
  "envoy.config.route.v3.WeightedCluster": [
    "1 clusters repeated envoy.config.route.v3.WeightedCluster.ClusterWeight",
    "2 runtimeKeyPrefix string",
    "4 headerName string",
  ],
  "envoy.config.route.v3.WeightedCluster.ClusterWeight": [
    "1 name string",
    "2 weight google.protobuf.UInt32Value",
    "3 metadataMatch envoy.config.core.v3.Metadata",
    "4 requestHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "5 responseHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "6 responseHeadersToRemove repeated string",
    "9 requestHeadersToRemove repeated string",
    "10 typedPerFilterConfig map string google.protobuf.Any",
    "11 hostRewriteLiteral string",
    "12 clusterHeader string",
  ],
  "envoy.extensions.access_loggers.file.v3.FileAccessLog": [
    "1 path string",
    "5 logFormat envoy.config.core.v3.SubstitutionFormatString",
  ],
  "envoy.extensions.access_loggers.stream.v3.StderrAccessLog": [
    "1 logFormat envoy.config.core.v3.SubstitutionFormatString",
  ],
  "envoy.extensions.access_loggers.stream.v3.StdoutAccessLog": [
    "1 logFormat envoy.config.core.v3.SubstitutionFormatString",
  ],
  "envoy.extensions.clusters.aggregate.v3.ClusterConfig": [
    "1 clusters repeated string",
  ],
  "envoy.extensions.common.matching.v3.ExtensionWithMatcher": [
    "2 extensionConfig envoy.config.core.v3.TypedExtensionConfig",
    "3 xdsMatcher xds.type.matcher.v3.Matcher",
  ],
  "envoy.extensions.common.matching.v3.ExtensionWithMatcherPerRoute": [
    "1 xdsMatcher xds.type.matcher.v3.Matcher",
  ],
  "envoy.extensions.filters.common.matcher.action.v3.SkipFilter": [
  ],
  "envoy.extensions.filters.common.set_filter_state.v3.FilterStateValue": [
    "1 objectKey string",
    "2 formatString envoy.config.core.v3.SubstitutionFormatString",
    "3 readOnly bool",
    "4 sharedWithUpstream enum:envoy.extensions.filters.common.set_filter_state.v3.FilterStateValue.SharedWithUpstream",
    "5 skipIfEmpty bool",
    "6 factoryKey string",
  ],
  "envoy.extensions.filters.http.buffer.v3.Buffer": [
    "1 maxRequestBytes google.protobuf.UInt32Value",
  ],
  "envoy.extensions.filters.http.buffer.v3.BufferPerRoute": [
    "1 disabled bool",
    "2 buffer envoy.extensions.filters.http.buffer.v3.Buffer",
  ],
  "envoy.extensions.filters.http.composite.v3.Composite": [
    "1 namedFilterChains map string envoy.extensions.filters.http.composite.v3.FilterChainConfiguration",
  ],
  "envoy.extensions.filters.http.composite.v3.DynamicConfig": [
    "1 name string",
  ],
  "envoy.extensions.filters.http.composite.v3.ExecuteFilterAction": [
    "1 typedConfig envoy.config.core.v3.TypedExtensionConfig",
    "2 dynamicConfig envoy.extensions.filters.http.composite.v3.DynamicConfig",
    "3 samplePercent envoy.config.core.v3.RuntimeFractionalPercent",
    "4 filterChain envoy.extensions.filters.http.composite.v3.FilterChainConfiguration",
    "5 filterChainName string",
  ],
  "envoy.extensions.filters.http.composite.v3.FilterChainConfiguration": [
    "1 typedConfig repeated envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.extensions.filters.http.cors.v3.Cors": [
  ],
  "envoy.extensions.filters.http.cors.v3.CorsPolicy": [
    "1 allowOriginStringMatch repeated envoy.type.matcher.v3.StringMatcher",
    "2 allowMethods string",
    "3 allowHeaders string",
    "4 exposeHeaders string",
    "5 maxAge string",
    "6 allowCredentials google.protobuf.BoolValue",
    "7 filterEnabled envoy.config.core.v3.RuntimeFractionalPercent",
    "8 shadowEnabled envoy.config.core.v3.RuntimeFractionalPercent",
    "9 allowPrivateNetworkAccess google.protobuf.BoolValue",
    "10 forwardNotMatchingPreflights google.protobuf.BoolValue",
  ],
  "envoy.extensions.filters.http.custom_response.v3.CustomResponse": [
    "1 customResponseMatcher xds.type.matcher.v3.Matcher",
  ],
  "envoy.extensions.filters.http.ext_authz.v3.AuthorizationRequest": [
    "2 headersToAdd repeated envoy.config.core.v3.HeaderValue",
  ],
  "envoy.extensions.filters.http.ext_authz.v3.AuthorizationResponse": [
    "1 allowedUpstreamHeaders envoy.type.matcher.v3.ListStringMatcher",
    "2 allowedClientHeaders envoy.type.matcher.v3.ListStringMatcher",
    "3 allowedUpstreamHeadersToAppend envoy.type.matcher.v3.ListStringMatcher",
    "4 allowedClientHeadersOnSuccess envoy.type.matcher.v3.ListStringMatcher",
    "5 dynamicMetadataFromHeaders envoy.type.matcher.v3.ListStringMatcher",
  ],
  "envoy.extensions.filters.http.ext_authz.v3.BufferSettings": [
    "1 maxRequestBytes uint32",
    "2 allowPartialMessage bool",
    "3 packAsBytes bool",
  ],
  "envoy.extensions.filters.http.ext_authz.v3.CheckSettings": [
    "1 contextExtensions map string string",
    "2 disableRequestBodyBuffering bool",
    "3 withRequestBody envoy.extensions.filters.http.ext_authz.v3.BufferSettings",
  ],
  "envoy.extensions.filters.http.ext_authz.v3.ExtAuthz": [
    "1 grpcService envoy.config.core.v3.GrpcService",
    "2 failureModeAllow bool",
    "3 httpService envoy.extensions.filters.http.ext_authz.v3.HttpService",
    "5 withRequestBody envoy.extensions.filters.http.ext_authz.v3.BufferSettings",
    "6 clearRouteCache bool",
    "7 statusOnError envoy.type.v3.HttpStatus",
    "8 metadataContextNamespaces repeated string",
    "9 filterEnabled envoy.config.core.v3.RuntimeFractionalPercent",
    "10 includePeerCertificate bool",
    "11 denyAtDisable envoy.config.core.v3.RuntimeFeatureFlag",
    "12 transportApiVersion enum:envoy.config.core.v3.ApiVersion",
    "13 statPrefix string",
    "14 filterEnabledMetadata envoy.type.matcher.v3.MetadataMatcher",
    "15 bootstrapMetadataLabelsKey string",
    "16 typedMetadataContextNamespaces repeated string",
    "17 allowedHeaders envoy.type.matcher.v3.ListStringMatcher",
    "18 includeTlsSession bool",
    "19 failureModeAllowHeaderAdd bool",
    "20 chargeClusterResponseStats google.protobuf.BoolValue",
    "21 routeMetadataContextNamespaces repeated string",
    "22 routeTypedMetadataContextNamespaces repeated string",
    "23 encodeRawHeaders bool",
    "24 validateMutations bool",
    "25 disallowedHeaders envoy.type.matcher.v3.ListStringMatcher",
    "26 decoderHeaderMutationRules envoy.config.common.mutation_rules.v3.HeaderMutationRules",
    "27 enableDynamicMetadataIngestion google.protobuf.BoolValue",
  ],
  "envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute": [
    "1 disabled bool",
    "2 checkSettings envoy.extensions.filters.http.ext_authz.v3.CheckSettings",
  ],
  "envoy.extensions.filters.http.ext_authz.v3.HttpService": [
    "1 serverUri envoy.config.core.v3.HttpUri",
    "2 pathPrefix string",
    "7 authorizationRequest envoy.extensions.filters.http.ext_authz.v3.AuthorizationRequest",
    "8 authorizationResponse envoy.extensions.filters.http.ext_authz.v3.AuthorizationResponse",
  ],
  "envoy.extensions.filters.http.fault.v3.FaultAbort": [
    "2 httpStatus uint32",
    "3 percentage envoy.type.v3.FractionalPercent",
    "4 headerAbort envoy.extensions.filters.http.fault.v3.FaultAbort.HeaderAbort",
    "5 grpcStatus uint32",
  ],
  "envoy.extensions.filters.http.fault.v3.FaultAbort.HeaderAbort": [
  ],
  "envoy.extensions.filters.http.fault.v3.HTTPFault": [
    "2 abort envoy.extensions.filters.http.fault.v3.FaultAbort",
    "3 upstreamCluster string",
    "4 headers repeated envoy.config.route.v3.HeaderMatcher",
    "5 downstreamNodes repeated string",
    "6 maxActiveFaults google.protobuf.UInt32Value",
    "8 delayPercentRuntime string",
    "9 abortPercentRuntime string",
    "10 delayDurationRuntime string",
    "11 abortHttpStatusRuntime string",
    "12 maxActiveFaultsRuntime string",
    "13 responseRateLimitPercentRuntime string",
    "14 abortGrpcStatusRuntime string",
    "15 disableDownstreamClusterStats bool",
    "16 filterMetadata google.protobuf.Struct",
  ],
  "envoy.extensions.filters.http.header_mutation.v3.HeaderMutation": [
    "1 mutations envoy.extensions.filters.http.header_mutation.v3.Mutations",
    "2 mostSpecificHeaderMutationsWins bool",
  ],
  "envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute": [
    "1 mutations envoy.extensions.filters.http.header_mutation.v3.Mutations",
  ],
  "envoy.extensions.filters.http.header_mutation.v3.Mutations": [
    "1 requestMutations repeated envoy.config.common.mutation_rules.v3.HeaderMutation",
    "2 responseMutations repeated envoy.config.common.mutation_rules.v3.HeaderMutation",
    "5 requestTrailersMutations repeated envoy.config.common.mutation_rules.v3.HeaderMutation",
  ],
  "envoy.extensions.filters.http.header_to_metadata.v3.Config": [
    "1 requestRules repeated envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule",
    "2 responseRules repeated envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule",
  ],
  "envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair": [
    "1 metadataNamespace string",
    "2 key string",
    "3 value string",
    "4 type enum:envoy.extensions.filters.http.header_to_metadata.v3.Config.ValueType",
    "5 encode enum:envoy.extensions.filters.http.header_to_metadata.v3.Config.ValueEncode",
    "6 regexValueRewrite envoy.type.matcher.v3.RegexMatchAndSubstitute",
  ],
  "envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule": [
    "1 header string",
    "2 onHeaderPresent envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair",
    "3 onHeaderMissing envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair",
    "4 remove bool",
    "5 cookie string",
  ],
  "envoy.extensions.filters.http.health_check.v3.HealthCheck": [
    "1 passThroughMode google.protobuf.BoolValue",
    "3 cacheTime google.protobuf.Duration",
    "4 clusterMinHealthyPercentages map string envoy.type.v3.Percent",
    "5 headers repeated envoy.config.route.v3.HeaderMatcher",
  ],
  "envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit": [
    "1 statPrefix string",
    "2 status envoy.type.v3.HttpStatus",
    "3 tokenBucket envoy.type.v3.TokenBucket",
    "4 filterEnabled envoy.config.core.v3.RuntimeFractionalPercent",
    "5 filterEnforced envoy.config.core.v3.RuntimeFractionalPercent",
    "6 responseHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "9 stage uint32",
    "10 requestHeadersToAddWhenNotEnforced repeated envoy.config.core.v3.HeaderValueOption",
    "11 localRateLimitPerDownstreamConnection bool",
    "12 enableXRatelimitHeaders enum:envoy.extensions.common.ratelimit.v3.XRateLimitHeadersRFCVersion",
    "13 vhRateLimits enum:envoy.extensions.common.ratelimit.v3.VhRateLimitsOptions",
    "14 alwaysConsumeDefaultTokenBucket google.protobuf.BoolValue",
    "15 rateLimitedAsResourceExhausted bool",
  ],
  "envoy.extensions.filters.http.lua.v3.Lua": [
    "2 sourceCodes map string envoy.config.core.v3.DataSource",
    "3 defaultSourceCode envoy.config.core.v3.DataSource",
    "4 statPrefix string",
    "6 filterContext google.protobuf.Struct",
  ],
  "envoy.extensions.filters.http.lua.v3.LuaPerRoute": [
    "1 disabled bool",
    "2 name string",
    "3 sourceCode envoy.config.core.v3.DataSource",
  ],
  "envoy.extensions.filters.http.on_demand.v3.OnDemand": [
    "1 odcds envoy.extensions.filters.http.on_demand.v3.OnDemandCds",
  ],
  "envoy.extensions.filters.http.on_demand.v3.OnDemandCds": [
    "1 source envoy.config.core.v3.ConfigSource",
    "2 resourcesLocator string",
    "3 timeout google.protobuf.Duration",
  ],
  "envoy.extensions.filters.http.on_demand.v3.PerRouteConfig": [
    "1 odcds envoy.extensions.filters.http.on_demand.v3.OnDemandCds",
  ],
  "envoy.extensions.filters.http.rbac.v3.RBAC": [
    "1 rules envoy.config.rbac.v3.RBAC",
    "2 shadowRules envoy.config.rbac.v3.RBAC",
    "3 shadowRulesStatPrefix string",
    "4 matcher xds.type.matcher.v3.Matcher",
    "5 shadowMatcher xds.type.matcher.v3.Matcher",
    "6 rulesStatPrefix string",
    "7 trackPerRuleStats bool",
  ],
  "envoy.extensions.filters.http.rbac.v3.RBACPerRoute": [
    "2 rbac envoy.extensions.filters.http.rbac.v3.RBAC",
  ],
  "envoy.extensions.filters.http.router.v3.Router": [
    "1 dynamicStats google.protobuf.BoolValue",
    "3 upstreamLog repeated envoy.config.accesslog.v3.AccessLog",
    "4 suppressEnvoyHeaders bool",
    "5 strictCheckHeaders repeated string",
    "6 respectExpectedRqTimeout bool",
    "7 suppressGrpcRequestFailureCodeStats bool",
    "8 upstreamHttpFilters repeated envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter",
    "9 upstreamLogOptions envoy.extensions.filters.http.router.v3.Router.UpstreamAccessLogOptions",
  ],
  "envoy.extensions.filters.http.router.v3.Router.UpstreamAccessLogOptions": [
    "1 flushUpstreamLogOnUpstreamStream bool",
    "2 upstreamLogFlushInterval google.protobuf.Duration",
  ],
  "envoy.extensions.filters.http.set_filter_state.v3.Config": [
    "1 onRequestHeaders repeated envoy.extensions.filters.common.set_filter_state.v3.FilterStateValue",
  ],
  "envoy.extensions.filters.http.set_metadata.v3.Config": [
    "3 metadata repeated envoy.extensions.filters.http.set_metadata.v3.Metadata",
  ],
  "envoy.extensions.filters.http.set_metadata.v3.Metadata": [
    "1 metadataNamespace string",
    "2 allowOverwrite bool",
    "3 value google.protobuf.Struct",
    "4 typedValue google.protobuf.Any",
  ],
  "envoy.extensions.filters.http.stateful_session.v3.StatefulSession": [
    "1 sessionState envoy.config.core.v3.TypedExtensionConfig",
    "2 strict bool",
  ],
  "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute": [
    "1 disabled bool",
    "2 statefulSession envoy.extensions.filters.http.stateful_session.v3.StatefulSession",
  ],
  "envoy.extensions.filters.http.upstream_codec.v3.UpstreamCodec": [
  ],
  "envoy.extensions.filters.listener.http_inspector.v3.HttpInspector": [
  ],
  "envoy.extensions.filters.listener.original_dst.v3.OriginalDst": [
  ],
  "envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol": [
    "1 rules repeated envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.Rule",
    "2 allowRequestsWithoutProxyProtocol bool",
    "4 disallowedVersions packed enum:envoy.config.core.v3.ProxyProtocolConfig.Version",
    "5 statPrefix string",
  ],
  "envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.KeyValuePair": [
    "1 metadataNamespace string",
    "2 key string",
  ],
  "envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.Rule": [
    "1 tlvType uint32",
    "2 onTlvPresent envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol.KeyValuePair",
  ],
  "envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector": [
    "1 enableJa3Fingerprinting google.protobuf.BoolValue",
    "2 initialReadBufferSize google.protobuf.UInt32Value",
  ],
  "envoy.extensions.filters.network.connection_limit.v3.ConnectionLimit": [
    "1 statPrefix string",
    "2 maxConnections google.protobuf.UInt64Value",
    "3 delay google.protobuf.Duration",
    "4 runtimeEnabled envoy.config.core.v3.RuntimeFeatureFlag",
  ],
  "envoy.extensions.filters.network.direct_response.v3.Config": [
    "1 response envoy.config.core.v3.DataSource",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager": [
    "1 codecType enum:envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.CodecType",
    "2 statPrefix string",
    "3 rds envoy.extensions.filters.network.http_connection_manager.v3.Rds",
    "4 routeConfig envoy.config.route.v3.RouteConfiguration",
    "5 httpFilters repeated envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter",
    "6 addUserAgent google.protobuf.BoolValue",
    "7 tracing envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.Tracing",
    "8 httpProtocolOptions envoy.config.core.v3.Http1ProtocolOptions",
    "9 http2ProtocolOptions envoy.config.core.v3.Http2ProtocolOptions",
    "10 serverName string",
    "12 drainTimeout google.protobuf.Duration",
    "13 accessLog repeated envoy.config.accesslog.v3.AccessLog",
    "14 useRemoteAddress google.protobuf.BoolValue",
    "15 generateRequestId google.protobuf.BoolValue",
    "16 forwardClientCertDetails enum:envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails",
    "17 setCurrentClientCertDetails envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.SetCurrentClientCertDetails",
    "18 proxy100Continue bool",
    "19 xffNumTrustedHops uint32",
    "20 representIpv4RemoteAddressAsIpv4MappedIpv6 bool",
    "21 skipXffAppend bool",
    "22 via string",
    "23 upgradeConfigs repeated envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.UpgradeConfig",
    "24 streamIdleTimeout google.protobuf.Duration",
    "25 internalAddressConfig envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.InternalAddressConfig",
    "26 delayedCloseTimeout google.protobuf.Duration",
    "28 requestTimeout google.protobuf.Duration",
    "29 maxRequestHeadersKb google.protobuf.UInt32Value",
    "30 normalizePath google.protobuf.BoolValue",
    "31 scopedRoutes envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes",
    "32 preserveExternalRequestId bool",
    "33 mergeSlashes bool",
    "34 serverHeaderTransformation enum:envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ServerHeaderTransformation",
    "35 commonHttpProtocolOptions envoy.config.core.v3.HttpProtocolOptions",
    "36 requestIdExtension envoy.extensions.filters.network.http_connection_manager.v3.RequestIDExtension",
    "37 alwaysSetRequestIdInResponse bool",
    "38 localReplyConfig envoy.extensions.filters.network.http_connection_manager.v3.LocalReplyConfig",
    "39 stripMatchingHostPort bool",
    "40 streamErrorOnInvalidHttpMessage google.protobuf.BoolValue",
    "41 requestHeadersTimeout google.protobuf.Duration",
    "42 stripAnyHostPort bool",
    "43 pathNormalizationOptions envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.PathNormalizationOptions",
    "45 pathWithEscapedSlashesAction enum:envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.PathWithEscapedSlashesAction",
    "46 originalIpDetectionExtensions repeated envoy.config.core.v3.TypedExtensionConfig",
    "47 stripTrailingHostDot bool",
    "49 proxyStatusConfig envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ProxyStatusConfig",
    "50 typedHeaderValidationConfig envoy.config.core.v3.TypedExtensionConfig",
    "51 appendXForwardedPort bool",
    "52 earlyHeaderMutationExtensions repeated envoy.config.core.v3.TypedExtensionConfig",
    "53 addProxyProtocolConnectionState google.protobuf.BoolValue",
    "56 accessLogOptions envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.HcmAccessLogOptions",
    "57 appendLocalOverload bool",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.HcmAccessLogOptions": [
    "1 accessLogFlushInterval google.protobuf.Duration",
    "2 flushAccessLogOnNewRequest bool",
    "3 flushLogOnTunnelSuccessfullyEstablished bool",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.InternalAddressConfig": [
    "1 unixSockets bool",
    "2 cidrRanges repeated envoy.config.core.v3.CidrRange",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.PathNormalizationOptions": [
    "1 forwardingTransformation envoy.type.http.v3.PathTransformation",
    "2 httpFilterTransformation envoy.type.http.v3.PathTransformation",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ProxyStatusConfig": [
    "1 removeDetails bool",
    "2 removeConnectionTerminationDetails bool",
    "3 removeResponseFlags bool",
    "4 setRecommendedResponseCode bool",
    "5 useNodeId bool",
    "6 literalProxyName string",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.SetCurrentClientCertDetails": [
    "1 subject google.protobuf.BoolValue",
    "3 cert bool",
    "4 dns bool",
    "5 uri bool",
    "6 chain bool",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.Tracing": [
    "3 clientSampling envoy.type.v3.Percent",
    "4 randomSampling envoy.type.v3.Percent",
    "5 overallSampling envoy.type.v3.Percent",
    "6 verbose bool",
    "7 maxPathTagLength google.protobuf.UInt32Value",
    "10 spawnUpstreamSpan google.protobuf.BoolValue",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.UpgradeConfig": [
    "1 upgradeType string",
    "2 filters repeated envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter",
    "3 enabled google.protobuf.BoolValue",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter": [
    "1 name string",
    "4 typedConfig google.protobuf.Any",
    "6 isOptional bool",
    "7 disabled bool",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.LocalReplyConfig": [
    "1 mappers repeated envoy.extensions.filters.network.http_connection_manager.v3.ResponseMapper",
    "2 bodyFormat envoy.config.core.v3.SubstitutionFormatString",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.Rds": [
    "1 configSource envoy.config.core.v3.ConfigSource",
    "2 routeConfigName string",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.RequestIDExtension": [
    "1 typedConfig google.protobuf.Any",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ResponseMapper": [
    "1 filter envoy.config.accesslog.v3.AccessLogFilter",
    "2 statusCode google.protobuf.UInt32Value",
    "3 body envoy.config.core.v3.DataSource",
    "4 bodyFormatOverride envoy.config.core.v3.SubstitutionFormatString",
    "5 headersToAdd repeated envoy.config.core.v3.HeaderValueOption",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRds": [
    "1 scopedRdsConfigSource envoy.config.core.v3.ConfigSource",
    "2 srdsResourcesLocator string",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRouteConfigurationsList": [
    "1 scopedRouteConfigurations repeated envoy.config.route.v3.ScopedRouteConfiguration",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes": [
    "1 name string",
    "2 scopeKeyBuilder envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder",
    "3 rdsConfigSource envoy.config.core.v3.ConfigSource",
    "4 scopedRouteConfigurationsList envoy.extensions.filters.network.http_connection_manager.v3.ScopedRouteConfigurationsList",
    "5 scopedRds envoy.extensions.filters.network.http_connection_manager.v3.ScopedRds",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder": [
    "1 fragments repeated envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder": [
    "1 headerValueExtractor envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor": [
    "1 name string",
    "2 elementSeparator string",
    "3 index uint32",
    "4 element envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor.KvElement",
  ],
  "envoy.extensions.filters.network.http_connection_manager.v3.ScopedRoutes.ScopeKeyBuilder.FragmentBuilder.HeaderValueExtractor.KvElement": [
    "1 separator string",
    "2 key string",
  ],
  "envoy.extensions.filters.network.rbac.v3.RBAC": [
    "1 rules envoy.config.rbac.v3.RBAC",
    "2 shadowRules envoy.config.rbac.v3.RBAC",
    "3 statPrefix string",
    "4 enforcementType enum:envoy.extensions.filters.network.rbac.v3.RBAC.EnforcementType",
    "5 shadowRulesStatPrefix string",
    "6 matcher xds.type.matcher.v3.Matcher",
    "7 shadowMatcher xds.type.matcher.v3.Matcher",
  ],
  "envoy.extensions.filters.network.set_filter_state.v3.Config": [
    "1 onNewConnection repeated envoy.extensions.filters.common.set_filter_state.v3.FilterStateValue",
  ],
  "envoy.extensions.filters.network.sni_cluster.v3.SniCluster": [
  ],
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy": [
    "1 statPrefix string",
    "2 cluster string",
    "3 downstreamIdleTimeout google.protobuf.Duration",
    "4 upstreamIdleTimeout google.protobuf.Duration",
    "5 accessLog repeated envoy.config.accesslog.v3.AccessLog",
    "7 maxConnectAttempts google.protobuf.UInt32Value",
    "8 idleTimeout google.protobuf.Duration",
    "9 metadataMatch envoy.config.core.v3.Metadata",
    "10 weightedClusters envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster",
    "12 tunnelingConfig envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.TunnelingConfig",
    "13 maxDownstreamConnectionDuration google.protobuf.Duration",
    "14 onDemand envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.OnDemand",
    "17 accessLogOptions envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.TcpAccessLogOptions",
  ],
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.OnDemand": [
    "1 odcdsConfig envoy.config.core.v3.ConfigSource",
    "2 resourcesLocator string",
    "3 timeout google.protobuf.Duration",
  ],
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.TcpAccessLogOptions": [
    "1 accessLogFlushInterval google.protobuf.Duration",
    "2 flushAccessLogOnConnected bool",
  ],
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.TunnelingConfig": [
    "1 hostname string",
    "2 usePost bool",
    "3 headersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "4 propagateResponseHeaders bool",
    "5 postPath string",
    "6 propagateResponseTrailers bool",
  ],
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster": [
    "1 clusters repeated envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight",
  ],
  "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight": [
    "1 name string",
    "2 weight uint32",
    "3 metadataMatch envoy.config.core.v3.Metadata",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.Route": [
    "1 cluster string",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig": [
    "1 statPrefix string",
    "3 idleTimeout google.protobuf.Duration",
    "4 useOriginalSrcIp bool",
    "5 hashPolicies repeated envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.HashPolicy",
    "6 upstreamSocketConfig envoy.config.core.v3.UdpSocketConfig",
    "7 usePerPacketLoadBalancing bool",
    "8 accessLog repeated envoy.config.accesslog.v3.AccessLog",
    "9 matcher xds.type.matcher.v3.Matcher",
    "10 proxyAccessLog repeated envoy.config.accesslog.v3.AccessLog",
    "11 sessionFilters repeated envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.SessionFilter",
    "12 tunnelingConfig envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig",
    "13 accessLogOptions envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpAccessLogOptions",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.HashPolicy": [
    "1 sourceIp bool",
    "2 key string",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.SessionFilter": [
    "1 name string",
    "2 typedConfig google.protobuf.Any",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpAccessLogOptions": [
    "1 accessLogFlushInterval google.protobuf.Duration",
    "2 flushAccessLogOnTunnelConnected bool",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig": [
    "1 proxyHost string",
    "2 proxyPort google.protobuf.UInt32Value",
    "3 targetHost string",
    "4 defaultTargetPort uint32",
    "5 usePost bool",
    "6 postPath string",
    "7 retryOptions envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.RetryOptions",
    "8 headersToAdd repeated envoy.config.core.v3.HeaderValueOption",
    "9 bufferOptions envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.BufferOptions",
    "10 propagateResponseHeaders bool",
    "11 propagateResponseTrailers bool",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.BufferOptions": [
    "1 maxBufferedDatagrams google.protobuf.UInt32Value",
    "2 maxBufferedBytes google.protobuf.UInt64Value",
  ],
  "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.UdpTunnelingConfig.RetryOptions": [
    "1 maxConnectAttempts google.protobuf.UInt32Value",
  ],
  "envoy.extensions.formatter.metadata.v3.Metadata": [
  ],
  "envoy.extensions.formatter.req_without_query.v3.ReqWithoutQuery": [
  ],
  "envoy.extensions.http.custom_response.local_response_policy.v3.LocalResponsePolicy": [
    "1 body envoy.config.core.v3.DataSource",
    "2 bodyFormat envoy.config.core.v3.SubstitutionFormatString",
    "3 statusCode google.protobuf.UInt32Value",
    "4 responseHeadersToAdd repeated envoy.config.core.v3.HeaderValueOption",
  ],
  "envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation": [
    "1 mutations repeated envoy.config.common.mutation_rules.v3.HeaderMutation",
  ],
  "envoy.extensions.http.header_formatters.preserve_case.v3.PreserveCaseFormatterConfig": [
    "1 forwardReasonPhrase bool",
    "2 formatterTypeOnEnvoyHeaders enum:envoy.extensions.http.header_formatters.preserve_case.v3.PreserveCaseFormatterConfig.FormatterTypeOnEnvoyHeaders",
  ],
  "envoy.extensions.http.original_ip_detection.custom_header.v3.CustomHeaderConfig": [
    "1 headerName string",
    "2 allowExtensionToSetAddressAsTrusted bool",
    "3 rejectWithStatus envoy.type.v3.HttpStatus",
  ],
  "envoy.extensions.http.original_ip_detection.xff.v3.XffConfig": [
    "1 xffNumTrustedHops uint32",
  ],
  "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState": [
    "1 cookie envoy.type.http.v3.Cookie",
  ],
  "envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState": [
    "1 name string",
  ],
  "envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig": [
    "1 useHostnameForHashing bool",
    "2 hashBalanceFactor google.protobuf.UInt32Value",
  ],
  "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig": [
    "1 zoneAwareLbConfig envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig",
    "2 localityWeightedLbConfig envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig",
  ],
  "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig": [
  ],
  "envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig": [
    "1 routingEnabled envoy.type.v3.Percent",
    "2 minClusterSize google.protobuf.UInt64Value",
    "3 failTrafficOnPanic bool",
  ],
  "envoy.extensions.load_balancing_policies.common.v3.SlowStartConfig": [
    "1 slowStartWindow google.protobuf.Duration",
    "2 aggression envoy.config.core.v3.RuntimeDouble",
    "3 minWeightPercent envoy.type.v3.Percent",
  ],
  "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest": [
    "1 choiceCount google.protobuf.UInt32Value",
    "2 activeRequestBias envoy.config.core.v3.RuntimeDouble",
    "3 slowStartConfig envoy.extensions.load_balancing_policies.common.v3.SlowStartConfig",
    "4 localityLbConfig envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig",
    "6 selectionMethod enum:envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest.SelectionMethod",
  ],
  "envoy.extensions.load_balancing_policies.maglev.v3.Maglev": [
    "1 tableSize google.protobuf.UInt64Value",
    "2 consistentHashingLbConfig envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig",
    "3 localityWeightedLbConfig envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig",
  ],
  "envoy.extensions.load_balancing_policies.random.v3.Random": [
    "1 localityLbConfig envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig",
  ],
  "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash": [
    "1 hashFunction enum:envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash.HashFunction",
    "2 minimumRingSize google.protobuf.UInt64Value",
    "3 maximumRingSize google.protobuf.UInt64Value",
    "6 consistentHashingLbConfig envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig",
    "7 localityWeightedLbConfig envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig",
  ],
  "envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin": [
    "1 slowStartConfig envoy.extensions.load_balancing_policies.common.v3.SlowStartConfig",
    "2 localityLbConfig envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig",
  ],
  "envoy.extensions.matching.common_inputs.network.v3.ApplicationProtocolInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.DestinationIPInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.DestinationPortInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.DirectSourceIPInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.FilterStateInput": [
    "1 key string",
  ],
  "envoy.extensions.matching.common_inputs.network.v3.ServerNameInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.SourceIPInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.SourcePortInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.SourceTypeInput": [
  ],
  "envoy.extensions.matching.common_inputs.network.v3.TransportProtocolInput": [
  ],
  "envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig": [
    "1 resolvers repeated envoy.config.core.v3.Address",
    "2 dnsResolverOptions envoy.config.core.v3.DnsResolverOptions",
    "3 useResolversAsFallback bool",
    "4 filterUnroutableFamilies bool",
    "5 udpMaxQueries google.protobuf.UInt32Value",
  ],
  "envoy.extensions.network.dns_resolver.getaddrinfo.v3.GetAddrInfoDnsResolverConfig": [
  ],
  "envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig": [
    "1 pathTemplate string",
  ],
  "envoy.extensions.path.rewrite.uri_template.v3.UriTemplateRewriteConfig": [
    "1 pathTemplateRewrite string",
  ],
  "envoy.extensions.request_id.uuid.v3.UuidRequestIdConfig": [
    "1 packTraceReason google.protobuf.BoolValue",
    "2 useRequestIdForTraceSampling google.protobuf.BoolValue",
  ],
  "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate": [
  ],
  "envoy.extensions.router.cluster_specifiers.lua.v3.LuaConfig": [
    "1 sourceCode envoy.config.core.v3.DataSource",
    "2 defaultCluster string",
  ],
  "envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer": [
  ],
  "envoy.extensions.transport_sockets.tls.cert_mappers.sni.v3.SNI": [
    "1 defaultValue string",
  ],
  "envoy.extensions.transport_sockets.tls.cert_mappers.static_name.v3.StaticName": [
    "1 name string",
  ],
  "envoy.extensions.transport_sockets.tls.cert_selectors.on_demand_secret.v3.Config": [
    "1 configSource envoy.config.core.v3.ConfigSource",
    "2 certificateMapper envoy.config.core.v3.TypedExtensionConfig",
    "3 prefetchSecretNames repeated string",
  ],
  "envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance": [
    "1 instanceName string",
    "2 certificateName string",
  ],
  "envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext": [
    "1 trustedCa envoy.config.core.v3.DataSource",
    "2 verifyCertificateHash repeated string",
    "3 verifyCertificateSpki repeated string",
    "6 requireSignedCertificateTimestamp google.protobuf.BoolValue",
    "7 crl envoy.config.core.v3.DataSource",
    "8 allowExpiredCertificate bool",
    "10 trustChainVerification enum:envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext.TrustChainVerification",
    "11 watchedDirectory envoy.config.core.v3.WatchedDirectory",
    "12 customValidatorConfig envoy.config.core.v3.TypedExtensionConfig",
    "13 caCertificateProviderInstance envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance",
    "14 onlyVerifyLeafCertCrl bool",
    "15 matchTypedSubjectAltNames repeated envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher",
    "16 maxVerifyDepth google.protobuf.UInt32Value",
    "17 systemRootCerts envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext.SystemRootCerts",
  ],
  "envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext.SystemRootCerts": [
  ],
  "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext": [
    "1 tlsParams envoy.extensions.transport_sockets.tls.v3.TlsParameters",
    "2 tlsCertificates repeated envoy.extensions.transport_sockets.tls.v3.TlsCertificate",
    "3 validationContext envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext",
    "4 alpnProtocols repeated string",
    "6 tlsCertificateSdsSecretConfigs repeated envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig",
    "7 validationContextSdsSecretConfig envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig",
    "8 combinedValidationContext envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext",
    "13 customHandshaker envoy.config.core.v3.TypedExtensionConfig",
    "14 tlsCertificateProviderInstance envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance",
    "15 keyLog envoy.extensions.transport_sockets.tls.v3.TlsKeyLog",
    "16 customTlsCertificateSelector envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext": [
    "1 defaultValidationContext envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext",
    "2 validationContextSdsSecretConfig envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig",
  ],
  "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext": [
    "1 commonTlsContext envoy.extensions.transport_sockets.tls.v3.CommonTlsContext",
    "2 requireClientCertificate google.protobuf.BoolValue",
    "3 requireSni google.protobuf.BoolValue",
    "4 sessionTicketKeys envoy.extensions.transport_sockets.tls.v3.TlsSessionTicketKeys",
    "5 sessionTicketKeysSdsSecretConfig envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig",
    "6 sessionTimeout google.protobuf.Duration",
    "7 disableStatelessSessionResumption bool",
    "8 ocspStaplePolicy enum:envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext.OcspStaplePolicy",
    "9 fullScanCertsOnSniMismatch google.protobuf.BoolValue",
    "10 disableStatefulSessionResumption bool",
  ],
  "envoy.extensions.transport_sockets.tls.v3.GenericSecret": [
    "1 secret envoy.config.core.v3.DataSource",
  ],
  "envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig": [
    "1 name string",
    "2 sdsConfig envoy.config.core.v3.ConfigSource",
  ],
  "envoy.extensions.transport_sockets.tls.v3.Secret": [
    "1 name string",
    "2 tlsCertificate envoy.extensions.transport_sockets.tls.v3.TlsCertificate",
    "3 sessionTicketKeys envoy.extensions.transport_sockets.tls.v3.TlsSessionTicketKeys",
    "4 validationContext envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext",
    "5 genericSecret envoy.extensions.transport_sockets.tls.v3.GenericSecret",
  ],
  "envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher": [
    "1 sanType enum:envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher.SanType",
    "2 matcher envoy.type.matcher.v3.StringMatcher",
    "3 oid string",
  ],
  "envoy.extensions.transport_sockets.tls.v3.TlsCertificate": [
    "1 certificateChain envoy.config.core.v3.DataSource",
    "2 privateKey envoy.config.core.v3.DataSource",
    "3 password envoy.config.core.v3.DataSource",
    "4 ocspStaple envoy.config.core.v3.DataSource",
    "5 signedCertificateTimestamp repeated envoy.config.core.v3.DataSource",
    "7 watchedDirectory envoy.config.core.v3.WatchedDirectory",
    "8 pkcs12 envoy.config.core.v3.DataSource",
  ],
  "envoy.extensions.transport_sockets.tls.v3.TlsKeyLog": [
    "1 path string",
    "2 localAddressRange repeated envoy.config.core.v3.CidrRange",
    "3 remoteAddressRange repeated envoy.config.core.v3.CidrRange",
  ],
  "envoy.extensions.transport_sockets.tls.v3.TlsParameters": [
    "1 tlsMinimumProtocolVersion enum:envoy.extensions.transport_sockets.tls.v3.TlsParameters.TlsProtocol",
    "2 tlsMaximumProtocolVersion enum:envoy.extensions.transport_sockets.tls.v3.TlsParameters.TlsProtocol",
    "3 cipherSuites repeated string",
    "4 ecdhCurves repeated string",
    "5 signatureAlgorithms repeated string",
  ],
  "envoy.extensions.transport_sockets.tls.v3.TlsSessionTicketKeys": [
    "1 keys repeated envoy.config.core.v3.DataSource",
  ],
  "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext": [
    "1 commonTlsContext envoy.extensions.transport_sockets.tls.v3.CommonTlsContext",
    "2 sni string",
    "3 allowRenegotiation bool",
    "4 maxSessionKeys google.protobuf.UInt32Value",
    "5 enforceRsaKeyUsage google.protobuf.BoolValue",
  ],
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": [
    "1 commonHttpProtocolOptions envoy.config.core.v3.HttpProtocolOptions",
    "2 upstreamHttpProtocolOptions envoy.config.core.v3.UpstreamHttpProtocolOptions",
    "3 explicitHttpConfig envoy.extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig",
    "4 useDownstreamProtocolConfig envoy.extensions.upstreams.http.v3.HttpProtocolOptions.UseDownstreamHttpConfig",
    "5 autoConfig envoy.extensions.upstreams.http.v3.HttpProtocolOptions.AutoHttpConfig",
    "6 httpFilters repeated envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter",
    "7 headerValidationConfig envoy.config.core.v3.TypedExtensionConfig",
  ],
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.AutoHttpConfig": [
    "1 httpProtocolOptions envoy.config.core.v3.Http1ProtocolOptions",
    "2 http2ProtocolOptions envoy.config.core.v3.Http2ProtocolOptions",
    "4 alternateProtocolsCacheOptions envoy.config.core.v3.AlternateProtocolsCacheOptions",
  ],
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig": [
    "1 httpProtocolOptions envoy.config.core.v3.Http1ProtocolOptions",
    "2 http2ProtocolOptions envoy.config.core.v3.Http2ProtocolOptions",
  ],
  "envoy.extensions.upstreams.http.v3.HttpProtocolOptions.UseDownstreamHttpConfig": [
    "1 httpProtocolOptions envoy.config.core.v3.Http1ProtocolOptions",
    "2 http2ProtocolOptions envoy.config.core.v3.Http2ProtocolOptions",
  ],
  "envoy.extensions.upstreams.tcp.v3.TcpProtocolOptions": [
    "1 idleTimeout google.protobuf.Duration",
  ],
  "envoy.service.discovery.v3.DeltaDiscoveryRequest": [
    "1 node envoy.config.core.v3.Node",
    "2 typeUrl string",
    "3 resourceNamesSubscribe repeated string",
    "4 resourceNamesUnsubscribe repeated string",
    "5 initialResourceVersions map string string",
    "6 responseNonce string",
    "7 errorDetail google.rpc.Status",
    "8 resourceLocatorsSubscribe repeated envoy.service.discovery.v3.ResourceLocator",
    "9 resourceLocatorsUnsubscribe repeated envoy.service.discovery.v3.ResourceLocator",
  ],
  "envoy.service.discovery.v3.DeltaDiscoveryResponse": [
    "1 systemVersionInfo string",
    "2 resources repeated envoy.service.discovery.v3.Resource",
    "4 typeUrl string",
    "5 nonce string",
    "6 removedResources repeated string",
    "7 controlPlane envoy.config.core.v3.ControlPlane",
    "8 removedResourceNames repeated envoy.service.discovery.v3.ResourceName",
  ],
  "envoy.service.discovery.v3.Resource": [
    "1 version string",
    "2 resource google.protobuf.Any",
    "3 name string",
    "4 aliases repeated string",
    "6 ttl google.protobuf.Duration",
    "7 cacheControl envoy.service.discovery.v3.Resource.CacheControl",
    "8 resourceName envoy.service.discovery.v3.ResourceName",
    "9 metadata envoy.config.core.v3.Metadata",
  ],
  "envoy.service.discovery.v3.Resource.CacheControl": [
    "1 doNotCache bool",
  ],
  "envoy.service.discovery.v3.ResourceLocator": [
    "1 name string",
    "2 dynamicParameters map string string",
  ],
  "envoy.service.discovery.v3.ResourceName": [
    "1 name string",
  ],
  "envoy.type.http.v3.Cookie": [
    "1 name string",
    "2 ttl google.protobuf.Duration",
    "3 path string",
    "4 attributes repeated envoy.type.http.v3.CookieAttribute",
  ],
  "envoy.type.http.v3.CookieAttribute": [
    "1 name string",
    "2 value string",
  ],
  "envoy.type.http.v3.PathTransformation": [
    "1 operations repeated envoy.type.http.v3.PathTransformation.Operation",
  ],
  "envoy.type.http.v3.PathTransformation.Operation": [
    "2 normalizePathRfc3986 envoy.type.http.v3.PathTransformation.Operation.NormalizePathRFC3986",
    "3 mergeSlashes envoy.type.http.v3.PathTransformation.Operation.MergeSlashes",
  ],
  "envoy.type.http.v3.PathTransformation.Operation.MergeSlashes": [
  ],
  "envoy.type.http.v3.PathTransformation.Operation.NormalizePathRFC3986": [
  ],
  "envoy.type.matcher.v3.DoubleMatcher": [
    "1 range envoy.type.v3.DoubleRange",
    "2 exact double",
  ],
  "envoy.type.matcher.v3.FilterStateMatcher": [
    "1 key string",
    "2 stringMatch envoy.type.matcher.v3.StringMatcher",
  ],
  "envoy.type.matcher.v3.HttpRequestHeaderMatchInput": [
    "1 headerName string",
  ],
  "envoy.type.matcher.v3.HttpRequestQueryParamMatchInput": [
    "1 queryParam string",
  ],
  "envoy.type.matcher.v3.HttpRequestTrailerMatchInput": [
    "1 headerName string",
  ],
  "envoy.type.matcher.v3.HttpResponseHeaderMatchInput": [
    "1 headerName string",
  ],
  "envoy.type.matcher.v3.HttpResponseStatusCodeMatchInput": [
  ],
  "envoy.type.matcher.v3.ListMatcher": [
    "1 oneOf envoy.type.matcher.v3.ValueMatcher",
  ],
  "envoy.type.matcher.v3.ListStringMatcher": [
    "1 patterns repeated envoy.type.matcher.v3.StringMatcher",
  ],
  "envoy.type.matcher.v3.MetadataMatcher": [
    "1 filter string",
    "2 path repeated envoy.type.matcher.v3.MetadataMatcher.PathSegment",
    "3 value envoy.type.matcher.v3.ValueMatcher",
    "4 invert bool",
  ],
  "envoy.type.matcher.v3.MetadataMatcher.PathSegment": [
    "1 key string",
  ],
  "envoy.type.matcher.v3.OrMatcher": [
    "1 valueMatchers repeated envoy.type.matcher.v3.ValueMatcher",
  ],
  "envoy.type.matcher.v3.PathMatcher": [
    "1 path envoy.type.matcher.v3.StringMatcher",
  ],
  "envoy.type.matcher.v3.RegexMatchAndSubstitute": [
    "1 pattern envoy.type.matcher.v3.RegexMatcher",
    "2 substitution string",
  ],
  "envoy.type.matcher.v3.RegexMatcher": [
    "2 regex string",
  ],
  "envoy.type.matcher.v3.StringMatcher": [
    "1 exact string",
    "2 prefix string",
    "3 suffix string",
    "5 safeRegex envoy.type.matcher.v3.RegexMatcher",
    "6 ignoreCase bool",
    "7 contains string",
    "8 custom xds.core.v3.TypedExtensionConfig",
  ],
  "envoy.type.matcher.v3.ValueMatcher": [
    "1 nullMatch envoy.type.matcher.v3.ValueMatcher.NullMatch",
    "2 doubleMatch envoy.type.matcher.v3.DoubleMatcher",
    "3 stringMatch envoy.type.matcher.v3.StringMatcher",
    "4 boolMatch bool",
    "5 presentMatch bool",
    "6 listMatch envoy.type.matcher.v3.ListMatcher",
    "7 orMatch envoy.type.matcher.v3.OrMatcher",
  ],
  "envoy.type.matcher.v3.ValueMatcher.NullMatch": [
  ],
  "envoy.type.metadata.v3.MetadataKey": [
    "1 key string",
    "2 path repeated envoy.type.metadata.v3.MetadataKey.PathSegment",
  ],
  "envoy.type.metadata.v3.MetadataKey.PathSegment": [
    "1 key string",
  ],
  "envoy.type.metadata.v3.MetadataKind": [
    "1 request envoy.type.metadata.v3.MetadataKind.Request",
    "2 route envoy.type.metadata.v3.MetadataKind.Route",
    "3 cluster envoy.type.metadata.v3.MetadataKind.Cluster",
    "4 host envoy.type.metadata.v3.MetadataKind.Host",
  ],
  "envoy.type.metadata.v3.MetadataKind.Cluster": [
  ],
  "envoy.type.metadata.v3.MetadataKind.Host": [
  ],
  "envoy.type.metadata.v3.MetadataKind.Request": [
  ],
  "envoy.type.metadata.v3.MetadataKind.Route": [
  ],
  "envoy.type.v3.DoubleRange": [
    "1 start double",
    "2 end double",
  ],
  "envoy.type.v3.FractionalPercent": [
    "1 numerator uint32",
    "2 denominator enum:envoy.type.v3.FractionalPercent.DenominatorType",
  ],
  "envoy.type.v3.HttpStatus": [
    "1 code enum:envoy.type.v3.StatusCode",
  ],
  "envoy.type.v3.Int32Range": [
    "1 start int32",
    "2 end int32",
  ],
  "envoy.type.v3.Int64Range": [
    "1 start int64",
    "2 end int64",
  ],
  "envoy.type.v3.Percent": [
    "1 value double",
  ],
  "envoy.type.v3.TokenBucket": [
    "1 maxTokens uint32",
    "2 tokensPerFill google.protobuf.UInt32Value",
    "3 fillInterval google.protobuf.Duration",
  ],
  "google.rpc.Status": [
    "1 code int32",
    "2 message string",
    "3 details repeated google.protobuf.Any",
  ],
  "xds.core.v3.TypedExtensionConfig": [
    "1 name string",
    "2 typedConfig google.protobuf.Any",
  ],
  "xds.type.matcher.v3.IPMatcher": [
    "1 rangeMatchers repeated xds.type.matcher.v3.IPMatcher.IPRangeMatcher",
  ],
  "xds.type.matcher.v3.IPMatcher.IPRangeMatcher": [
    "2 onMatch xds.type.matcher.v3.Matcher.OnMatch",
    "3 exclusive bool",
  ],
  "xds.type.matcher.v3.ListStringMatcher": [
    "1 patterns repeated xds.type.matcher.v3.StringMatcher",
  ],
  "xds.type.matcher.v3.Matcher": [
    "1 matcherList xds.type.matcher.v3.Matcher.MatcherList",
    "2 matcherTree xds.type.matcher.v3.Matcher.MatcherTree",
    "3 onNoMatch xds.type.matcher.v3.Matcher.OnMatch",
  ],
  "xds.type.matcher.v3.Matcher.MatcherList": [
    "1 matchers repeated xds.type.matcher.v3.Matcher.MatcherList.FieldMatcher",
  ],
  "xds.type.matcher.v3.Matcher.MatcherList.FieldMatcher": [
    "1 predicate xds.type.matcher.v3.Matcher.MatcherList.Predicate",
    "2 onMatch xds.type.matcher.v3.Matcher.OnMatch",
  ],
  "xds.type.matcher.v3.Matcher.MatcherList.Predicate": [
    "1 singlePredicate xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate",
    "2 orMatcher xds.type.matcher.v3.Matcher.MatcherList.Predicate.PredicateList",
    "3 andMatcher xds.type.matcher.v3.Matcher.MatcherList.Predicate.PredicateList",
    "4 notMatcher xds.type.matcher.v3.Matcher.MatcherList.Predicate",
  ],
  "xds.type.matcher.v3.Matcher.MatcherList.Predicate.PredicateList": [
    "1 predicate repeated xds.type.matcher.v3.Matcher.MatcherList.Predicate",
  ],
  "xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate": [
    "1 input xds.core.v3.TypedExtensionConfig",
    "2 valueMatch xds.type.matcher.v3.StringMatcher",
    "3 customMatch xds.core.v3.TypedExtensionConfig",
  ],
  "xds.type.matcher.v3.Matcher.MatcherTree": [
    "1 input xds.core.v3.TypedExtensionConfig",
    "2 exactMatchMap xds.type.matcher.v3.Matcher.MatcherTree.MatchMap",
    "3 prefixMatchMap xds.type.matcher.v3.Matcher.MatcherTree.MatchMap",
    "4 customMatch xds.core.v3.TypedExtensionConfig",
  ],
  "xds.type.matcher.v3.Matcher.MatcherTree.MatchMap": [
    "1 map map string xds.type.matcher.v3.Matcher.OnMatch",
  ],
  "xds.type.matcher.v3.Matcher.OnMatch": [
    "1 matcher xds.type.matcher.v3.Matcher",
    "2 action xds.core.v3.TypedExtensionConfig",
  ],
  "xds.type.matcher.v3.RegexMatcher": [
    "1 googleRe2 xds.type.matcher.v3.RegexMatcher.GoogleRE2",
    "2 regex string",
  ],
  "xds.type.matcher.v3.RegexMatcher.GoogleRE2": [
  ],
  "xds.type.matcher.v3.ServerNameMatcher": [
    "1 domainMatchers repeated xds.type.matcher.v3.ServerNameMatcher.DomainMatcher",
  ],
  "xds.type.matcher.v3.ServerNameMatcher.DomainMatcher": [
    "1 domains repeated string",
    "2 onMatch xds.type.matcher.v3.Matcher.OnMatch",
  ],
  "xds.type.matcher.v3.StringMatcher": [
    "1 exact string",
    "2 prefix string",
    "3 suffix string",
    "5 safeRegex xds.type.matcher.v3.RegexMatcher",
    "6 ignoreCase bool",
    "7 contains string",
  ],
  "xds.type.v3.CelExpression": [
  ],
};

export const enumTables: { readonly [name: string]: { readonly [value: string]: number } } = {
  "envoy.config.accesslog.v3.ComparisonFilter.Op": {"EQ":0,"GE":1,"LE":2},
  "envoy.config.cluster.v3.Cluster.ClusterProtocolSelection": {"USE_CONFIGURED_PROTOCOL":0,"USE_DOWNSTREAM_PROTOCOL":1},
  "envoy.config.cluster.v3.Cluster.DiscoveryType": {"STATIC":0,"STRICT_DNS":1,"LOGICAL_DNS":2,"EDS":3,"ORIGINAL_DST":4},
  "envoy.config.cluster.v3.Cluster.DnsLookupFamily": {"AUTO":0,"V4_ONLY":1,"V6_ONLY":2,"V4_PREFERRED":3,"ALL":4},
  "envoy.config.cluster.v3.Cluster.LbPolicy": {"ROUND_ROBIN":0,"LEAST_REQUEST":1,"RING_HASH":2,"RANDOM":3,"MAGLEV":5,"CLUSTER_PROVIDED":6,"LOAD_BALANCING_POLICY_CONFIG":7},
  "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetFallbackPolicy": {"NO_FALLBACK":0,"ANY_ENDPOINT":1,"DEFAULT_SUBSET":2},
  "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetMetadataFallbackPolicy": {"METADATA_NO_FALLBACK":0,"FALLBACK_LIST":1},
  "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector.LbSubsetSelectorFallbackPolicy": {"NOT_DEFINED":0,"NO_FALLBACK":1,"ANY_ENDPOINT":2,"DEFAULT_SUBSET":3,"KEYS_SUBSET":4},
  "envoy.config.cluster.v3.Cluster.RingHashLbConfig.HashFunction": {"XX_HASH":0,"MURMUR_HASH_2":1},
  "envoy.config.cluster.v3.UpstreamConnectionOptions.FirstAddressFamilyVersion": {"DEFAULT":0,"V4":1,"V6":2},
  "envoy.config.core.v3.ApiConfigSource.ApiType": {"DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE":0,"REST":1,"GRPC":2,"DELTA_GRPC":3,"AGGREGATED_GRPC":5,"AGGREGATED_DELTA_GRPC":6},
  "envoy.config.core.v3.ApiVersion": {"AUTO":0,"V2":1,"V3":2},
  "envoy.config.core.v3.HeaderValueOption.HeaderAppendAction": {"APPEND_IF_EXISTS_OR_ADD":0,"ADD_IF_ABSENT":1,"OVERWRITE_IF_EXISTS_OR_ADD":2,"OVERWRITE_IF_EXISTS":3},
  "envoy.config.core.v3.HealthStatus": {"UNKNOWN":0,"HEALTHY":1,"UNHEALTHY":2,"DRAINING":3,"TIMEOUT":4,"DEGRADED":5},
  "envoy.config.core.v3.HttpProtocolOptions.HeadersWithUnderscoresAction": {"ALLOW":0,"REJECT_REQUEST":1,"DROP_HEADER":2},
  "envoy.config.core.v3.ProxyProtocolConfig.Version": {"V1":0,"V2":1},
  "envoy.config.core.v3.RequestMethod": {"METHOD_UNSPECIFIED":0,"GET":1,"HEAD":2,"POST":3,"PUT":4,"DELETE":5,"CONNECT":6,"OPTIONS":7,"TRACE":8,"PATCH":9},
  "envoy.config.core.v3.RoutingPriority": {"DEFAULT":0,"HIGH":1},
  "envoy.config.core.v3.SocketAddress.Protocol": {"TCP":0,"UDP":1},
  "envoy.config.core.v3.SocketOption.SocketState": {"STATE_PREBIND":0,"STATE_BOUND":1,"STATE_LISTENING":2},
  "envoy.config.core.v3.TrafficDirection": {"UNSPECIFIED":0,"INBOUND":1,"OUTBOUND":2},
  "envoy.config.listener.v3.FilterChainMatch.ConnectionSourceType": {"ANY":0,"SAME_IP_OR_LOOPBACK":1,"EXTERNAL":2},
  "envoy.config.listener.v3.Listener.DrainType": {"DEFAULT":0,"MODIFY_ONLY":1},
  "envoy.config.rbac.v3.RBAC.Action": {"ALLOW":0,"DENY":1,"LOG":2},
  "envoy.config.rbac.v3.RBAC.AuditLoggingOptions.AuditCondition": {"NONE":0,"ON_DENY":1,"ON_ALLOW":2,"ON_DENY_AND_ALLOW":3},
  "envoy.config.route.v3.RedirectAction.RedirectResponseCode": {"MOVED_PERMANENTLY":0,"FOUND":1,"SEE_OTHER":2,"TEMPORARY_REDIRECT":3,"PERMANENT_REDIRECT":4},
  "envoy.config.route.v3.RetryPolicy.ResetHeaderFormat": {"SECONDS":0,"UNIX_TIMESTAMP":1},
  "envoy.config.route.v3.RouteAction.ClusterNotFoundResponseCode": {"SERVICE_UNAVAILABLE":0,"NOT_FOUND":1,"INTERNAL_SERVER_ERROR":2},
  "envoy.config.route.v3.RouteAction.InternalRedirectAction": {"PASS_THROUGH_INTERNAL_REDIRECT":0,"HANDLE_INTERNAL_REDIRECT":1},
  "envoy.config.route.v3.VirtualHost.TlsRequirementType": {"NONE":0,"EXTERNAL_ONLY":1,"ALL":2},
  "envoy.extensions.common.ratelimit.v3.VhRateLimitsOptions": {"OVERRIDE":0,"INCLUDE":1,"IGNORE":2},
  "envoy.extensions.common.ratelimit.v3.XRateLimitHeadersRFCVersion": {"OFF":0,"DRAFT_VERSION_03":1},
  "envoy.extensions.filters.common.set_filter_state.v3.FilterStateValue.SharedWithUpstream": {"NONE":0,"ONCE":1,"TRANSITIVE":2},
  "envoy.extensions.filters.http.header_to_metadata.v3.Config.ValueEncode": {"NONE":0,"BASE64":1},
  "envoy.extensions.filters.http.header_to_metadata.v3.Config.ValueType": {"STRING":0,"NUMBER":1,"PROTOBUF_VALUE":2},
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.CodecType": {"AUTO":0,"HTTP1":1,"HTTP2":2,"HTTP3":3},
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ForwardClientCertDetails": {"SANITIZE":0,"FORWARD_ONLY":1,"APPEND_FORWARD":2,"SANITIZE_SET":3,"ALWAYS_FORWARD_ONLY":4},
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.PathWithEscapedSlashesAction": {"IMPLEMENTATION_SPECIFIC_DEFAULT":0,"KEEP_UNCHANGED":1,"REJECT_REQUEST":2,"UNESCAPE_AND_REDIRECT":3,"UNESCAPE_AND_FORWARD":4},
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.ServerHeaderTransformation": {"OVERWRITE":0,"APPEND_IF_ABSENT":1,"PASS_THROUGH":2},
  "envoy.extensions.filters.network.rbac.v3.RBAC.EnforcementType": {"ONE_TIME_ON_FIRST_BYTE":0,"CONTINUOUS":1},
  "envoy.extensions.http.header_formatters.preserve_case.v3.PreserveCaseFormatterConfig.FormatterTypeOnEnvoyHeaders": {"DEFAULT":0,"PROPER_CASE":1},
  "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest.SelectionMethod": {"N_CHOICES":0,"FULL_SCAN":1},
  "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash.HashFunction": {"DEFAULT_HASH":0,"XX_HASH":1,"MURMUR_HASH_2":2},
  "envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext.TrustChainVerification": {"VERIFY_TRUST_CHAIN":0,"ACCEPT_UNTRUSTED":1},
  "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext.OcspStaplePolicy": {"LENIENT_STAPLING":0,"STRICT_STAPLING":1,"MUST_STAPLE":2},
  "envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher.SanType": {"SAN_TYPE_UNSPECIFIED":0,"EMAIL":1,"DNS":2,"URI":3,"IP_ADDRESS":4,"OTHER_NAME":5},
  "envoy.extensions.transport_sockets.tls.v3.TlsParameters.TlsProtocol": {"TLS_AUTO":0,"TLSv1_0":1,"TLSv1_1":2,"TLSv1_2":3,"TLSv1_3":4},
  "envoy.type.v3.CodecClientType": {"HTTP1":0,"HTTP2":1,"HTTP3":2},
  "envoy.type.v3.FractionalPercent.DenominatorType": {"HUNDRED":0,"TEN_THOUSAND":1,"MILLION":2},
  "envoy.type.v3.StatusCode": {"Empty":0,"Continue":100,"OK":200,"Created":201,"Accepted":202,"NonAuthoritativeInformation":203,"NoContent":204,"ResetContent":205,"PartialContent":206,"MultiStatus":207,"AlreadyReported":208,"IMUsed":226,"MultipleChoices":300,"MovedPermanently":301,"Found":302,"SeeOther":303,"NotModified":304,"UseProxy":305,"TemporaryRedirect":307,"PermanentRedirect":308,"BadRequest":400,"Unauthorized":401,"PaymentRequired":402,"Forbidden":403,"NotFound":404,"MethodNotAllowed":405,"NotAcceptable":406,"ProxyAuthenticationRequired":407,"RequestTimeout":408,"Conflict":409,"Gone":410,"LengthRequired":411,"PreconditionFailed":412,"PayloadTooLarge":413,"URITooLong":414,"UnsupportedMediaType":415,"RangeNotSatisfiable":416,"ExpectationFailed":417,"MisdirectedRequest":421,"UnprocessableEntity":422,"Locked":423,"FailedDependency":424,"UpgradeRequired":426,"PreconditionRequired":428,"TooManyRequests":429,"RequestHeaderFieldsTooLarge":431,"InternalServerError":500,"NotImplemented":501,"BadGateway":502,"ServiceUnavailable":503,"GatewayTimeout":504,"HTTPVersionNotSupported":505,"VariantAlsoNegotiates":506,"InsufficientStorage":507,"LoopDetected":508,"NotExtended":510,"NetworkAuthenticationRequired":511},
};


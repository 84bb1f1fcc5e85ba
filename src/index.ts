// What a program that uses Gatewright as a library may import. `gatewright/driver-kit` has the contract suite for drivers.

export {
  createController,
  type Controller,
  type ControllerEvents,
  type ControllerOptions,
} from "./controller/index.ts";

// Where objects come from.
export {
  fileSource,
  FileSourceError,
  memorySource,
  type FileSource,
  type FileSourceOptions,
  type MemoryBatch,
  type MemorySource,
  type ResourceChange,
  type Source,
  type SourceProblem,
  type SourceSink,
} from "./sources/index.ts";
export {
  formatPath,
  parseResource,
  resourceKey,
  type Parsed,
  type ParseOptions,
  type Problem,
  type Resource,
  type ResourceByKind,
  type ResourceKind,
} from "./resources/index.ts";

// Where traffic goes through: the drivers that are there, and what another one is made of.
export {
  ControllersDriverError,
  driverFromControllers,
  embeddedDriver,
  type ApplyReport,
  type BackendController,
  type BoundAddress,
  type CallFailure,
  type CertificateController,
  type Controllers,
  type Driver,
  type FromControllersOptions,
  type ItemState,
  type ListenerController,
  type Report,
  type RouteConfiguration,
  type RouteController,
} from "./drivers/index.ts";
export {
  EmbeddedDriverError,
  type AccessLog,
  type AccessRecord,
  type EmbeddedDescription,
  type EmbeddedDriver,
  type EmbeddedLimits,
  type EmbeddedOptions,
  type HttpLimits,
} from "./drivers/embedded/index.ts";

// The model: what drivers are told.
export {
  allFeatures,
  features,
  modelKinds,
  type Backend,
  type BackendTarget,
  type BackendTls,
  type Certificate,
  type ClientValidation,
  type CorsPolicy,
  type Endpoint,
  type EndpointSet,
  type ExternalAuth,
  type FeatureDefinition,
  type HeaderChanges,
  type HeaderValue,
  type HttpBackend,
  type Listener,
  type Mirror,
  type ModelChanges,
  type ModelItems,
  type ModelKind,
  type ObjectName,
  type PathChange,
  type PathMatch,
  type Redirect,
  type RequestMatch,
  type Retry,
  type RetryBudget,
  type Rewrite,
  type RouteRule,
  type Rule,
  type RuleAction,
  type ServerName,
  type ServerNameAction,
  type SessionPersistence,
  type StreamRoute,
  type SubjectAltName,
  type Timeouts,
  type ValueMatch,
  type VirtualHost,
  type WeightedBackend,
} from "./model/index.ts";

// What the model means, for drivers that work on requests themselves or have to write it down for a proxy.
export {
  changePath,
  comparablePath,
  compareHostnames,
  compileMatch,
  compileRegularExpression,
  compileRules,
  firstQueryValue,
  HostTable,
  hostnameCandidates,
  judgeCors,
  matchesHostname,
  normalizeHost,
  normalizePath,
  parseRegularExpression,
  redirectLocation,
  refusedPathPattern,
  renderPathPattern,
  type CompiledMatch,
  type CorsRequest,
  type CorsVerdict,
  type MatchableRequest,
  type NormalizedTarget,
  type RedirectedRequest,
  type RefusedTarget,
  type RegularExpressionVerdict,
} from "./model/index.ts";

// What owners of objects are told.
export type {
  Condition,
  ListenerContent,
  ObjectStatus,
  ParentEntry,
  StatusContent,
  Verdict,
} from "./status/index.ts";
export type { Change, Collection } from "./incremental/index.ts";

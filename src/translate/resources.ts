import type { Collection } from "../incremental/index.ts";
import type {
  BackendTLSPolicy,
  ConfigMap,
  EndpointSlice,
  Gateway,
  GatewayClass,
  GRPCRoute,
  HTTPProxy,
  HTTPRoute,
  Ingress,
  IngressClass,
  ListenerSet,
  Namespace,
  ProxyConfig,
  ReferenceGrant,
  RouteCertificate,
  Secret,
  Service,
  TCPRoute,
  TLSCertificateDelegation,
  TLSRoute,
  UDPRoute,
  XBackend,
  XBackendTrafficPolicy,
  XMesh,
} from "../resources/index.ts";

import type { InvalidObjects } from "./absent-objects.ts";

export type AnyRoute = HTTPRoute | GRPCRoute | TLSRoute | TCPRoute | UDPRoute;

/** The objects, as collections keyed by `namespace/name` (or `name`); routes of all kinds in one, keyed by `Kind/namespace/name`. */
export interface Resources {
  /** Objects that are there but cannot be read, and so are in none of the other collections. */
  readonly invalidObjects?: InvalidObjects;
  readonly gatewayClasses: Collection<GatewayClass>;
  readonly gateways: Collection<Gateway>;
  readonly listenerSets: Collection<ListenerSet>;
  readonly routes: Collection<AnyRoute>;
  readonly referenceGrants: Collection<ReferenceGrant>;
  readonly backendTlsPolicies: Collection<BackendTLSPolicy>;
  readonly xBackends: Collection<XBackend>;
  readonly xBackendTrafficPolicies: Collection<XBackendTrafficPolicy>;
  readonly xMeshes: Collection<XMesh>;
  readonly routeCertificates: Collection<RouteCertificate>;
  readonly proxyConfigs: Collection<ProxyConfig>;
  readonly ingressClasses: Collection<IngressClass>;
  readonly ingresses: Collection<Ingress>;
  readonly httpProxies: Collection<HTTPProxy>;
  readonly tlsCertificateDelegations: Collection<TLSCertificateDelegation>;
  readonly services: Collection<Service>;
  readonly endpointSlices: Collection<EndpointSlice>;
  readonly secrets: Collection<Secret>;
  readonly configMaps: Collection<ConfigMap>;
  readonly namespaces: Collection<Namespace>;
}

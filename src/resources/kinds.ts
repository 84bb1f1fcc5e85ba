/** The one list of the kinds that Gatewright reads. A new kind is a schema in a file of its own and an entry here. */
import { backendTLSPolicy } from "./backend-tls-policy.ts";
import { configMap } from "./config-map.ts";
import { endpointSlice } from "./endpoint-slice.ts";
import { gatewayClass } from "./gateway-class.ts";
import { gateway } from "./gateway.ts";
import { grpcRoute } from "./grpc-route.ts";
import { contourGroup, httpProxy } from "./http-proxy.ts";
import { httpRoute } from "./http-route.ts";
import { ingressClass } from "./ingress-class.ts";
import { ingress, networkingGroup } from "./ingress.ts";
import { listenerSet } from "./listener-set.ts";
import { namespace } from "./namespace.ts";
import { gatewayApiGroup } from "./object-reference.ts";
import { ownGroup } from "./own-group.ts";
import { proxyConfig } from "./proxy-config.ts";
import { referenceGrant } from "./reference-grant.ts";
import { routeCertificate, routeCertificateStatus } from "./route-certificate.ts";
import { Schema, type Infer } from "./schema.ts";
import { secret } from "./secret.ts";
import { service } from "./service.ts";
import { tcpRoute, tcpRouteV1Alpha2 } from "./tcp-route.ts";
import { tlsCertificateDelegation } from "./tls-certificate-delegation.ts";
import { tlsRoute, tlsRouteV1Alpha2 } from "./tls-route.ts";
import { udpRoute, udpRouteV1Alpha2 } from "./udp-route.ts";
import { xBackendTrafficPolicy } from "./x-backend-traffic-policy.ts";
import { xBackend } from "./x-backend.ts";
import { xMesh } from "./x-mesh.ts";

const experimentalGroup = "gateway.networking.x-k8s.io";

/** Every schema, newest version of its kind, by kind. */
const schemas = {
  GatewayClass: gatewayClass,
  Gateway: gateway,
  ListenerSet: listenerSet,
  HTTPRoute: httpRoute,
  GRPCRoute: grpcRoute,
  TLSRoute: tlsRoute,
  TCPRoute: tcpRoute,
  UDPRoute: udpRoute,
  ReferenceGrant: referenceGrant,
  BackendTLSPolicy: backendTLSPolicy,
  XBackend: xBackend,
  XBackendTrafficPolicy: xBackendTrafficPolicy,
  XMesh: xMesh,
  ProxyConfig: proxyConfig,
  IngressClass: ingressClass,
  Ingress: ingress,
  HTTPProxy: httpProxy,
  TLSCertificateDelegation: tlsCertificateDelegation,
  RouteCertificate: routeCertificate,
  Service: service,
  EndpointSlice: endpointSlice,
  Secret: secret,
  ConfigMap: configMap,
  Namespace: namespace,
};

export type ResourceKind = keyof typeof schemas;
/** The type of an object by the name of its kind. */
export type ResourceByKind = { readonly [K in ResourceKind]: Infer<(typeof schemas)[K]> };
/** Any object that Gatewright reads; `kind` tells which. */
export type Resource = ResourceByKind[ResourceKind];

export interface KindDefinition<K extends ResourceKind = ResourceKind> {
  readonly kind: K;
  /** Empty for Kubernetes' core group. */
  readonly group: string;
  /** The newest version: the one that objects are read as. */
  readonly version: string;
  /** All versions that are accepted, newest first. */
  readonly versions: readonly string[];
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  /** The schema of the newest version. */
  readonly schema: Schema<ResourceByKind[K]>;
  /** Of a kind of our own with a status. */
  readonly statusSchema?: Schema<unknown>;
  /** Schemas of older versions that differ; all read into the type of the newest. */
  readonly olderSchemas: ReadonlyMap<string, Schema<ResourceByKind[K]>>;
}

interface KindNames<K extends ResourceKind> {
  readonly group?: string;
  /** Newest first; `v1` alone unless said otherwise. */
  readonly versions?: readonly [string, ...string[]];
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly namespaced?: boolean;
  readonly statusSchema?: Schema<unknown>;
  readonly olderSchemas?: Readonly<Record<string, Schema<ResourceByKind[K]>>>;
}

const names: { readonly [K in ResourceKind]: KindNames<K> } = {
  GatewayClass: {
    group: gatewayApiGroup,
    versions: ["v1", "v1beta1"],
    plural: "gatewayclasses",
    shortNames: ["gc"],
    namespaced: false,
  },
  Gateway: { group: gatewayApiGroup, versions: ["v1", "v1beta1"], plural: "gateways", shortNames: ["gtw"] },
  ListenerSet: { group: gatewayApiGroup, plural: "listenersets", shortNames: ["lset"] },
  HTTPRoute: { group: gatewayApiGroup, versions: ["v1", "v1beta1"], plural: "httproutes" },
  GRPCRoute: { group: gatewayApiGroup, plural: "grpcroutes" },
  TLSRoute: {
    group: gatewayApiGroup,
    versions: ["v1", "v1alpha3", "v1alpha2"],
    plural: "tlsroutes",
    olderSchemas: { v1alpha2: tlsRouteV1Alpha2 },
  },
  TCPRoute: {
    group: gatewayApiGroup,
    versions: ["v1", "v1alpha2"],
    plural: "tcproutes",
    olderSchemas: { v1alpha2: tcpRouteV1Alpha2 },
  },
  UDPRoute: {
    group: gatewayApiGroup,
    versions: ["v1", "v1alpha2"],
    plural: "udproutes",
    olderSchemas: { v1alpha2: udpRouteV1Alpha2 },
  },
  ReferenceGrant: {
    group: gatewayApiGroup,
    versions: ["v1", "v1beta1"],
    plural: "referencegrants",
    shortNames: ["refgrant"],
  },
  BackendTLSPolicy: {
    group: gatewayApiGroup,
    versions: ["v1", "v1alpha3"],
    plural: "backendtlspolicies",
    shortNames: ["btlspolicy"],
  },
  XBackend: {
    group: experimentalGroup,
    versions: ["v1alpha1"],
    plural: "xbackends",
    shortNames: ["xbackend"],
  },
  XBackendTrafficPolicy: {
    group: experimentalGroup,
    versions: ["v1alpha1"],
    plural: "xbackendtrafficpolicies",
    shortNames: ["xbtrafficpolicy"],
  },
  XMesh: {
    group: experimentalGroup,
    versions: ["v1alpha1"],
    plural: "xmeshes",
    shortNames: ["mesh"],
    namespaced: false,
  },
  ProxyConfig: {
    group: ownGroup,
    versions: ["v1alpha1"],
    plural: "proxyconfigs",
    shortNames: ["pcfg"],
  },
  RouteCertificate: {
    group: ownGroup,
    versions: ["v1alpha1"],
    plural: "routecertificates",
    shortNames: ["routecert"],
    statusSchema: routeCertificateStatus,
  },
  IngressClass: { group: networkingGroup, plural: "ingressclasses", namespaced: false },
  Ingress: { group: networkingGroup, plural: "ingresses", shortNames: ["ing"] },
  HTTPProxy: { group: contourGroup, plural: "httpproxies", shortNames: ["proxy", "proxies"] },
  TLSCertificateDelegation: {
    group: contourGroup,
    plural: "tlscertificatedelegations",
    shortNames: ["tlscerts"],
  },
  Service: { plural: "services", shortNames: ["svc"] },
  EndpointSlice: { group: "discovery.k8s.io", plural: "endpointslices" },
  Secret: { plural: "secrets" },
  ConfigMap: { plural: "configmaps", shortNames: ["cm"] },
  Namespace: { plural: "namespaces", shortNames: ["ns"], namespaced: false },
};

function define<K extends ResourceKind>(kind: K): KindDefinition<K> {
  const {
    group = "",
    versions = ["v1"],
    plural,
    shortNames = [],
    namespaced = true,
    statusSchema,
    olderSchemas = {},
  } = names[kind];
  return {
    kind,
    group,
    version: versions[0],
    versions,
    plural,
    shortNames,
    namespaced,
    schema: schemas[kind] as unknown as Schema<ResourceByKind[K]>,
    ...(statusSchema && { statusSchema }),
    olderSchemas: new Map(Object.entries(olderSchemas)),
  };
}

export const kinds: ReadonlyMap<ResourceKind, KindDefinition> = new Map(
  (Object.keys(schemas) as ResourceKind[]).map((kind) => [kind, define(kind) as unknown as KindDefinition]),
);

const byApiVersionAndKind: ReadonlyMap<string, KindDefinition> = new Map(
  [...kinds.values()].flatMap((definition) =>
    definition.versions.map((version) => [
      `${apiVersionOf(definition.group, version)} ${definition.kind}`,
      definition,
    ]),
  ),
);

/** The definition of a kind in any version that is accepted. */
export function findKind(apiVersion: string, kind: string): KindDefinition | undefined {
  return byApiVersionAndKind.get(`${apiVersion} ${kind}`);
}

export function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

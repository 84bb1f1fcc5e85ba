// Good objects of the Gateway API that together have every field of every kind.

import { apiVersionOf, kinds, type ResourceKind } from "../../src/resources/index.ts";

export interface WrittenObject {
  readonly apiVersion: string;
  readonly kind: ResourceKind;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

function complete(kind: ResourceKind, spec: object): WrittenObject {
  const definition = kinds.get(kind);
  if (definition === undefined) throw new Error(`No kind ${kind}`);
  return {
    apiVersion: apiVersionOf(definition.group, definition.version),
    kind,
    metadata: { name: "it" },
    spec,
  };
}

const group = "gateway.networking.k8s.io";
const parametersRef = { group: "example.com", kind: "Config", name: "config", namespace: "infra" };
const localRef = { group: "example.com", kind: "Config", name: "config" };
const secretRef = { group: "", kind: "Secret", name: "cert", namespace: "infra" };
const caRef = { group: "", kind: "ConfigMap", name: "ca", namespace: "infra" };
const backendRef = { group: "", kind: "Service", name: "web", namespace: "shop", port: 80 };
const weightedRef = { ...backendRef, weight: 7 };
const parentRefs = [
  { group, kind: "Gateway", name: "gateway", namespace: "infra", sectionName: "http", port: 80 },
];
const selector = {
  matchLabels: { env: "prod" },
  matchExpressions: [{ key: "env", operator: "In", values: ["prod", "test"] }],
};
const listener = {
  name: "https",
  hostname: "*.example.com",
  port: 443,
  protocol: "HTTPS",
  tls: { mode: "Terminate", certificateRefs: [secretRef], options: { "example.com/a": "b" } },
  allowedRoutes: { namespaces: { from: "Selector", selector }, kinds: [{ group, kind: "HTTPRoute" }] },
};
const frontend = { validation: { caCertificateRefs: [caRef], mode: "AllowInsecureFallback" } };
const headers = { set: [{ name: "X-A", value: "b" }], add: [{ name: "X-B", value: "c" }], remove: ["X-C"] };
const mirrors = [
  { type: "RequestMirror", requestMirror: { backendRef, percent: 5 } },
  { type: "RequestMirror", requestMirror: { backendRef, fraction: { numerator: 1, denominator: 1000 } } },
];
const sharedFilters = [
  { type: "RequestHeaderModifier", requestHeaderModifier: headers },
  { type: "ResponseHeaderModifier", responseHeaderModifier: headers },
  ...mirrors,
  { type: "ExtensionRef", extensionRef: localRef },
];
const authorization = { protocol: "HTTP", backendRef, forwardBody: { maxSize: 1024 } };
const rewrite = (path: object) => ({ type: "URLRewrite", urlRewrite: { hostname: "example.com", path } });
const redirect = (path: object) => ({
  type: "RequestRedirect",
  requestRedirect: { scheme: "https", hostname: "example.com", path, port: 443, statusCode: 301 },
});
const fullPath = { type: "ReplaceFullPath", replaceFullPath: "/b" };
const prefixMatch = { type: "ReplacePrefixMatch", replacePrefixMatch: "/b" };
const httpFilters = [
  ...sharedFilters,
  {
    type: "CORS",
    cors: {
      allowOrigins: ["https://example.com"],
      allowCredentials: true,
      allowMethods: ["GET"],
      allowHeaders: ["X-A"],
      exposeHeaders: ["X-B"],
      maxAge: 60,
    },
  },
  {
    type: "ExternalAuth",
    externalAuth: {
      ...authorization,
      http: { path: "/a", allowedHeaders: ["a"], allowedResponseHeaders: ["b"] },
    },
  },
  {
    type: "ExternalAuth",
    externalAuth: { ...authorization, protocol: "GRPC", grpc: { allowedHeaders: ["a"] } },
  },
];
const session = {
  sessionName: "session",
  absoluteTimeout: "1h",
  type: "Cookie",
  cookieConfig: { lifetimeType: "Permanent" },
};
const httpMatch = {
  path: { type: "PathPrefix", value: "/a" },
  headers: [{ type: "RegularExpression", name: "X-A", value: "b.*" }],
  queryParams: [{ type: "Exact", name: "q", value: "a" }],
  method: "GET",
};
const validation = {
  hostname: "example.com",
  caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }],
  subjectAltNames: [
    { type: "Hostname", hostname: "*.example.com" },
    { type: "URI", uri: "spiffe://example.com/web" },
  ],
};
const systemValidation = { hostname: "example.com", wellKnownCACertificates: "System" };
const l4Rules = [{ name: "rule", backendRefs: [weightedRef] }];
const serviceTarget = { group: "", kind: "Service", name: "web" };
const external = {
  type: "ExternalHostname",
  externalHostname: { hostname: "api.example.com" },
  port: { name: "https", port: 443 },
  protocol: "HTTP2",
};

const trustBundle = { kind: "ConfigMap", name: "ca", namespace: "mesh-system", bundleKey: "ca-bundle.crt" };

export const completeObjects: readonly WrittenObject[] = [
  complete("GatewayClass", { controllerName: "example.com/controller", description: "ours", parametersRef }),
  complete("Gateway", {
    gatewayClassName: "ours",
    listeners: [listener],
    addresses: [{ type: "Hostname", value: "example.com" }],
    infrastructure: { labels: { a: "b" }, annotations: { a: "b" }, parametersRef: localRef },
    allowedListeners: { namespaces: { from: "Selector", selector } },
    tls: {
      backend: { clientCertificateRef: secretRef },
      frontend: { default: frontend, perPort: [{ port: 443, tls: frontend }] },
    },
    defaultScope: "All",
    mesh: { trustBundle, labelSelector: selector },
  }),
  complete("ListenerSet", {
    parentRef: { group, kind: "Gateway", name: "gateway", namespace: "infra" },
    listeners: [listener],
  }),
  complete("HTTPRoute", {
    parentRefs,
    useDefaultGateways: "All",
    hostnames: ["*.example.com"],
    rules: [
      {
        name: "rule",
        matches: [httpMatch],
        filters: [...httpFilters, rewrite(prefixMatch)],
        backendRefs: [
          { ...weightedRef, filters: [...httpFilters, rewrite(fullPath)] },
          { ...weightedRef, filters: [rewrite(prefixMatch)] },
          { ...weightedRef, filters: [redirect(fullPath)] },
          { ...weightedRef, filters: [redirect(prefixMatch)] },
        ],
        timeouts: { request: "10s", backendRequest: "2s" },
        retry: { codes: [503], attempts: 2, backoff: "100ms" },
        sessionPersistence: session,
      },
      { filters: [rewrite(fullPath)] },
      { filters: [redirect(fullPath)] },
      { filters: [redirect(prefixMatch)] },
    ],
  }),
  complete("GRPCRoute", {
    parentRefs,
    useDefaultGateways: "All",
    hostnames: ["*.example.com"],
    rules: [
      {
        name: "rule",
        matches: [
          {
            method: { type: "Exact", service: "shop.v1.Cart", method: "Add" },
            headers: [{ type: "Exact", name: "X-A", value: "b" }],
          },
        ],
        filters: sharedFilters,
        backendRefs: [{ ...weightedRef, filters: sharedFilters }],
        sessionPersistence: session,
      },
    ],
  }),
  complete("TLSRoute", {
    parentRefs,
    useDefaultGateways: "All",
    hostnames: ["*.example.com"],
    rules: l4Rules,
  }),
  complete("TCPRoute", { parentRefs, useDefaultGateways: "All", rules: l4Rules }),
  complete("UDPRoute", { parentRefs, useDefaultGateways: "All", rules: l4Rules }),
  complete("ReferenceGrant", {
    from: [{ group, kind: "HTTPRoute", namespace: "shop" }],
    to: [{ group: "", kind: "Service", name: "web" }],
  }),
  complete("BackendTLSPolicy", {
    targetRefs: [{ ...serviceTarget, sectionName: "https" }],
    validation,
    options: { "example.com/a": "b" },
  }),
  complete("BackendTLSPolicy", { targetRefs: [serviceTarget], validation: systemValidation }),
  complete("XBackend", {
    ...external,
    tls: { mode: "ClientAndServer", clientCertificateRef: secretRef, validation },
  }),
  complete("XBackend", { ...external, tls: { mode: "ServerOnly", validation: systemValidation } }),
  complete("XBackendTrafficPolicy", {
    targetRefs: [serviceTarget],
    retryConstraint: {
      budget: { percent: 10, interval: "1m" },
      minRetryRate: { count: 5, interval: "2s" },
    },
    sessionPersistence: session,
  }),
  complete("XMesh", {
    controllerName: "example.com/mesh",
    description: "ours",
    parametersRef,
    ocg: { trustBundle },
  }),
];

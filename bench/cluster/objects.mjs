// What controllers are measured with on a cluster: the same `count` routes as in ../workload.mjs, as objects of an API server. Each has a Service and an
// EndpointSlice of its own; all endpoints are one local server, at the first of two addresses.
//
// Services are headless: nobody uses their addresses, and so the lab's node has nothing to do with them.

import { path as basePath, revisionHeader, tenant } from "../workload.mjs";

export const namespace = "bench";
export const shapes = ["own", "shared"];
export const backendPort = 9000;
/** The second one is that of an endpoint that is added. */
export const backendAddresses = ["10.0.0.10", "10.0.0.11"];

const gatewayApi = (plural, kind, namespaced = true) => ({
  group: "gateway.networking.k8s.io",
  version: "v1",
  plural,
  kind,
  namespaced,
});
export const gateways = gatewayApi("gateways", "Gateway");
export const routes = gatewayApi("httproutes", "HTTPRoute");
export const services = { group: "", version: "v1", plural: "services", kind: "Service", namespaced: true };
export const endpointSlices = {
  group: "discovery.k8s.io",
  version: "v1",
  plural: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
};
export const leases = {
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
};

export const routeName = (route) => `route-${route}`;
export const serviceName = (route) => `service-${route}`;

/** How a route is asked. "own": it has a hostname of its own; "shared": all are on one, told apart by their paths. */
export function question(shape, route) {
  return shape === "own"
    ? { host: `app-${route}.example.com`, path: basePath, headers: tenant }
    : { host: "apps.example.com", path: `${basePath}-${route}`, headers: tenant };
}

export function gatewayObject(name, gatewayClassName, infrastructure) {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name, namespace },
    spec: {
      gatewayClassName,
      listeners: [{ name: "http", port: 80, protocol: "HTTP" }],
      ...(infrastructure && { infrastructure }),
    },
  };
}

export function routeObject(shape, route, parents, revision) {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: routeName(route), namespace },
    spec: {
      parentRefs: parents.map((name) => ({ name })),
      hostnames: [question(shape, route).host],
      rules: routeRules(shape, route, revision),
    },
  };
}

export function routeRules(shape, route, revision) {
  const [name, value] = Object.entries(tenant)[0];
  return [
    {
      matches: [
        { path: { type: "PathPrefix", value: question(shape, route).path }, headers: [{ name, value }] },
      ],
      filters: [
        {
          type: "ResponseHeaderModifier",
          responseHeaderModifier: { set: [{ name: revisionHeader, value: revision }] },
        },
      ],
      backendRefs: [{ name: serviceName(route), port: 80 }],
    },
  ];
}

export function serviceObject(route) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: serviceName(route), namespace },
    spec: { clusterIP: "None", ports: [{ port: 80, targetPort: backendPort }] },
  };
}

export function endpointSliceObject(route) {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: serviceName(route),
      namespace,
      labels: { "kubernetes.io/service-name": serviceName(route) },
    },
    addressType: "IPv4",
    ports: [{ name: "", port: backendPort, protocol: "TCP" }],
    endpoints: endpoints(1),
  };
}

/** The first `count` of the two. */
export function endpoints(count) {
  return backendAddresses
    .slice(0, count)
    .map((address) => ({ addresses: [address], conditions: { ready: true } }));
}

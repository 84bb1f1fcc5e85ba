// What the gateway is measured with: `count` HTTPRoutes, each with a hostname of its own, a path prefix and a header to match,
// one filter, and one backend with one endpoint. The filter writes the route's revision into each response, so that
// a change can be seen from outside.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const path = "/app";
export const tenant = { "x-tenant": "bench" };
export const revisionHeader = "x-revision";

export const hostnameOf = (route) => `app-${route}.example.com`;

function gatewayText(port) {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: bench
spec:
  gatewayClassName: gatewright
  listeners:
    - name: http
      port: ${port}
      protocol: HTTP
`;
}

function routeText(route, { revision, backendPort }) {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: route-${route}
spec:
  parentRefs:
    - name: bench
  hostnames:
    - ${hostnameOf(route)}
  rules:
    - matches:
        - path:
            type: PathPrefix
            value: ${path}
          headers:
            - name: x-tenant
              value: bench
      filters:
        - type: ResponseHeaderModifier
          responseHeaderModifier:
            set:
              - name: ${revisionHeader}
                value: "${revision}"
      backendRefs:
        - name: service-${route}
          port: 80
---
apiVersion: v1
kind: Service
metadata:
  name: service-${route}
spec:
  ports:
    - port: 80
      targetPort: ${backendPort}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: service-${route}
  labels:
    kubernetes.io/service-name: service-${route}
addressType: IPv4
ports:
  - port: ${backendPort}
endpoints:
  - addresses:
      - 127.0.0.1
`;
}

/** A folder of the objects, `layout`: "a file per route" or "one file". */
export class RouteFolder {
  #folder;
  #layout;
  #backendPort;
  #texts = new Map();

  constructor(folder, { layout, count, port, backendPort }) {
    this.#folder = folder;
    this.#layout = layout;
    this.#backendPort = backendPort;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "gateway.yaml"), gatewayText(port));
    for (let route = 0; route < count; route++) this.#texts.set(route, this.#text(route, "0"));
    if (layout === "one file") this.#prepareAll()();
    else for (const route of this.#texts.keys()) this.#prepareRoute(route)();
  }

  /** Gets the new files ready; the answer puts them in place, in one step that nobody can see half of. */
  prepare(route, { revision, backendPort }) {
    this.#texts.set(route, this.#text(route, revision, backendPort));
    return this.#layout === "one file" ? this.#prepareAll() : this.#prepareRoute(route);
  }

  prepareRemoval(route) {
    this.#texts.delete(route);
    return this.#layout === "one file" ? this.#prepareAll() : () => rmSync(this.#fileOf(route));
  }

  #text(route, revision, backendPort = this.#backendPort) {
    return routeText(route, { revision, backendPort });
  }

  #fileOf(route) {
    return join(this.#folder, `route-${route}.yaml`);
  }

  #prepareRoute(route) {
    return prepareFile(this.#fileOf(route), this.#texts.get(route));
  }

  #prepareAll() {
    return prepareFile(join(this.#folder, "routes.yaml"), [...this.#texts.values()].join("---\n"));
  }
}

// Written aside and renamed, as careful editors and tools do. Names with a leading dot are passed over by the gateway.
function prepareFile(file, text) {
  const aside = file.replace(/[^/]+$/, ".$&.new");
  writeFileSync(aside, text);
  return () => renameSync(aside, file);
}

/** An HTTPRoute, an HTTPProxy and an Ingress for one host, each the younger the more it counts: what they ask for in common is the HTTPRoute's, then the HTTPProxy's. */
import { CORE_SCHEMA, loadAll } from "js-yaml";

export function threeApis(ports: ReadonlyMap<string, number>): object[] {
  const services = ["one", "two", "three"].map(
    (name) => `
---
apiVersion: v1
kind: Service
metadata: { namespace: shop, name: ${name} }
spec: { ports: [{ port: 80 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { namespace: shop, name: ${name}-1, labels: { kubernetes.io/service-name: ${name} } }
addressType: IPv4
ports: [{ port: ${ports.get(name)!} }]
endpoints: [{ addresses: [127.0.0.1] }]
`,
  );
  return loadAll(apis + services.join(""), undefined, { schema: CORE_SCHEMA }) as object[];
}

const apis = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { namespace: infra, name: ingress }
spec:
  gatewayClassName: gatewright
  listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { namespace: shop, name: one, creationTimestamp: "2026-01-01T00:00:00Z" }
spec:
  parentRefs: [{ name: ingress, namespace: infra }]
  hostnames: [shop.test]
  rules: [{ matches: [{ path: { value: /all } }], backendRefs: [{ name: one, port: 80 }] }]
---
apiVersion: projectcontour.io/v1
kind: HTTPProxy
metadata: { namespace: shop, name: two, creationTimestamp: "2025-01-01T00:00:00Z" }
spec:
  virtualhost: { fqdn: shop.test }
  routes:
    - { conditions: [{ prefix: /all }], services: [{ name: two, port: 80 }] }
    - { conditions: [{ prefix: /two }], services: [{ name: two, port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { namespace: shop, name: three, creationTimestamp: "2024-01-01T00:00:00Z" }
spec:
  ingressClassName: gatewright
  rules:
    - host: shop.test
      http:
        paths:
          - { path: /all, pathType: Prefix, backend: { service: { name: three, port: { number: 80 } } } }
          - { path: /two, pathType: Prefix, backend: { service: { name: three, port: { number: 80 } } } }
          - { path: /ingress, pathType: Exact, backend: { service: { name: three, port: { number: 80 } } } }
          - { path: /all/ingress, pathType: Prefix, backend: { service: { name: three, port: { number: 80 } } } }
    - host: "*.shop.test"
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: three, port: { number: 80 } } } }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { namespace: shop, name: rewritten, annotations: { nginx.ingress.kubernetes.io/rewrite-target: /$2 } }
spec:
  ingressClassName: gatewright
  rules:
    - host: shop.test
      http: { paths: [{ path: "/app(/|$)(.*)", pathType: ImplementationSpecific, backend: { service: { name: three, port: { number: 80 } } } }] }
`;

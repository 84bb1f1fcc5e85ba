/** Small pieces of YAML for the objects that every test needs. */
import type { MadeCertificate } from "../../certificates.ts";

export interface ServiceOptions {
  readonly namespace?: string;
  readonly port?: number;
  readonly appProtocol?: string;
  readonly protocol?: "TCP" | "UDP";
}

/** A Service with an EndpointSlice: the ports of 127.0.0.1 that stand behind it. */
export function service(name: string, endpoints: readonly number[], options: ServiceOptions = {}): string {
  const { namespace = "shop", port = 80, appProtocol, protocol = "TCP" } = options;
  const described = `port: ${port}, protocol: ${protocol}${appProtocol ? `, appProtocol: ${appProtocol}` : ""}`;
  const slices = endpoints.map(
    (endpoint, index) => `
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: ${name}-${index}, namespace: ${namespace}, labels: { kubernetes.io/service-name: ${name} } }
addressType: IPv4
ports: [{ port: ${endpoint}, protocol: ${protocol} }]
endpoints: [{ addresses: [127.0.0.1] }]`,
  );
  return `
---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: ${namespace} }
spec: { ports: [{ ${described} }] }${slices.join("")}
`;
}

export function secret(name: string, pair: MadeCertificate, namespace = "shop"): string {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return `
---
apiVersion: v1
kind: Secret
metadata: { name: ${name}, namespace: ${namespace} }
type: kubernetes.io/tls
data: { tls.crt: ${base64(pair.certificates)}, tls.key: ${base64(pair.privateKey)} }
`;
}

export function caBundle(name: string, certificates: string, namespace = "shop"): string {
  return `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: ${namespace} }
data: { ca.crt: ${JSON.stringify(certificates)} }
`;
}

/** Gateway \`shop/web\` with one HTTP listener on port 80 that takes routes from everywhere. */
export const httpGateway = `
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec:
  gatewayClassName: gatewright
  listeners:
    - { name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }
`;

/** An HTTPRoute on it; \`spec\` is what follows parentRefs, indented by two. */
export function httpRoute(spec: string, name = "shop"): string {
  return route("HTTPRoute", spec, name);
}

export function route(kind: string, spec: string, name: string, parent = "{ name: web }"): string {
  return `
---
apiVersion: gateway.networking.k8s.io/v1
kind: ${kind}
metadata: { name: ${name}, namespace: shop }
spec:
  parentRefs: [${parent}]
${spec.replace(/^\n+/, "").replace(/\s+$/, "")}
`;
}

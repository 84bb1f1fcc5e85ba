/** Objects as people write them. */
export function gatewayYaml(port: number): string {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: web
spec:
  gatewayClassName: gatewright
  listeners:
    - name: http
      port: ${port}
      protocol: HTTP
`;
}

/** Sends everything to another host, which needs no backend. */
export function redirectYaml(hostname: string, { parent = "web", code = 302 } = {}): string {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: away
spec:
  parentRefs:
    - name: ${parent}
  rules:
    - filters:
        - type: RequestRedirect
          requestRedirect:
            hostname: ${hostname}
            statusCode: ${code}
`;
}

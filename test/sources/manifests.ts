/** Objects as people write them. */

export function httpRoute(name: string, path = "/"): string {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: ${name}
spec:
  parentRefs:
    - name: main
  rules:
    - matches:
        - path:
            value: ${path}
      backendRefs:
        - name: web
          port: 8080
`;
}

export function documents(...texts: string[]): string {
  return texts.map((text) => `---\n${text}`).join("");
}

/** The path that an HTTPRoute of these manifests matches. */
export function pathOf(resource: unknown): string | undefined {
  const { spec } = resource as { spec: { rules: { matches: { path: { value: string } }[] }[] } };
  return spec.rules[0]?.matches[0]?.path.value;
}

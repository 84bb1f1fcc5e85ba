import { expect, it } from "vitest";
import { dryRunOf, serviceYaml } from "../../test/controller/dry-objects.ts";

const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec: { gatewayClassName: gatewright, listeners: [{ name: http, port: 80, protocol: HTTP }] }
`;
const route = (name: string, ...paths: readonly string[]) => `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [shop.example.com]
  rules:
    - matches: [${paths.map((path) => `{ path: { value: ${path} } }`).join(", ")}]
      backendRefs: [{ name: cart, port: 80 }]
`;

async function notesOn(...routes: readonly string[]) {
  const { notes } = await dryRunOf(gateway, ...routes, serviceYaml("cart", "10.0.0.1"));
  return notes.map(({ message }) => message);
}

it("a match that another route has already is told", async () => {
  expect(await notesOn(route("a", "/cart"), route("b", "/basket", "/cart"))).toEqual([
    "HTTPRoute shop/b: spec.rules[0].matches[1] gets no requests of host shop.example.com: HTTPRoute shop/a rule 0 asks for the same and comes first",
  ]);
});

it("matches that overlap are no news", async () => {
  expect(await notesOn(route("a", "/cart"), route("b", "/", "/cart/items"))).toEqual([]);
});

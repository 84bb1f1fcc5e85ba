import { describe, expect, it, vi } from "vitest";
import { dryRunOf, serviceYaml } from "../../test/controller/dry-objects.ts";
import type { Resource } from "../resources/index.ts";
import { explain } from "./explain/index.ts";
import { hintsFrom } from "./meant-objects.ts";

const objects = ["Service shop/web", "Service shop/v1", "Service pay/card", "Gateway shop/public"].map(
  (text) => {
    const [kind = "", key = ""] = text.split(" ");
    const [namespace, name] = key.split("/");
    return { kind, metadata: { namespace, name } } as Resource;
  },
);

describe("a reference to nothing", () => {
  const hint = hintsFrom(() => objects);

  it.each([
    ["spec.rules[0].backendRefs[0]: Service shop/wbe does not exist", "; did you mean Service shop/web?"],
    ["Service shop/wbe is not there, so nobody knows", "; did you mean Service shop/web?"],
    ["there is no Gateway shop/pubilc", "; did you mean Gateway shop/public?"],
    ["Gateway shop/pubic of ListenerSet pay/more does not exist", "; did you mean Gateway shop/public?"],
    // The namespace is missing or misspelt.
    ["Service shop/card does not exist", "; did you mean Service pay/card?"],
    ["Service shpo/web does not exist", "; did you mean Service shop/web?"],
  ])("may have meant another: %s", (message, meant) => {
    expect(hint(message)).toBe(meant);
  });

  it.each([
    "Service shop/search does not exist",
    "Service shop/v2 does not exist",
    "Secret shop/web does not exist",
    "Service shop/web does not exist",
    "Service shop/web has no port 8080; it has 80",
  ])("may have meant nothing that is there: %s", (message) => {
    expect(hint(message)).toBe("");
  });

  it("costs nothing where there is none", () => {
    const look = vi.fn<() => readonly Resource[]>(() => objects);
    hintsFrom(look)("The route is accepted");
    expect(look).not.toHaveBeenCalled();
  });
});

const route = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: shop }
spec: { gatewayClassName: gatewright, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [shop.example.com]
  rules: [{ backendRefs: [{ name: crat, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: search }
spec: { parentRefs: [{ name: web }], hostnames: [search.example.com] }`;

it("is told with what may have been meant by check and explain, and not in statuses", async () => {
  const { controller, objects: read } = await dryRunOf(route, serviceYaml("cart", "10.0.0.1"));
  const findings = read.flatMap(({ verdict }) => verdict?.findings ?? []).map(({ message }) => message);
  const backend = "spec.rules[0].backendRefs[0]: Service shop/crat does not exist";
  const parent = "spec.parentRefs[0]: Gateway default/web does not exist";
  expect(findings).toEqual([
    `${parent}; did you mean Gateway shop/web?`,
    `${backend}; did you mean Service shop/cart?`,
  ]);
  expect(JSON.stringify([...controller.statuses.entries()])).not.toContain("did you mean");
  const ask = (url: string) => JSON.stringify(explain({ method: "GET", url }, controller));
  expect(ask("http://shop.example.com/")).toContain(`${backend}; did you mean Service shop/cart?`);
  expect(ask("http://search.example.com/")).toContain(`${parent}; did you mean Gateway shop/web?`);
});

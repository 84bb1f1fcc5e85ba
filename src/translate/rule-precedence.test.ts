import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestMatch } from "../model/index.ts";
import type { GRPCRouteMatch } from "../resources/index.ts";
import { translateGrpcMatch } from "./grpc-rules.ts";
import { compareRules, grpcWeights, httpWeights, type PrecedenceKey } from "./rule-precedence.ts";

const header = (name: string) => ({ name, type: "exact", value: "1" }) as const;

function match(path: RequestMatch["path"], more: Partial<RequestMatch> = {}): RequestMatch {
  return { path, headers: [], queryParams: [], ...more };
}

function key(weights: readonly number[], more: Partial<PrecedenceKey> = {}): PrecedenceKey {
  return {
    weights,
    age: { createdAt: "2026-01-01T00:00:00Z", name: "shop/web" },
    rule: 0,
    match: 0,
    ...more,
  };
}

/** Asserts that each comes before all that follow it. */
function expectOrder(keys: readonly PrecedenceKey[]): void {
  for (const [i, a] of keys.entries()) {
    for (const b of keys.slice(i + 1)) {
      expect(compareRules(a, b)).toBeLessThan(0);
      expect(compareRules(b, a)).toBeGreaterThan(0);
    }
  }
}

describe("compareRules", () => {
  it("follows the API's list for HTTPRoute", () => {
    const root = { type: "prefix", value: "/" } as const;
    const matches = [
      match({ type: "exact", value: "/a" }, { method: "GET" }),
      match({ type: "exact", value: "/a" }),
      match({ type: "regex", value: "/a/[0-9]+" }),
      match({ type: "regex", value: "/.*" }),
      match({ type: "prefix", value: "/a/b" }),
      match({ type: "prefix", value: "/a" }, { method: "GET" }),
      match({ type: "prefix", value: "/a" }, { headers: [header("a"), header("b")] }),
      match({ type: "prefix", value: "/a" }, { headers: [header("a")], queryParams: [header("q")] }),
      match({ type: "prefix", value: "/a" }, { headers: [header("a")] }),
      match({ type: "prefix", value: "/a" }, { queryParams: [header("q"), header("r")] }),
      match({ type: "prefix", value: "/a" }, { queryParams: [header("q")] }),
      match({ type: "prefix", value: "/a" }),
      match(root, { method: "GET", headers: [header("a")] }),
      match(root),
    ];
    expectOrder(matches.map((one) => key(httpWeights(one))));
  });

  it("follows the API's list for GRPCRoute", () => {
    const matches: GRPCRouteMatch[] = [
      { method: { type: "Exact", service: "shop.Orders", method: "List" } },
      {
        method: { type: "Exact", service: "shop.Orders" },
        headers: [{ type: "Exact", name: "a", value: "1" }],
      },
      { method: { type: "Exact", service: "shop.Orders" } },
      { method: { type: "Exact", service: "shop.Cart", method: "ListEverything" } },
      { method: { type: "RegularExpression", service: "shop\\.[A-Z][a-z]+Service" } },
      { method: { type: "Exact", method: "List" } },
      { headers: [{ type: "Exact", name: "a", value: "1" }] },
      {},
    ];
    expectOrder(matches.map((one) => key(grpcWeights(one, translateGrpcMatch(one, "").match))));
  });

  it("then takes the oldest route, the first name, the first rule, the first match", () => {
    const at = (createdAt: string, name: string) => ({ age: { createdAt, name } });
    expectOrder([
      key([1], at("2025-01-01T00:00:00Z", "z/z")),
      key([1], at("2026-01-01T00:00:00Z", "a-b/x")),
      key([1], at("2026-01-01T00:00:00Z", "a/x")),
      key([1], { ...at("2026-01-01T00:00:00Z", "b/a"), match: 1 }),
      key([1], { ...at("2026-01-01T00:00:00Z", "b/a"), rule: 1 }),
    ]);
  });

  it("takes routes from files, which have no age, by name", () => {
    expectOrder([
      key([1], { age: { createdAt: "", name: "a/a" } }),
      key([1], { age: { createdAt: "", name: "a/b" } }),
    ]);
  });

  it("is a total order", () => {
    const keys = fc.record({
      weights: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 2 }),
      age: fc.record({ createdAt: fc.constantFrom("", "1", "2"), name: fc.constantFrom("a/a", "a/b") }),
      rule: fc.integer({ min: 0, max: 1 }),
      match: fc.integer({ min: 0, max: 1 }),
    });
    fc.assert(
      fc.property(keys, keys, keys, (a, b, c) => {
        expect(Math.sign(compareRules(a, b))).toBe(-Math.sign(compareRules(b, a)) + 0);
        const isOrdered = compareRules(a, b) <= 0 && compareRules(b, c) <= 0;
        expect(!isOrdered || compareRules(a, c) <= 0).toBe(true);
      }),
    );
  });
});

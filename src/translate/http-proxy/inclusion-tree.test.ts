import { describe, expect, it } from "vitest";
import { parseResource, type HTTPProxy } from "../../resources/index.ts";
import { growTree, keyOf } from "./inclusion-tree.ts";
import type { JudgedRoutes } from "./routes.ts";

function proxy(name: string, includes: readonly string[], isRoot = false): HTTPProxy {
  const result = parseResource({
    apiVersion: "projectcontour.io/v1",
    kind: "HTTPProxy",
    metadata: { name, namespace: "shop" },
    spec: {
      ...(isRoot && { virtualhost: { fqdn: "shop.test" } }),
      includes: includes.map((to, index) => ({ name: to, conditions: [{ prefix: `/${index}` }] })),
    },
  });
  if (result.outcome !== "resource" || result.resource.kind !== "HTTPProxy") throw new Error(result.outcome);
  return result.resource;
}

const oneRoute: JudgedRoutes = {
  routes: [
    {
      field: "spec.routes[0]",
      conditions: [],
      permitInsecure: false,
      filters: [],
      backendRefs: [],
      serviceIndexes: [],
      redirect: undefined,
      replacements: [],
      timeouts: {},
      extras: {},
    },
  ],
  errors: [],
  warnings: [],
};

function grow(...proxies: readonly HTTPProxy[]) {
  const byKey = new Map(proxies.map((one) => [keyOf(one), one]));
  return growTree(proxies[0]!, {}, { proxy: (key) => byKey.get(key), routes: () => oneRoute });
}

describe("a tree of HTTPProxies", () => {
  it("has a rule for each way to a route", () => {
    const tree = grow(proxy("root", ["a", "a"], true), proxy("a", ["b"]), proxy("b", []));
    const paths = [...tree.rules].map(
      ([key, rules]) => [key, rules.map(({ rule }) => rule.matches?.[0]?.path?.value)] as const,
    );
    expect(paths).toEqual([
      ["shop/b", ["/0/0", "/1/0"]],
      ["shop/a", ["/0", "/1"]],
      ["shop/root", ["/"]],
    ]);
  });

  it("that doubles at every step is refused before it is grown", () => {
    const depth = 40;
    const steps = Array.from({ length: depth }, (_, step) =>
      proxy(`p${step}`, [`p${step + 1}`, `p${step + 1}`], step === 0),
    );
    const tree = grow(...steps, proxy(`p${depth}`, []));
    expect(tree.rules.size).toBe(0);
    expect(tree.findings.get("shop/p0")?.errors).toMatchObject([{ reason: "TooManyIncludes" }]);
  });

  it("ends where it comes back to itself", () => {
    const tree = grow(proxy("root", ["a"], true), proxy("a", ["b"]), proxy("b", ["a"]));
    expect(tree.findings.get("shop/a")?.errors).toMatchObject([
      {
        reason: "IncludeCreatesCycle",
        message: "spec.includes: they lead back here: shop/a -> shop/b -> shop/a",
      },
    ]);
    expect([...tree.rules.keys()]).toEqual(["shop/b", "shop/a", "shop/root"]);
  });
});

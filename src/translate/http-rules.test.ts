import { describe, expect, it } from "vitest";
import {
  Content,
  httpRoute,
  service,
  trafficPolicy,
  type ContentOptions,
} from "../../test/translate/content.ts";

const web = { name: "web", port: 80 };

function translate(
  rules: readonly Record<string, unknown>[],
  options: ContentOptions = {},
  ...objects: readonly object[]
) {
  return new Content(options).set(service("web"), service("api"), ...objects, httpRoute(rules)).only;
}

const prefix = (value: string) => ({ path: { type: "PathPrefix", value } });
const badMatch = { path: { type: "RegularExpression", value: "(" } };

describe("rules of an HTTPRoute", () => {
  it("become one rule per match, with one action for all", () => {
    const { rules } = translate([
      { name: "first", matches: [prefix("/a"), prefix("/b")], backendRefs: [web] },
      { backendRefs: [web] },
    ]);
    expect(rules.map(({ rule }) => rule.key)).toEqual([
      "HTTPRoute/shop/route/0/0",
      "HTTPRoute/shop/route/0/1",
      "HTTPRoute/shop/route/1/0",
    ]);
    expect(rules[0]?.rule.action).toBe(rules[1]?.rule.action);
    expect(rules[0]?.rule.action).toEqual({
      route: { kind: "HTTPRoute", namespace: "shop", name: "route", rule: 0, ruleName: "first" },
      protocol: "http",
      mirrors: [],
      backends: [{ weight: 1, target: { type: "backend", backend: "Service/shop/web/80" } }],
      timeouts: {},
    });
    expect(rules[2]?.rank).toMatchObject({ rule: 1, match: 0, age: { name: "shop/route" } });
  });

  it("without backends answer 500, and that is no problem of references", () => {
    const { rules, resolvedRefs, accepted } = translate([{}, { backendRefs: [] }]);
    expect(rules.map(({ rule }) => rule.action.backends)).toEqual([[], []]);
    expect(resolvedRefs.status).toBe("True");
    expect(accepted).toBeUndefined();
  });

  it("that are bad are dropped while the others serve", () => {
    const { rules, accepted, partiallyInvalid, resolvedRefs, backendUses } = translate([
      { matches: [prefix("/a"), badMatch], backendRefs: [{ name: "missing", port: 80 }] },
      { backendRefs: [web] },
      { matches: [badMatch], backendRefs: [{ name: "api", port: 80 }] },
    ]);
    expect(rules.map(({ rule }) => rule.key)).toEqual(["HTTPRoute/shop/route/1/0"]);
    expect(accepted).toBeUndefined();
    expect(partiallyInvalid).toMatchObject({
      type: "PartiallyInvalid",
      status: "True",
      reason: "UnsupportedValue",
    });
    expect(partiallyInvalid?.message).toMatch(
      /^Dropped Rule spec\.rules\[0\]\.matches\[1\].*; spec\.rules\[2\]/,
    );
    // References of dropped rules are told, but not carried.
    expect(resolvedRefs.reason).toBe("BackendNotFound");
    expect(backendUses.map(({ key }) => key)).toEqual(["Service/shop/web/80"]);
  });

  it("that are all bad make the route not accepted", () => {
    const { rules, accepted, partiallyInvalid, backendUses } = translate([
      { matches: [badMatch], backendRefs: [web] },
    ]);
    expect({ rules, partiallyInvalid, backendUses }).toEqual({
      rules: [],
      partiallyInvalid: undefined,
      backendUses: [],
    });
    expect(accepted).toMatchObject({ type: "Accepted", status: "False", reason: "UnsupportedValue" });
  });
});

describe("weights", () => {
  it("of 0 leave a backend out, and a route of nothing else answers 500", () => {
    const { rules, backendUses, resolvedRefs } = translate([
      {
        backendRefs: [
          { ...web, weight: 0 },
          { name: "api", port: 80, weight: 5 },
        ],
      },
      {
        backendRefs: [
          { ...web, weight: 0 },
          { name: "missing", port: 80, weight: 0 },
        ],
      },
    ]);
    expect(rules.map(({ rule }) => rule.action.backends.map(({ weight }) => weight))).toEqual([[5], []]);
    expect(backendUses.map(({ key }) => key)).toEqual(["Service/shop/api/80"]);
    expect(resolvedRefs.reason).toBe("BackendNotFound");
  });

  it("are kept by backends that are not there", () => {
    const backendRefs = [
      { ...web, weight: 3 },
      { name: "missing", port: 80, weight: 1 },
    ];
    const { rules } = translate([{ backendRefs }]);
    expect(rules[0]?.rule.action.backends).toEqual([
      { weight: 3, target: { type: "backend", backend: "Service/shop/web/80" } },
      {
        weight: 1,
        target: {
          type: "error",
          status: 500,
          reason: "spec.rules[0].backendRefs[1]: Service shop/missing does not exist",
        },
      },
    ]);
  });
});

describe("filters of a backend", () => {
  const setHeader = {
    type: "RequestHeaderModifier",
    requestHeaderModifier: { set: [{ name: "A", value: "1" }] },
  };
  const rewritePath = {
    type: "URLRewrite",
    urlRewrite: { path: { type: "ReplaceFullPath", replaceFullPath: "/x" } },
  };
  const rewriteHost = { type: "URLRewrite", urlRewrite: { hostname: "b.example.com" } };

  it("stay with the backend", () => {
    const { rules } = translate([
      {
        backendRefs: [
          { ...web, filters: [setHeader] },
          { name: "api", port: 80 },
        ],
      },
    ]);
    const [first, second] = rules[0]?.rule.action.backends ?? [];
    expect(first?.requestHeaders?.set).toEqual([{ name: "a", value: "1" }]);
    expect(second).toEqual({ weight: 1, target: { type: "backend", backend: "Service/shop/api/80" } });
  });

  it("complete a rewrite by the rule's, which then stands with every backend", () => {
    const backendRefs = [
      { ...web, filters: [rewritePath] },
      { name: "api", port: 80 },
    ];
    const action = translate([{ filters: [rewriteHost], backendRefs }]).rules[0]?.rule.action;
    expect(action).not.toHaveProperty("rewrite");
    expect(action?.backends.map(({ rewrite }) => rewrite)).toEqual([
      { hostname: "b.example.com", path: { type: "full", value: "/x" } },
      { hostname: "b.example.com" },
    ]);
  });

  it("leave a rewrite with the rule where no backend has one", () => {
    const action = translate([{ filters: [rewriteHost], backendRefs: [web] }]).rules[0]?.rule.action;
    expect(action?.rewrite).toEqual({ hostname: "b.example.com" });
    expect(action?.backends[0]).not.toHaveProperty("rewrite");
  });

  it("do not rewrite for backends that have none", () => {
    const backendRefs = [
      { ...web, filters: [rewritePath] },
      { name: "api", port: 80 },
    ];
    const action = translate([{ backendRefs }]).rules[0]?.rule.action;
    expect(action?.backends.map(({ rewrite }) => rewrite)).toEqual([
      { path: { type: "full", value: "/x" } },
      undefined,
    ]);
  });

  it("cannot redirect what the rule rewrites", () => {
    const redirect = { type: "RequestRedirect", requestRedirect: { hostname: "c.example.com" } };
    const { accepted } = translate([
      { filters: [rewriteHost], backendRefs: [{ ...web, filters: [redirect] }] },
    ]);
    expect(accepted).toMatchObject({ reason: "IncompatibleFilters" });
    const { rules } = translate([{ backendRefs: [{ ...web, filters: [redirect] }] }]);
    expect(rules[0]?.rule.action.backends[0]?.redirect?.hostname).toBe("c.example.com");
  });

  it("need their feature", () => {
    const feature = "HTTPRouteBackendRequestHeaderModification";
    const { accepted } = translate([{ backendRefs: [{ ...web, filters: [setHeader] }] }], {
      without: [feature],
    });
    expect(accepted?.message).toContain(feature);
  });

  it("bring their mirrors along", () => {
    const mirror = { type: "RequestMirror", requestMirror: { backendRef: { name: "api", port: 80 } } };
    const { rules, backendUses } = translate([{ backendRefs: [{ ...web, filters: [mirror] }] }]);
    expect(rules[0]?.rule.action.backends[0]?.mirrors).toHaveLength(1);
    expect(backendUses.map(({ key }) => key)).toEqual(["Service/shop/web/80", "Service/shop/api/80"]);
  });
});

describe("time-outs and retries", () => {
  it.each<[object, object]>([
    [
      { request: "10s", backendRequest: "2s" },
      { request: 10_000, backendRequest: 2000 },
    ],
    [{ request: "0s" }, { request: 0 }],
    [
      { request: "0s", backendRequest: "1h" },
      { request: 0, backendRequest: 3_600_000 },
    ],
    [{}, {}],
  ])("%j", (timeouts, expected) => {
    expect(translate([{ timeouts, backendRefs: [web] }]).rules[0]?.rule.action.timeouts).toEqual(expected);
  });

  it.each<[object, object]>([
    [{}, { statusCodes: [], attempts: 1, backoff: 25 }],
    [
      { codes: [503, 500], attempts: 3, backoff: "100ms" },
      { statusCodes: [500, 503], attempts: 3, backoff: 100 },
    ],
  ])("%j", (retry, expected) => {
    expect(translate([{ retry, backendRefs: [web] }]).rules[0]?.rule.action.retry).toEqual(expected);
  });

  it.each<[string, object]>([
    ["HTTPRouteRequestTimeout", { timeouts: { request: "1s" } }],
    ["HTTPRouteBackendTimeout", { timeouts: { backendRequest: "1s" } }],
    ["HTTPRouteRetry", { retry: {} }],
    ["HTTPRouteRetryBackendTimeout", { retry: {}, timeouts: { backendRequest: "1s" } }],
  ])("need %s", (feature, rule) => {
    expect(translate([{ ...rule, backendRefs: [web] }], { without: [feature] }).accepted?.message).toContain(
      feature,
    );
    expect(translate([{ ...rule, backendRefs: [web] }]).accepted).toBeUndefined();
  });
});

describe("sessions", () => {
  const sessionPersistence = { sessionName: "sid" };
  const policy = trafficPolicy("sticky", { name: "web" }, { sessionPersistence: { sessionName: "policy" } });

  it("have the path of each match", () => {
    const rule = {
      sessionPersistence,
      matches: [prefix("/a"), prefix("/b"), { ...prefix("/a"), method: "GET" }],
    };
    const actions = translate([{ ...rule, backendRefs: [web] }]).rules.map(({ rule: { action } }) => action);
    expect(actions.map(({ session }) => session?.path)).toEqual(["/a", "/b", "/a"]);
    expect(actions[0]).toBe(actions[2]);
  });

  it("come from a policy, without a path, unless the rule has its own", () => {
    const of = (rule: object) =>
      translate([{ ...rule, backendRefs: [web] }], {}, policy).rules[0]?.rule.action.session;
    expect(of({})).toMatchObject({ name: expect.stringMatching(/^policy-[0-9a-f]{12}$/), path: "" });
    expect(of({ sessionPersistence })).toMatchObject({ name: "sid", path: "/" });
  });

  it("of a policy are not shared by two rules; in a header the name is the client's to know", () => {
    const names = (sessionPersistence: object) => {
      const shared = trafficPolicy("sticky", { name: "web" }, { sessionPersistence });
      const rules = [{ matches: [prefix("/a")] }, { matches: [prefix("/b")] }];
      const translated = translate(
        rules.map((rule) => ({ ...rule, backendRefs: [web] })),
        {},
        shared,
      );
      return translated.rules.map(({ rule: { action } }) => action.session?.name);
    };
    expect(new Set(names({ sessionName: "shop" })).size).toBe(2);
    expect(names({ type: "Header", sessionName: "X-Shop" })).toEqual(["x-shop", "x-shop"]);
  });

  it("need their feature: of a rule it is dropped, of a policy it is not looked at", () => {
    const options = { without: ["SessionPersistence"] };
    expect(translate([{ sessionPersistence, backendRefs: [web] }], options).accepted?.reason).toBe(
      "UnsupportedValue",
    );
    const { rules } = translate([{ backendRefs: [web] }], options, policy);
    expect(rules[0]?.rule.action).not.toHaveProperty("session");
  });

  it("with a bad name are refused", () => {
    const rule = { sessionPersistence: { sessionName: "a; Path=/" }, backendRefs: [web] };
    expect(translate([rule]).accepted?.message).toContain("spec.rules[0].sessionPersistence.sessionName");
  });
});

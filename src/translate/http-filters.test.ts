import { describe, expect, it } from "vitest";
import type { HTTPRouteFilter } from "../resources/index.ts";
import {
  Content,
  httpRoute,
  referenceGrant,
  service,
  type ContentOptions,
} from "../../test/translate/content.ts";
import type { RouteContext } from "./route-context.ts";
import { translateFilters } from "./http-filters.ts";

const backendRefs = [{ name: "web", port: 80 }];
const mirrorTo = (name: string, more: object = {}, ref: object = {}) => ({
  type: "RequestMirror",
  requestMirror: { backendRef: { name, port: 80, ...ref }, ...more },
});

function translate(filters: readonly object[], options: ContentOptions = {}, ...objects: readonly object[]) {
  const content = new Content(options).set(service("web"), service("copy"), ...objects);
  return content.set(httpRoute([{ filters, backendRefs }])).only;
}

const actionOf = (filters: readonly object[]) => translate(filters).rules[0]?.rule.action;

describe("mirrors", () => {
  const copy = { type: "backend", backend: "Service/shop/copy/80" };

  it.each<[string, object, object]>([
    ["everything", {}, { numerator: 100, denominator: 100 }],
    ["a percentage", { percent: 25 }, { numerator: 25, denominator: 100 }],
    ["a fraction", { fraction: { numerator: 1, denominator: 1000 } }, { numerator: 1, denominator: 1000 }],
    ["a fraction of 100", { fraction: { numerator: 5 } }, { numerator: 5, denominator: 100 }],
  ])("take %s", (_, share, expected) => {
    expect(actionOf([mirrorTo("copy", share)])?.mirrors).toEqual([{ target: copy, ...expected }]);
  });

  it("of nothing are left out, and so is their backend", () => {
    const { rules, backendUses } = translate([mirrorTo("copy", { percent: 0 })]);
    expect(rules[0]?.rule.action.mirrors).toEqual([]);
    expect(backendUses.map(({ key }) => key)).toEqual(["Service/shop/web/80"]);
  });

  it("may be several", () => {
    expect(actionOf([mirrorTo("copy"), mirrorTo("web")])?.mirrors).toHaveLength(2);
    const { accepted } = translate([mirrorTo("copy"), mirrorTo("web")], {
      without: ["HTTPRouteRequestMultipleMirrors"],
    });
    expect(accepted?.message).toContain("spec.rules[0].filters[1]: ");
  });

  it("that lead nowhere are left out while the rule serves on", () => {
    const { rules, resolvedRefs } = translate([mirrorTo("copy"), mirrorTo("missing")]);
    expect(rules[0]?.rule.action.mirrors).toHaveLength(1);
    expect(rules[0]?.rule.action.backends).toHaveLength(1);
    expect(resolvedRefs).toMatchObject({
      status: "False",
      reason: "BackendNotFound",
      message: "spec.rules[0].filters[1].requestMirror.backendRef: Service shop/missing does not exist",
    });
  });

  it("to another namespace need a grant", () => {
    const filters = [mirrorTo("copy", {}, { namespace: "other" })];
    const there = service("copy", undefined, {}, { namespace: "other" });
    expect(translate(filters, {}, there).resolvedRefs.reason).toBe("RefNotPermitted");
    expect(translate(filters, {}, there).rules[0]?.rule.action.mirrors).toEqual([]);
    const grant = referenceGrant({ kind: "HTTPRoute" }, { kind: "Service" }, "other");
    expect(translate(filters, {}, there, grant).rules[0]?.rule.action.mirrors).toHaveLength(1);
  });

  it.each([
    ["HTTPRouteRequestMirror", mirrorTo("copy")],
    ["HTTPRouteRequestPercentageMirror", mirrorTo("copy", { percent: 5 })],
  ])("need %s", (feature, filter) => {
    expect(translate([filter], { without: [feature] }).accepted?.message).toContain(feature);
  });
});

describe("CORS", () => {
  it("is taken over", () => {
    const cors = {
      allowOrigins: ["https://*.example.com"],
      allowCredentials: true,
      allowMethods: ["GET"],
      allowHeaders: ["X-A"],
      exposeHeaders: ["X-B"],
      maxAge: 60,
    };
    expect(actionOf([{ type: "CORS", cors }])?.cors).toEqual(cors);
    expect(actionOf([{ type: "CORS", cors: {} }])?.cors).toEqual({
      allowOrigins: [],
      allowCredentials: false,
      allowMethods: [],
      allowHeaders: [],
      exposeHeaders: [],
      maxAge: 5,
    });
  });

  it("refuses ports that are none and needs its feature", () => {
    const filter = { type: "CORS", cors: { allowOrigins: ["https://a.example.com:99999"] } };
    expect(translate([filter]).accepted?.message).toContain("cors.allowOrigins[0]: 99999 is not a port");
    const fine = { type: "CORS", cors: { allowOrigins: ["*"] } };
    expect(translate([fine], { without: ["HTTPRouteCORS"] }).accepted?.message).toContain("HTTPRouteCORS");
  });
});

describe("extensions", () => {
  const filters = [
    { type: "ExtensionRef", extensionRef: { group: "example.com", kind: "RateLimit", name: "slow" } },
    { type: "RequestHeaderModifier", requestHeaderModifier: { set: [{ name: "a", value: "1" }] } },
  ];

  it("that are not known answer with an error instead of being skipped", () => {
    const { rules, accepted, resolvedRefs, backendUses } = translate(filters);
    expect(accepted).toBeUndefined();
    expect(resolvedRefs).toMatchObject({
      status: "False",
      reason: "InvalidKind",
      message: expect.stringContaining("RateLimit slow of group example.com"),
    });
    const action = rules[0]?.rule.action;
    expect(action?.backends).toEqual([
      { weight: 1, target: expect.objectContaining({ type: "error", status: 500 }) },
    ]);
    expect(action?.requestHeaders).toBeUndefined();
    expect(backendUses).toEqual([]);
  });

  it("of one backend take only that backend's share", () => {
    const content = new Content().set(service("web"), service("copy"));
    const refs = [
      { name: "web", port: 80, weight: 3, filters: [filters[0]] },
      { name: "copy", port: 80, weight: 1 },
    ];
    const { rules, backendUses } = content.set(httpRoute([{ backendRefs: refs }])).only;
    expect(rules[0]?.rule.action.backends).toEqual([
      { weight: 3, target: expect.objectContaining({ type: "error" }) },
      { weight: 1, target: { type: "backend", backend: "Service/shop/copy/80" } },
    ]);
    expect(backendUses.map(({ key }) => key)).toEqual(["Service/shop/copy/80"]);
  });
});

describe("combinations", () => {
  const context = { gateway: { key: "infra/gw", features: new Set() } } as unknown as RouteContext;
  const modifier = { type: "RequestHeaderModifier", requestHeaderModifier: {} } as const;
  const judge = (filters: readonly HTTPRouteFilter[]) =>
    translateFilters(context, filters, { field: "f", transport: "http", prefix: undefined }).refusals;

  it("of a redirect and a rewrite are incompatible", () => {
    const refusals = judge([
      { type: "RequestRedirect", requestRedirect: { statusCode: 302 } },
      { type: "URLRewrite", urlRewrite: {} },
    ]);
    expect(refusals).toMatchObject([{ reason: "IncompatibleFilters", field: "f" }]);
  });

  it("of a filter with itself are refused", () => {
    expect(judge([modifier, modifier])).toMatchObject([{ reason: "UnsupportedValue", field: "f[1]" }]);
  });

  it("with a type from a later version of the API are refused", () => {
    const unknown = { type: "TimeTravel" } as unknown as HTTPRouteFilter;
    expect(judge([unknown])).toMatchObject([{ reason: "UnsupportedValue", field: "f[0].type" }]);
    const empty = { type: "URLRewrite" } as HTTPRouteFilter;
    expect(judge([empty])).toMatchObject([{ field: "f[0]", problem: "urlRewrite is missing" }]);
  });
});

it("response headers need their feature", () => {
  const filter = { type: "ResponseHeaderModifier", responseHeaderModifier: { remove: ["Server"] } };
  expect(actionOf([filter])?.responseHeaders?.remove).toEqual(["server"]);
  const feature = "HTTPRouteResponseHeaderModification";
  expect(translate([filter], { without: [feature] }).accepted?.message).toContain(feature);
});

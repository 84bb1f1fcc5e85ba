import { describe, expect, it } from "vitest";
import { Content, httpRoute, service } from "../../test/translate/content.ts";

interface Rule {
  readonly matches?: readonly object[];
  readonly without?: readonly string[];
}

const prefixMatch = [{ path: { type: "PathPrefix", value: "/foo/" } }];

function redirect(requestRedirect: object, { matches = prefixMatch, without = [] }: Rule = {}) {
  const filters = [{ type: "RequestRedirect", requestRedirect }];
  return new Content({ without }).set(httpRoute([{ matches, filters }])).only;
}

function rewrite(urlRewrite: object, { matches = prefixMatch, without = [] }: Rule = {}) {
  const filters = [{ type: "URLRewrite", urlRewrite }];
  const backendRefs = [{ name: "web", port: 80 }];
  return new Content({ without }).set(service("web"), httpRoute([{ matches, filters, backendRefs }])).only;
}

describe("redirects", () => {
  it.each<[string, object, object]>([
    ["nothing said", {}, { port: "listener", statusCode: 302 }],
    ["a scheme brings its port", { scheme: "https" }, { scheme: "https", port: 443, statusCode: 302 }],
    ["http too", { scheme: "http" }, { scheme: "http", port: 80, statusCode: 302 }],
    ["a port is a port", { scheme: "https", port: 8443 }, { scheme: "https", port: 8443, statusCode: 302 }],
    [
      "a hostname",
      { hostname: "b.example.com", statusCode: 301 },
      { hostname: "b.example.com", port: "listener", statusCode: 301 },
    ],
    [
      "a full path",
      { path: { type: "ReplaceFullPath", replaceFullPath: "/x" }, statusCode: 308 },
      { path: { type: "full", value: "/x" }, port: "listener", statusCode: 308 },
    ],
    [
      "a prefix",
      { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/x/" } },
      { path: { type: "prefix", prefix: "/foo", value: "/x" }, port: "listener", statusCode: 302 },
    ],
  ])("%s", (_, filter, expected) => {
    const { rules, accepted } = redirect(filter);
    expect(accepted).toBeUndefined();
    expect(rules[0]?.rule.action.redirect).toEqual(expected);
    expect(rules[0]?.rule.action.backends).toEqual([]);
  });

  it.each<[string, object]>([
    ["HTTPRouteSchemeRedirect", { scheme: "https" }],
    ["HTTPRoutePortRedirect", { port: 8080 }],
    ["HTTPRoutePathRedirect", { path: { type: "ReplaceFullPath", replaceFullPath: "/" } }],
    ["HTTPRoute303RedirectStatusCode", { statusCode: 303 }],
    ["HTTPRoute307RedirectStatusCode", { statusCode: 307 }],
    ["HTTPRoute308RedirectStatusCode", { statusCode: 308 }],
  ])("need %s", (feature, filter) => {
    expect(redirect(filter, { without: [feature] }).accepted?.message).toContain(feature);
    expect(redirect(filter).accepted).toBeUndefined();
  });

  it("do not lead to an IP address", () => {
    expect(redirect({ hostname: "127.0.0.1" }).accepted?.message).toContain(
      "requestRedirect.hostname: must be a DNS name",
    );
  });
});

describe("rewrites", () => {
  it.each<[string, object, object]>([
    ["a hostname", { hostname: "b.example.com" }, { hostname: "b.example.com" }],
    [
      "the root for an empty path",
      { path: { type: "ReplaceFullPath", replaceFullPath: "" } },
      { path: { type: "full", value: "/" } },
    ],
    [
      "the root for an empty prefix",
      { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "" } },
      { path: { type: "prefix", prefix: "/foo", value: "/" } },
    ],
    [
      "the root for the root",
      { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/" } },
      { path: { type: "prefix", prefix: "/foo", value: "/" } },
    ],
  ])("%s", (_, filter, expected) => {
    expect(rewrite(filter).rules[0]?.rule.action.rewrite).toEqual(expected);
  });

  it.each([
    "x",
    "/a b",
    "/a?b=c",
    "/a#b",
    "/a\r\nb",
    "/a\u0000",
    "/a\u2028",
    "/../etc/passwd",
    "/a/./b",
    "//evil.example.com",
    "/a%zz",
    "/a%00",
    "http://evil.example.com/",
    "/a\\b",
  ])("refuse the path %j", (value) => {
    for (const path of [
      { type: "ReplaceFullPath", replaceFullPath: value },
      { type: "ReplacePrefixMatch", replacePrefixMatch: value },
    ]) {
      expect(rewrite({ path }).accepted).toMatchObject({
        reason: "UnsupportedValue",
        message: expect.stringContaining("spec.rules[0].filters[0].urlRewrite.path.replace"),
      });
    }
  });

  it.each(["/$1", "/{x}", "/a;b", "/a'b", "/(x)", "/var/run/secrets/token"])(
    "keep the path %j as it is",
    (value) => {
      const path = { type: "ReplaceFullPath", replaceFullPath: value };
      expect(["full", undefined]).toContain(rewrite({ path }).rules[0]?.rule.action.rewrite?.path?.type);
    },
  );

  it("of a prefix in two backends need the one prefix match, though the API's rule lets them through", () => {
    const filters = [
      { type: "URLRewrite", urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/x" } } },
    ];
    const backendRefs = [1, 2].map(() => ({ name: "web", port: 80, filters }));
    const matches = [{ path: { type: "Exact", value: "/foo" } }];
    const { accepted } = new Content().set(service("web"), httpRoute([{ matches, backendRefs }])).only;
    expect(accepted).toMatchObject({
      reason: "UnsupportedValue",
      message: expect.stringContaining("PathPrefix"),
    });
  });

  it.each<[string, object]>([
    ["HTTPRouteHostRewrite", { hostname: "a.example.com" }],
    ["HTTPRoutePathRewrite", { path: { type: "ReplaceFullPath", replaceFullPath: "/" } }],
  ])("need %s", (feature, filter) => {
    expect(rewrite(filter, { without: [feature] }).accepted?.message).toContain(feature);
  });
});

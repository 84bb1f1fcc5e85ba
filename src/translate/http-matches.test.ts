import { describe, expect, it } from "vitest";
import { Content, httpRoute, service } from "../../test/translate/content.ts";

const backendRefs = [{ name: "web", port: 80 }];

function translate(match: object, without: readonly string[] = []) {
  const content = new Content({ without }).set(
    service("web"),
    httpRoute([{ matches: [match], backendRefs }]),
  );
  return content.only;
}

const matchOf = (match: object) => translate(match).rules[0]?.rule.match;

describe("paths", () => {
  it.each([
    ["Exact", "/a", { type: "exact", value: "/a" }],
    ["Exact", "/a/", { type: "exact", value: "/a/" }],
    ["PathPrefix", "/", { type: "prefix", value: "/" }],
    ["PathPrefix", "/a", { type: "prefix", value: "/a" }],
    ["PathPrefix", "/a/", { type: "prefix", value: "/a" }],
    ["PathPrefix", "/a/b/", { type: "prefix", value: "/a/b" }],
    ["Exact", "/%61%2d%7E", { type: "exact", value: "/a-~" }],
    ["RegularExpression", "/v[0-9]+/.*", { type: "regex", value: "/v[0-9]+/.*" }],
  ])("%s %s", (type, value, path) => {
    expect(matchOf({ path: { type, value } })?.path).toEqual(path);
  });

  it("default to everything", () => {
    expect(matchOf({})).toEqual({ path: { type: "prefix", value: "/" }, headers: [], queryParams: [] });
    const content = new Content().set(service("web"), httpRoute([{ matches: [], backendRefs }]));
    expect(content.only.rules[0]?.rule.match.path).toEqual({ type: "prefix", value: "/" });
  });

  it.each(["/(", "(?=a)", "(a)\\1", "/[z-a]", "/*+"])(
    "refuse the expression %s in the parser's words",
    (value) => {
      const { accepted, rules } = translate({ path: { type: "RegularExpression", value } });
      expect(rules).toEqual([]);
      expect(accepted).toMatchObject({ type: "Accepted", status: "False", reason: "UnsupportedValue" });
      expect(accepted?.message).toMatch(
        /^No rule can be served: spec\.rules\[0\]\.matches\[0\]\.path\.value: \S/,
      );
    },
  );

  it("refuse what no request can have after normalisation", () => {
    expect(translate({ path: { type: "PathPrefix", value: "/a/..;/b" } }).accepted?.message).toContain(
      "matches[0].path.value",
    );
    expect(translate({ path: { type: "Exact", value: "/%00" } }).accepted?.status).toBe("False");
  });
});

describe("headers and query parameters", () => {
  it("have names without case and with it, and the first of each name counts", () => {
    const match = matchOf({
      headers: [
        { name: "Version", value: "1" },
        { name: "version", value: "2" },
        { name: "X", type: "RegularExpression", value: "a.*" },
      ],
      queryParams: [
        { name: "Q", value: "1" },
        { name: "q", type: "RegularExpression", value: "[0-9]+" },
      ],
      method: "GET",
    });
    expect(match).toEqual({
      path: { type: "prefix", value: "/" },
      method: "GET",
      headers: [
        { name: "version", type: "exact", value: "1" },
        { name: "x", type: "regex", value: "a.*" },
      ],
      queryParams: [
        { name: "Q", type: "exact", value: "1" },
        { name: "q", type: "regex", value: "[0-9]+" },
      ],
    });
  });

  it.each<[string, object, string]>([
    [
      "a header's expression",
      { headers: [{ name: "a", type: "RegularExpression", value: "(" }] },
      "headers[0].value",
    ],
    ["a line break in a header", { headers: [{ name: "a", value: "1\r\n2" }] }, "headers[0].value"],
    ["a NUL in a header", { headers: [{ name: "a", value: "\u0000" }] }, "headers[0].value"],
    [
      "a parameter's expression",
      { queryParams: [{ name: "a", type: "RegularExpression", value: "(?<" }] },
      "queryParams[0].value",
    ],
    ["a line break in a parameter", { queryParams: [{ name: "a", value: "1\n2" }] }, "queryParams[0].value"],
    [
      "a line separator in a parameter",
      { queryParams: [{ name: "a", value: "\u2028" }] },
      "queryParams[0].value",
    ],
  ])("refuse %s", (_, match, field) => {
    expect(translate(match).accepted?.message).toContain(`spec.rules[0].matches[0].${field}: `);
  });

  it.each([
    ["HTTPRouteMethodMatching", { method: "GET" }],
    ["HTTPRouteQueryParamMatching", { queryParams: [{ name: "a", value: "1" }] }],
  ])("need %s", (feature, match) => {
    expect(translate(match, [feature]).accepted).toMatchObject({
      reason: "UnsupportedValue",
      message: expect.stringContaining(feature),
    });
    expect(translate(match).accepted).toBeUndefined();
  });
});

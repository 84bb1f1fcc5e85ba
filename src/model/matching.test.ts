import { describe, expect, it } from "vitest";
import { explainMatch } from "./match-explanation.ts";
import { compileMatch, type MatchableRequest } from "./matching.ts";
import { renderPathPattern } from "./path-pattern.ts";
import type { PathMatch, RequestMatch } from "./rule.ts";

function request(target: string, method = "GET", headers: Record<string, string> = {}): MatchableRequest {
  const [path = "", query = ""] = target.split("?");
  const byName = new Map(Object.entries(headers));
  return { method, path, query, header: (name) => byName.get(name) };
}

function match(path: PathMatch, more: Partial<RequestMatch> = {}): RequestMatch {
  return { path, headers: [], queryParams: [], ...more };
}

const anywhere: PathMatch = { type: "prefix", value: "/" };

describe("a path match", () => {
  it.each([
    ["exact", "/abc", "/abc", true],
    ["exact", "/abc", "/abc/", false],
    ["exact", "/abc", "/Abc", false],
    ["exact", "/abc", "/abcd", false],
    ["exact", "/a%C3%A9", "/a%c3%A9", true],
    ["exact", "/a%C3%A9", "/A%c3%A9", false],
    ["exact", "*", "*", true],
    ["prefix", "/abc", "/abc", true],
    ["prefix", "/abc", "/abc/", true],
    ["prefix", "/abc", "/abc/def", true],
    ["prefix", "/abc", "/abcd", false],
    ["prefix", "/abc", "/ab", false],
    ["prefix", "/abc", "/abc%2Fdef", false],
    ["prefix", "/abc", "/abc;x/def", false],
    ["prefix", "/abc", "/ABC/def", false],
    ["prefix", "/login", "/loginx", false],
    ["prefix", "/", "/", true],
    ["prefix", "/", "/x/y", true],
    ["prefix", "/", "*", false],
    ["prefix", "/abc/", "/abc", true],
    ["prefix", "/abc/", "/abcd", false],
    ["prefix", "/a%c3", "/a%C3/b", true],
    ["prefix", "/a.b(c", "/a.b(c/d", true],
    ["prefix", "/a.b", "/axb", false],
    ["regex", "/a.c", "/abc", true],
    ["regex", "/a.c", "/abcd", false],
    ["regex", "/a.c", "x/abc", false],
    ["regex", "/a|/b", "/bc", false],
    ["regex", "/user/[0-9]+/.*", "/user/12/x/y", true],
  ] as const)("%s %s takes %s: %s", (type, value, path, expected) => {
    expect(compileMatch(match({ type, value })).test(request(path))).toBe(expected);
    const asPattern = { type: "regex", value: renderPathPattern({ type, value }) } as const;
    expect(compileMatch(match(asPattern)).test(request(path))).toBe(expected);
  });
});

describe("the other parts of a match", () => {
  it("are all asked", () => {
    const full = compileMatch(
      match(anywhere, {
        method: "POST",
        headers: [
          { name: "version", type: "exact", value: "one" },
          { name: "agent", type: "regex", value: "curl/.*" },
        ],
        queryParams: [
          { name: "animal", type: "exact", value: "whale" },
          { name: "color", type: "regex", value: "blue|green" },
        ],
      }),
    );
    const headers = { version: "one", agent: "curl/8" };
    const target = "/x?animal=whale&color=green";
    expect(full.test(request(target, "POST", headers))).toBe(true);
    expect(full.test(request(target, "GET", headers))).toBe(false);
    expect(full.test(request(target, "POST", { ...headers, version: "One" }))).toBe(false);
    expect(full.test(request(target, "POST", { version: "one" }))).toBe(false);
    expect(full.test(request(target, "POST", { ...headers, agent: "x curl/8" }))).toBe(false);
    expect(full.test(request("/x?animal=dog&animal=whale&color=blue", "POST", headers))).toBe(false);
    expect(full.test(request("/x?animal=whale&animal=dog&color=blue", "POST", headers))).toBe(true);
    expect(full.test(request("/x?animal=whale&color=blueish", "POST", headers))).toBe(false);
    expect(full.test(request("/x?animal=whale", "POST", headers))).toBe(false);
  });

  it("ask for the method alone", () => {
    const post = compileMatch(match(anywhere, { method: "POST" }));
    expect(post.test(request("/", "POST"))).toBe(true);
    expect(post.test(request("/", "post"))).toBe(false);
  });

  it("see an empty value, but not an absent one", () => {
    const empty = compileMatch(match(anywhere, { queryParams: [{ name: "a", type: "regex", value: ".*" }] }));
    expect(empty.test(request("/?a"))).toBe(true);
    expect(empty.test(request("/?b"))).toBe(false);
  });
});

describe("an explanation", () => {
  it("names each part, what it wants and what it got", () => {
    const explained = explainMatch(
      match(
        { type: "prefix", value: "/shop" },
        {
          method: "GET",
          headers: [{ name: "version", type: "exact", value: "one" }],
          queryParams: [
            { name: "animal", type: "regex", value: "wh.*" },
            { name: "color", type: "exact", value: "blue" },
          ],
        },
      ),
      request("/shopping?animal=whale", "GET", { version: "two" }),
    );
    expect(explained).toEqual([
      { part: "path", held: false, expected: "at or below /shop", actual: "/shopping" },
      { part: "method", held: true, expected: "GET", actual: "GET" },
      { part: "header", held: false, expected: "version exactly one", actual: "version is two" },
      {
        part: "query parameter",
        held: true,
        expected: "animal matching wh.*",
        actual: "animal is whale",
      },
      {
        part: "query parameter",
        held: false,
        expected: "color exactly blue",
        actual: "color is absent",
      },
    ]);
  });

  it("of a path alone has one step", () => {
    expect(explainMatch(match({ type: "exact", value: "/a" }), request("/a"))).toEqual([
      { part: "path", held: true, expected: "exactly /a", actual: "/a" },
    ]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRegularExpression } from "./regular-expression.ts";
import { comparablePath, firstQueryValue, normalizePath, refusedPathPattern } from "./request-path.ts";

function pathOf(target: string): string {
  const result = normalizePath(target);
  return "refused" in result ? "refused" : result.path;
}

describe("the path of a target", () => {
  it.each([
    ["/", "/"],
    ["/a/b/c", "/a/b/c"],
    ["/a/", "/a/"],
    ["/A/b", "/A/b"],
    ["/a/b/../c", "/a/c"],
    ["/a/b/./c", "/a/b/c"],
    ["/a/b/../../../../c", "/c"],
    ["/a/b/..", "/a/"],
    ["/a/b/.", "/a/b/"],
    ["/..", "/"],
    ["/.", "/"],
    ["/a/b/%2E%2E/c", "/a/c"],
    ["/a/b/%2e./c", "/a/c"],
    ["/a/b/%2e/c", "/a/b/c"],
    ["//a///b//", "/a/b/"],
    ["/a//../b", "/a/b"],
    ["/%61%7E%2D%5f", "/a~-_"],
    ["/%c3%A9", "/%c3%A9"],
    ["/a%2Fb%2fc", "/a%2Fb%2fc"],
    ["/a%5Cb%5cc", "/a%5Cb%5cc"],
    ["/%2541", "/%2541"],
    ["/%252e%252e/x", "/%252e%252e/x"],
    ['/"<>^`{|}', "/%22%3C%3E%5E%60%7B%7C%7D"],
    ["/[a]", "/[a]"],
    ["/a;b=c/d", "/a;b=c/d"],
    ["/api..;/admin", "/api..;/admin"],
    ["/api%2e%2e/x", "/api../x"],
    ["/.well-known/x", "/.well-known/x"],
    ["/...", "/..."],
    ["/..a/b", "/..a/b"],
    ["/a/...;/b", "/a/...;/b"],
    ["/%c0%ae%c0%ae/x", "/%c0%ae%c0%ae/x"],
  ])("%s is %s", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });

  it.each([
    "/a\\b",
    "/a#b",
    "/a b",
    "/a\tb",
    "/a\u0000b",
    "/a\u007f",
    "/é",
    "/a%",
    "/a%2",
    "/a%zz",
    "/a%2/b",
    "/%00",
    "/a%00b",
    "/a?b c",
    "/a?b#c",
    "/a?\u0000",
    "/a/..;/b",
    "/a/..;x=1/b",
    "/a/.;/b",
    "/a/%2e%2e;/b",
    "/a/%2e%2E%3b/b",
    "/a/..%2Fb",
    "/a/..%5cb",
    "/a%2f../b",
    "/a%5C..%5cb",
    "/a/b%2f..",
    "/a%2F.%2Fb",
    "",
    "a/b",
    "example.com:443",
    "ftp://example.com/",
    "http://",
    "http://user@example.com/",
    "http://exa mple.com/",
  ])("%j is refused", (target) => {
    expect(pathOf(target)).toBe("refused");
  });

  it("says what is wrong", () => {
    expect(normalizePath("/a\u0001")).toEqual({
      refused: "the target has the character 0x01, which must be escaped",
    });
    expect(normalizePath("/a#b")).toEqual({ refused: "the target has a fragment" });
    expect(normalizePath("/a\\b")).toEqual({ refused: "the target has a backslash" });
  });

  it("leaves the query alone", () => {
    expect(normalizePath("/a/../b?x=/../%2e//&y=%zz?")).toEqual({
      path: "/b",
      query: "x=/../%2e//&y=%zz?",
      search: "?x=/../%2e//&y=%zz?",
      raw: "/a/../b?x=/../%2e//&y=%zz?",
    });
    expect(normalizePath("/a?")).toEqual({ path: "/a", query: "", search: "?", raw: "/a?" });
    expect(normalizePath("/a")).toEqual({ path: "/a", query: "", search: "", raw: "/a" });
  });

  it("splits absolute-form targets", () => {
    expect(normalizePath("HTTP://Example.com:8080/a/../b?c")).toEqual({
      path: "/b",
      query: "c",
      search: "?c",
      raw: "HTTP://Example.com:8080/a/../b?c",
      authority: "Example.com:8080",
    });
    expect(pathOf("https://example.com")).toBe("/");
    expect(normalizePath("https://[::1]?a")).toMatchObject({ path: "/", query: "a", authority: "[::1]" });
  });

  it("knows the target of OPTIONS *", () => {
    expect(normalizePath("*")).toEqual({ path: "*", query: "", search: "", raw: "*" });
  });
});

const piece = fc.constantFrom(
  ..."/ / / . .. ... a b ; % %2e %2E %2f %2F %5c %61 %7e %25 %00 %c3 ~ { : ? \\".split(" "),
);
const target = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`);

/** RFC 3986 5.2.4, step by step as it is written there. */
function removeDotSegmentsByTheBook(path: string): string {
  let input = path;
  let output = "";
  while (input !== "") {
    if (input.startsWith("/./")) input = input.slice(2);
    else if (input === "/.") input = "/";
    else if (input.startsWith("/../") || input === "/..") {
      input = input === "/.." ? "/" : input.slice(3);
      output = output.slice(0, Math.max(0, output.lastIndexOf("/")));
    } else {
      const end = input.indexOf("/", 1);
      output += end < 0 ? input : input.slice(0, end);
      input = end < 0 ? "" : input.slice(end);
    }
  }
  return output;
}

describe("any target", () => {
  it("is normalised once and for all", () => {
    fc.assert(
      fc.property(target, (given) => {
        const once = normalizePath(given);
        fc.pre(!("refused" in once));
        const forwarded = once.path + once.search;
        expect(normalizePath(forwarded)).toEqual({ ...once, raw: forwarded });
      }),
      { numRuns: 3000 },
    );
  });

  it("has no dot segment, no double slash and no escaped unreserved character left", () => {
    fc.assert(
      fc.property(target, (given) => {
        const path = pathOf(given);
        fc.pre(path !== "refused");
        expect(path).toMatch(/^\/[!-~]*$/);
        expect(path).not.toMatch(/\/\/|\/\.\.?(\/|;|$)|%(?![0-9a-f]{2})|%2e|%7e|%61|%00|\\/i);
        const decodedByBackend = path.replace(/%2f|%5c/gi, "/").replace(/;[^/]*/g, "");
        expect(decodedByBackend.split("/")).not.toContain("..");
      }),
      { numRuns: 3000 },
    );
  });

  it("has its dot segments removed as RFC 3986 says", () => {
    const plain = fc
      .array(fc.constantFrom("/", "/", "/.", "/..", "/a", "/b"), { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(plain, (given) => {
        expect(pathOf(given)).toBe(removeDotSegmentsByTheBook(given).replace(/\/+/g, "/"));
      }),
      { numRuns: 3000 },
    );
  });

  it("is refused for the same hidden dot segments by the pattern for other proxies", () => {
    const isRefused = compileRegularExpression(refusedPathPattern);
    fc.assert(
      fc.property(target, (given) => {
        const path = pathOf(given);
        fc.pre(path !== "refused");
        expect(isRefused(path)).toBe(false);
      }),
      { numRuns: 3000 },
    );
    for (const path of [
      "/a/..;/b",
      "/a/.;",
      "/a/..%2fb",
      "/a%5C../b",
      "/a%2f..",
      "/a%",
      "/a%2",
      "/a%g0/b",
      "/a%0g",
    ]) {
      expect([path, isRefused(path)]).toEqual([path, true]);
    }
  });

  it("is read in time linear to its length", () => {
    const before = performance.now();
    for (const unit of ["/", "/.", "/..", "/a/..", "%2e", "%", ".", "/;", "{"]) {
      normalizePath(`/${unit.repeat(100_000)}`);
    }
    expect(performance.now() - before).toBeLessThan(2000);
  });
});

describe("comparing paths", () => {
  it("does not care about the case of hex digits, but of everything else", () => {
    expect(comparablePath("/caf%c3%a9/a%2Fb")).toBe("/caf%C3%A9/a%2Fb");
    expect(comparablePath("/abc")).toBe("/abc");
  });
});

describe("the first value of a query parameter", () => {
  it.each([
    ["a=1", "a", "1"],
    ["a=1&a=2", "a", "1"],
    ["b=1&a=2", "a", "2"],
    ["a", "a", ""],
    ["a=", "a", ""],
    ["a&a=2", "a", ""],
    ["ab=1&a=2", "a", "2"],
    ["b=a=3&a=2", "a", "2"],
    ["a=b=c", "a", "b=c"],
    ["&&a=1", "a", "1"],
    ["a=%41+b", "a", "%41+b"],
    ["%61=1", "a", undefined],
    ["A=1", "a", undefined],
    ["ba=1", "a", undefined],
    ["", "a", undefined],
    ["__proto__=1", "__proto__", "1"],
    ["x=1", "constructor", undefined],
  ])("of %j for %s is %j", (query, name, value) => {
    expect(firstQueryValue(query, name)).toBe(value);
  });
});

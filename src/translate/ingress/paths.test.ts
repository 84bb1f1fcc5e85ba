import { describe, expect, it } from "vitest";
import { judgePath } from "./paths.ts";

function judge(
  path: string,
  rewriteTarget?: string,
  { usesRegex = false, pathType = "ImplementationSpecific" } = {},
) {
  const type = pathType as "Exact" | "Prefix" | "ImplementationSpecific";
  return judgePath({ path, pathType: type }, { usesRegex, rewriteTarget });
}

describe("rewrite-target", () => {
  it.each([
    ["/app(/|$)(.*)", "/$2", "/app", "/"],
    ["/app(?:/|$)(.*)", "/$1", "/app", "/"],
    ["/app(/?)(.*)", "/$2", "/app", "/"],
    ["/app/?(.*)", "/$1", "/app", "/"],
    ["/app/(.*)", "/v1/$1", "/app", "/v1"],
    ["^/app/(.*)$", "/v1/$1", "/app", "/v1"],
    ["/app(/.*)?", "/v1$1", "/app", "/v1"],
    ["/app(.*)", "/$1", "/app", "/"],
    ["/(.*)", "/in/ner/$1", "/", "/in/ner"],
    [String.raw`/a\.b/c-d/(.*)`, "/$1", "/a.b/c-d", "/"],
  ])("%s to %s replaces the prefix %s by %s", (path, target, prefix, replacement) => {
    expect(judge(path, target)).toEqual({
      match: { type: "PathPrefix", value: prefix },
      change: { type: "ReplacePrefixMatch", replacePrefixMatch: replacement },
    });
  });

  it("without groups is the whole path", () => {
    expect(judge("/app", "/index.html")).toEqual({
      match: { type: "PathPrefix", value: "/app" },
      change: { type: "ReplaceFullPath", replaceFullPath: "/index.html" },
    });
    expect(judge("/a/[0-9]+", "/x")).toMatchObject({
      match: { type: "RegularExpression" },
      change: { replaceFullPath: "/x" },
    });
  });

  it.each([
    ["/a/([a-z]+)/([0-9]+)", "/$2/$1"],
    ["/app(/|$)(.*)", "/v1$2"],
    ["/app(/|$)(.*)", "/$1"],
    ["/app/(.*)", "/?page=$1"],
    ["/app/(.*)", "https://example.com/$1"],
    ["/app/(.*)", "/$host/$1"],
    ["/app", "/$1"],
    ["/app", "relative"],
  ])("%s to %s blocks what it takes", (path, target) => {
    expect(judge(path, target)).toHaveProperty("blocked");
  });
});

it("a refused rewrite-target names the path as it was written", () => {
  expect(judge("/a/([a-z]+)", "/x/$1")).toMatchObject({
    blocked: expect.stringContaining('rewrite-target "/x/$1" with path "/a/([a-z]+)"') as unknown,
  });
});

describe("use-regex", () => {
  const usesRegex = true;

  it("begins at the beginning, need not reach the end, and ignores case", () => {
    expect(judge("/a[0-9]", undefined, { usesRegex })).toEqual({
      match: { type: "RegularExpression", value: "(?i)(?:/a[0-9]).*" },
    });
  });

  it("leaves paths alone that are none", () => {
    expect(judge("/a.b", undefined, { usesRegex })).toEqual({ match: { type: "PathPrefix", value: "/a.b" } });
    expect(judge("/a[0-9]", undefined, { usesRegex, pathType: "Exact" })).toEqual({
      match: { type: "Exact", value: "/a[0-9]" },
    });
  });

  it.each(["/a(?=b)", String.raw`/(a)\1`, "/a(", "/a{2001}"])("refuses %s", (path) => {
    expect(judge(path, undefined, { usesRegex })).toHaveProperty("wrong");
  });
});

it("a path that is no path is refused", () => {
  expect(judge("/a%zz")).toHaveProperty("wrong");
  expect(judge("")).toEqual({ match: { type: "PathPrefix", value: "/" } });
});

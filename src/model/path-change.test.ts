import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changePath } from "./path-change.ts";

describe("replacing the matched prefix", () => {
  // The table in the API's comment on replacePrefixMatch, and what else may happen at the seam.
  it.each([
    ["/foo/bar", "/foo", "/xyz", "/xyz/bar"],
    ["/foo/bar", "/foo", "/xyz/", "/xyz/bar"],
    ["/foo/bar", "/foo/", "/xyz", "/xyz/bar"],
    ["/foo/bar", "/foo/", "/xyz/", "/xyz/bar"],
    ["/foo", "/foo", "/xyz", "/xyz"],
    ["/foo/", "/foo", "/xyz", "/xyz/"],
    ["/foo/bar", "/foo", "", "/bar"],
    ["/foo/", "/foo", "", "/"],
    ["/foo", "/foo", "", "/"],
    ["/foo/", "/foo", "/", "/"],
    ["/foo", "/foo", "/", "/"],
    ["/foo/bar", "/foo", "/", "/bar"],
    ["/foo", "/foo/", "/xyz", "/xyz"],
    ["/", "/", "/xyz", "/xyz/"],
    ["/bar", "/", "/xyz", "/xyz/bar"],
    ["/bar", "/", "/", "/bar"],
    ["/bar", "/", "", "/bar"],
    ["/", "/", "/", "/"],
    ["/", "/", "", "/"],
    ["/foo/bar/", "/foo", "/a/b", "/a/b/bar/"],
    ["/foo/bar", "/foo", "xyz", "/xyz/bar"],
    ["/foo", "/foo", "/xyz//", "/xyz"],
    ["/caf%c3%a9/x", "/caf%C3%A9", "/y", "/y/x"],
  ])("%s, %s by %j: %s", (path, prefix, value, changed) => {
    expect(changePath(path, { type: "prefix", prefix, value })).toBe(changed);
  });

  it("never leaves a double slash", () => {
    const segments = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 });
    const path = fc
      .tuple(segments, fc.boolean())
      .map(([names, slash]) => `/${names.join("/")}${slash && names.length > 0 ? "/" : ""}`);
    fc.assert(
      fc.property(path, segments, fc.boolean(), path, (prefix, rest, slash, value) => {
        const base = prefix === "/" ? "" : prefix.replace(/\/$/, "");
        const asked = `${base}/${rest.join("/")}${slash && rest.length > 0 ? "/" : ""}`;
        const changed = changePath(asked, { type: "prefix", prefix, value });
        expect(changed).toMatch(/^\//);
        expect(changed).not.toContain("//");
      }),
    );
  });
});

describe("replacing the full path", () => {
  it.each([
    ["/new", "/new"],
    ["new", "/new"],
    ["", "/"],
  ])("%j: %s", (value, changed) => {
    expect(changePath("/foo/bar", { type: "full", value })).toBe(changed);
  });
});

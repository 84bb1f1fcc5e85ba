import { describe, expect, it } from "vitest";
import {
  anyBlock,
  blockKey,
  judgeBlock,
  judgeIncludeBlock,
  mergeConditions,
  type Conditions,
} from "./conditions.ts";

const merged = (...all: Conditions) => {
  const result = mergeConditions(all);
  return "merged" in result ? result.merged : result.problem;
};
const pathOf = (...all: Conditions) => {
  const result = merged(...all);
  return "path" in result ? [result.path.type, result.path.value] : result.wrong;
};

describe("paths from the root to a route", () => {
  it.each<[Conditions, readonly [string, string]]>([
    [[], ["prefix", "/"]],
    [[{ prefix: "/" }], ["prefix", "/"]],
    [[{ prefix: "/a/" }], ["prefix", "/a"]],
    [
      [{ prefix: "/a" }, { prefix: "/b" }],
      ["prefix", "/a/b"],
    ],
    [
      [{ prefix: "/a/" }, { prefix: "/b" }],
      ["prefix", "/a/b"],
    ],
    [
      [{ prefix: "/a" }, { header: { name: "x", present: true } }],
      ["prefix", "/a"],
    ],
    [
      [{ prefix: "/a" }, { exact: "/b" }],
      ["exact", "/a/b"],
    ],
    [
      [{ exact: "/b" }, { header: { name: "x", present: true } }],
      ["exact", "/b"],
    ],
    [
      [{ prefix: "/a.b" }, { regex: "/[0-9]+" }],
      ["regex", "/a\\.b/[0-9]+"],
    ],
    [[{ prefix: "/%41" }], ["prefix", "/A"]],
  ])("%j", (conditions, expected) => {
    expect(pathOf(...conditions)).toEqual(expected);
  });

  it("that no request can have are told", () => {
    expect(pathOf({ prefix: "/a?b" })).toContain('no request can have the path "/a?b"');
    expect(pathOf({ prefix: "/a\\b" })).toContain("no request can have the path");
  });
});

describe("one block of conditions", () => {
  it.each<[Conditions, string]>([
    [[{ prefix: "a" }], 'prefix "a" must begin with /'],
    [[{ prefix: "/a" }, { prefix: "/b" }], "keep one"],
    [[{ prefix: "/a", exact: "/b" }], "keep one"],
    [[{ regex: "/(?=a)" }], 'regex "/(?=a)": '],
    [[{ header: { name: "x", present: true, exact: "a" } }], "only one of"],
    [[{ header: { name: "x y", present: true } }], "is not a name that a header can have"],
    [[{ header: { name: "x", exact: "a\nb" } }], "characters that no header can have"],
    [[{ header: { name: "X", exact: "a" } }, { header: { name: "x", exact: "b" } }], "two exact values"],
    [
      [{ header: { name: "x", present: true } }, { header: { name: "x", notpresent: true } }],
      "present and notpresent at once",
    ],
    [[{ header: { name: "x", exact: "a" } }, { header: { name: "x", notexact: "a" } }], "exact and notexact"],
    [[{ queryParameter: { name: "", present: true } }], "is not a name that a query parameter can have"],
    [[{ queryParameter: { name: "q", exact: "a", prefix: "b" } }], "only one of"],
  ])("%j is refused", (conditions, why) => {
    expect(judgeBlock(conditions)?.wrong).toContain(why);
  });

  it("is fine where it only seems to contradict itself", () => {
    expect(
      judgeBlock([{ header: { name: "x", contains: "a" } }, { header: { name: "x", notcontains: "b" } }]),
    ).toBeUndefined();
    expect(
      judgeBlock([{ header: { name: "x", exact: "a" } }, { header: { name: "y", exact: "b" } }]),
    ).toBeUndefined();
  });

  it("of an include has prefixes only", () => {
    expect(judgeIncludeBlock([{ exact: "/a" }])?.part).toBe("Path");
    expect(judgeIncludeBlock([{ regex: "/a" }])?.part).toBe("Path");
    expect(judgeIncludeBlock([{ prefix: "/a" }])).toBeUndefined();
  });
});

describe("two blocks ask for the same", () => {
  it("whatever the order and the spelling", () => {
    const header = { header: { name: "X-A", exact: "1" } };
    const query = { queryParameter: { name: "q", present: true } };
    expect(blockKey([{ prefix: "/a/" }, header, query])).toBe(
      blockKey([query, { prefix: "/a" }, { header: { name: "x-a", exact: "1" } }]),
    );
    expect(blockKey([{ prefix: "/" }])).toBe(anyBlock);
    expect(blockKey([{ prefix: "/a" }])).not.toBe(blockKey([{ prefix: "/b" }]));
  });
});

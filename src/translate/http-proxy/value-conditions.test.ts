import { describe, expect, it } from "vitest";
import { compileRegularExpression, type HeaderMatch, type ValueMatch } from "../../model/index.ts";
import type { HTTPProxyHeaderCondition, HTTPProxyQueryParameterCondition } from "../../resources/index.ts";
import { headerMatches, queryParameterMatches, type Judged } from "./value-conditions.ts";

function takes(judged: Judged<HeaderMatch | ValueMatch>, value: string | undefined): boolean {
  if (!("matches" in judged)) throw new Error(judged.wrong);
  return judged.matches.every((match) => {
    const { type, value: wanted } = match;
    const holds =
      value !== undefined && (type === "exact" ? value === wanted : compileRegularExpression(wanted)(value));
    return "invert" in match && match.invert ? !holds : holds;
  });
}

describe("a condition on a header", () => {
  it.each<
    [Omit<HTTPProxyHeaderCondition, "name">, readonly (string | undefined)[], readonly (string | undefined)[]]
  >([
    [{ present: true }, ["", "a"], [undefined]],
    [{ notpresent: true }, [undefined], ["", "a"]],
    [{ exact: "a" }, ["a"], ["A", "ab", undefined]],
    [{ exact: "a", ignoreCase: true }, ["a", "A"], ["ab", undefined]],
    [{ notexact: "a" }, ["b", ""], ["a", undefined]],
    [{ notexact: "a", treatMissingAsEmpty: true }, ["b", undefined], ["a"]],
    [{ contains: "a.b" }, ["xa.by"], ["xaxby", "A.B", undefined]],
    [{ contains: "a.b", ignoreCase: true }, ["xA.By"], ["ab"]],
    [{ notcontains: "a" }, ["b"], ["bab", undefined]],
    [{ notcontains: "a", treatMissingAsEmpty: true }, ["b", undefined], ["bab"]],
    [{ notexact: "a", ignoreCase: true }, ["b"], ["A", "a"]],
    [{ regex: "[0-9]+" }, ["12"], ["a12", undefined]],
  ])("%j", (condition, taken, left) => {
    const judged = headerMatches({ name: "X-A", ...condition });
    expect(taken.map((value) => takes(judged, value))).toEqual(taken.map(() => true));
    expect(left.map((value) => takes(judged, value))).toEqual(left.map(() => false));
  });
});

describe("a condition on a query parameter", () => {
  it.each<[Omit<HTTPProxyQueryParameterCondition, "name">, readonly string[], readonly string[]]>([
    [{ present: true }, ["", "a"], []],
    [{ exact: "a" }, ["a"], ["ab"]],
    [{ prefix: "a" }, ["ab"], ["ba"]],
    [{ suffix: "a", ignoreCase: true }, ["bA"], ["ab"]],
    [{ contains: "[a" }, ["x[ay"], ["a"]],
    [{ regex: "a|b" }, ["a", "b"], ["ab"]],
  ])("%j", (condition, taken, left) => {
    const judged = queryParameterMatches({ name: "q", ...condition });
    expect(taken.map((value) => takes(judged, value))).toEqual(taken.map(() => true));
    expect(left.map((value) => takes(judged, value))).toEqual(left.map(() => false));
  });
});

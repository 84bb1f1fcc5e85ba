import { describe, expect, it } from "vitest";
import {
  compileLabelSelector,
  judgeLabelKey,
  judgeLabelValue,
  type LabelSelector,
} from "./label-selector.ts";

function matches(selector: LabelSelector, labels: Record<string, string>): boolean {
  const compiled = compileLabelSelector(selector);
  if (compiled.outcome === "invalid") throw new Error(compiled.message);
  return compiled.matches(labels);
}
const expression = (operator: string, values?: string[]): LabelSelector => ({
  matchExpressions: [{ key: "env", operator, ...(values === undefined ? {} : { values }) }],
});

describe("a label selector", () => {
  it.each<[string, LabelSelector, Record<string, string>, boolean]>([
    ["nothing asked", {}, {}, true],
    ["nothing asked, labels there", { matchLabels: {}, matchExpressions: [] }, { env: "prod" }, true],
    ["equal label", { matchLabels: { env: "prod" } }, { env: "prod", more: "yes" }, true],
    ["other label", { matchLabels: { env: "prod" } }, { env: "test" }, false],
    ["missing label", { matchLabels: { env: "" } }, {}, false],
    ["empty label", { matchLabels: { env: "" } }, { env: "" }, true],
    ["In", expression("In", ["a", "b"]), { env: "b" }, true],
    ["In, other", expression("In", ["a", "b"]), { env: "c" }, false],
    ["In, missing", expression("In", ["a"]), {}, false],
    ["NotIn", expression("NotIn", ["a"]), { env: "b" }, true],
    ["NotIn, listed", expression("NotIn", ["a"]), { env: "a" }, false],
    ["NotIn, missing", expression("NotIn", ["a"]), {}, true],
    ["Exists", expression("Exists"), { env: "" }, true],
    ["Exists, missing", expression("Exists", []), {}, false],
    ["DoesNotExist", expression("DoesNotExist"), {}, true],
    ["DoesNotExist, there", expression("DoesNotExist"), { env: "a" }, false],
    ["all must hold", { matchLabels: { a: "b" }, ...expression("Exists") }, { a: "b" }, false],
    [
      "inherited names are no labels",
      { matchExpressions: [{ key: "constructor", operator: "Exists" }] },
      {},
      false,
    ],
  ])("%s", (_, selector, labels, expected) => {
    expect(matches(selector, labels)).toBe(expected);
  });

  it.each<[LabelSelector, string]>([
    [
      expression("Equals", ["a"]),
      'matchExpressions[0]: operator must be one of In, NotIn, Exists, DoesNotExist, not "Equals"',
    ],
    [expression("In"), "matchExpressions[0]: values must not be empty with operator In"],
    [expression("NotIn", []), "matchExpressions[0]: values must not be empty with operator NotIn"],
    [expression("Exists", ["a"]), "matchExpressions[0]: values must be empty with operator Exists"],
    [
      expression("DoesNotExist", ["a"]),
      "matchExpressions[0]: values must be empty with operator DoesNotExist",
    ],
  ])("%j is invalid", (selector, message) => {
    expect(compileLabelSelector(selector)).toEqual({ outcome: "invalid", message });
  });

  it.each<LabelSelector>([
    { matchLabels: { "-": "a" } },
    { matchLabels: { a: "b c" } },
    { matchExpressions: [{ key: "a/b/c", operator: "Exists" }] },
    expression("In", ["-"]),
  ])("%j has keys or values that no label can have", (selector) => {
    expect(compileLabelSelector(selector)).toMatchObject({
      outcome: "invalid",
      message: expect.stringContaining("is not a label"),
    });
  });
});

describe("labels", () => {
  it.each(["a", "A.b_c-1", "example.com/a", "a".repeat(63), `${"a".repeat(253)}/b`])("%s is a key", (key) => {
    expect(judgeLabelKey(key)).toBeUndefined();
  });

  it.each([
    "",
    "-a",
    "a-",
    "/a",
    "a/",
    "A.com/a",
    "a".repeat(64),
    `${"a".repeat(254)}/b`,
    "a/b/c",
    "__proto__",
  ])("%j is no key", (key) => {
    expect(judgeLabelKey(key)).toContain("is not a label key");
  });

  it("have values of a few characters", () => {
    expect(["", "a", "A.b_c-1", "a".repeat(63)].map(judgeLabelValue)).toEqual(Array(4).fill(undefined));
    expect(["-", "a b", "a".repeat(64), "ü"].every((value) => judgeLabelValue(value) !== undefined)).toBe(
      true,
    );
  });
});

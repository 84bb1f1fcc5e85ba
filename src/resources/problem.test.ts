import { expect, it } from "vitest";
import { formatPath } from "./problem.ts";

it.each([
  [[], ""],
  [["spec", "rules", 0, "matches", 1, "path", "value"], "spec.rules[0].matches[1].path.value"],
  [["metadata", "labels", "example.com/a"], 'metadata.labels["example.com/a"]'],
  [["__proto__"], "__proto__"],
  [["a\nb"], '["a\\nb"]'],
  [["x-y"], "x-y"],
])("formatPath(%j) is %s", (path, text) => {
  expect(formatPath(path)).toBe(text);
});

import { expect, it } from "vitest";
import { judgeChange } from "./changes.mjs";

it.each([
  ["wildcard-listeners.feature.md", "Listeners may have wildcard hostnames, e.g. `*.example.com`.\n"],
  [
    "412-drain.fix.md",
    "Connections are drained on reload. Set `drainTimeout` to change for how long (v1.6.3 default).\n",
  ],
])("accepts %s", (name, text) => {
  expect(judgeChange(name, text)).toBeUndefined();
});

it.each([
  ["Drain.fix.md", "Fine.", /the name is not/],
  ["drain.md", "Fine.", /the name is not/],
  ["drain.improvement.md", "Fine.", /the name is not/],
  ["drain.fix.md", "  \n", /says nothing/],
  ["drain.fix.md", "TBD", /says nothing/],
  ["drain.fix.md", "One. Two. Three.", /has 3 sentences/],
])("refuses %s with %j", (name, text, problem) => {
  expect(judgeChange(name, text)).toMatch(problem);
});

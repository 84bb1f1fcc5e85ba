import { dump } from "js-yaml";
import { expect, it } from "vitest";
import { judgeReport } from "./conformance-report.mjs";

const statistics = (Passed, Failed = 0, Skipped = 0) => ({ Passed, Failed, Skipped });
const profile = (core = {}, extended = {}) => ({
  name: "GATEWAY-TCP",
  core: { result: "success", statistics: statistics(5), ...core },
  extended: { result: "success", statistics: statistics(2), supportedFeatures: ["A", "B"], ...extended },
});
const judge = (...profiles) => judgeReport(dump({ profiles }), ["GATEWAY-TCP"]);

it("is content with everything passed and every feature claimed", () => {
  expect(judge(profile())).toEqual({
    lines: [
      "GATEWAY-TCP: core success: 5 passed, 0 failed, 0 skipped | extended success: 2 passed, 0 failed, 0 skipped, 2 features",
    ],
    isPassed: true,
    isComplete: true,
  });
});

it.each([
  [
    "a failed test",
    profile({ result: "failure", statistics: statistics(4, 1), failedTests: ["X"] }),
    "failed: X",
    false,
  ],
  [
    "a skipped test",
    profile({ result: "partial", statistics: statistics(4, 0, 1), skippedTests: ["X"] }),
    "skipped: X",
    false,
  ],
  ["a feature that is not claimed", profile({}, { unsupportedFeatures: ["C"] }), "not claimed: C", true],
])("is not content with %s", (_, given, words, passed) => {
  const { lines, isPassed, isComplete } = judge(given);
  expect({ isPassed, isComplete }).toEqual({ isPassed: passed, isComplete: false });
  expect(lines[0]).toContain(words);
});

it("misses a profile that was not run", () => {
  expect(judge()).toEqual({ lines: ["GATEWAY-TCP: not in the report"], isPassed: false, isComplete: false });
});

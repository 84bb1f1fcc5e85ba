import { describe, expect, it } from "vitest";
import {
  checkResult,
  hasFailures,
  joinResults,
  missingResult,
  renderStepLine,
  renderSummary,
  suiteResult,
} from "./test-summary.mjs";

const skip = (name) => ({ name, reason: "etcd is missing (needed for the lab); get it with: apt-get etcd" });

describe("summary", () => {
  it("adds up checks and suites in its last line", () => {
    const unit = suiteResult(
      "unit",
      { passed: 40, failures: ["a.test.ts > x"], skips: [skip("b > y")] },
      false,
    );
    const lines = renderSummary([checkResult("lint", true), checkResult("types", false), unit]).split("\n");
    expect(lines.at(-1)).toBe("41 passed, 2 failed, 1 skipped");
    expect(lines).toContain("  a.test.ts > x");
    expect(lines).toContain("  types");
  });

  it("says once what is missing, and every test that waits for it", () => {
    const suite = suiteResult("lab", { passed: 0, failures: [], skips: [skip("one"), skip("two")] }, true);
    expect(renderSummary([suite])).toBe(
      `Skipped: ${skip("").reason}\n  one\n  two\n\n0 passed, 0 failed, 2 skipped`,
    );
  });

  it("is one line where all is well", () => {
    expect(renderSummary([checkResult("lint", true)])).toBe("1 passed, 0 failed, 0 skipped");
  });
});

describe("suite results", () => {
  it("join those of its parts", () => {
    const parts = [
      suiteResult("lab", { passed: 3, failures: ["a > x"], skips: [] }, false),
      suiteResult("lab", { passed: 4, failures: [], skips: [skip("b > y")] }, true),
      suiteResult("lab", undefined, false),
    ];
    expect(joinResults("lab", parts)).toEqual({
      step: "lab",
      passed: 7,
      failures: ["a > x", "lab: the run itself failed"],
      skips: [skip("b > y")],
    });
  });

  it.each([
    ["a crash before the report", undefined, false],
    ["no report although the command succeeded", undefined, true],
    ["an unhandled error beside passing tests", { passed: 3, failures: [], skips: [] }, false],
  ])("count %s as one failure", (_, report, succeeded) => {
    expect(suiteResult("unit", report, succeeded).failures).toEqual(["unit: the run itself failed"]);
  });

  it("do not count a failed run twice", () => {
    const report = { passed: 3, failures: ["a > b"], skips: [] };
    expect(suiteResult("unit", report, false).failures).toEqual(["a > b"]);
  });
});

describe("a step without its components", () => {
  it("is skipped on a developer's machine", () => {
    const result = missingResult("crds", "go is missing", false);
    expect(hasFailures([result])).toBe(false);
    expect(renderStepLine(result, "0.0 s")).toMatch(/^SKIP {2}crds/);
  });

  it("fails where everything must be there", () => {
    expect(missingResult("crds", "go is missing", true).failures).toEqual(["crds: go is missing"]);
  });
});

describe("a step's line", () => {
  it("has counts for a suite and none for a check", () => {
    const unit = suiteResult("unit", { passed: 40, failures: [], skips: [] }, true);
    expect(renderStepLine(unit, "12.0 s")).toBe(
      "ok    unit           12.0 s  40 passed, 0 failed, 0 skipped",
    );
    expect(renderStepLine(checkResult("lint", false), "3.1 s")).toBe("FAIL  lint            3.1 s");
  });
});

import { describe, expect, it } from "vitest";
import { reportOf } from "./test-reporter.mjs";

function moduleWith({ errors = [], suites = [], tests = [] }) {
  const children = { allSuites: () => suites, allTests: () => tests };
  return { relativeModuleId: "a.test.ts", errors: () => errors, children };
}
const suiteWith = (errors) => ({ fullName: "suite", errors: () => errors });
const testWith = (state, { note, skipReason, parent } = {}) => ({
  fullName: state,
  parent,
  result: () => ({ state, note }),
  meta: () => ({ skipReason }),
});

describe("the report of a vitest run", () => {
  it("counts tests and keeps why they were skipped", () => {
    const tests = [
      testWith("passed"),
      testWith("failed"),
      testWith("skipped", { note: "no curl" }),
      testWith("skipped", { skipReason: "no etcd" }),
      testWith("skipped"),
    ];
    expect(reportOf([moduleWith({ tests })], [])).toEqual({
      passed: 1,
      failures: ["a.test.ts > failed"],
      skips: [
        { name: "a.test.ts > skipped", reason: "no curl" },
        { name: "a.test.ts > skipped", reason: "no etcd" },
        { name: "a.test.ts > skipped", reason: "no reason given" },
      ],
    });
  });

  it("counts a file that does not load", () => {
    expect(reportOf([moduleWith({ errors: [new Error("syntax")] })], []).failures).toEqual(["a.test.ts"]);
  });

  it("counts a failed hook once, not the tests it kept from running", () => {
    const suite = suiteWith([new Error("beforeAll")]);
    const report = reportOf(
      [moduleWith({ suites: [suite], tests: [testWith("skipped", { parent: suite })] })],
      [],
    );
    expect(report).toEqual({ passed: 0, failures: ["a.test.ts > suite"], skips: [] });
  });

  it("counts a test that never came to an end as failed", () => {
    expect(reportOf([moduleWith({ tests: [testWith("pending")] })], []).failures).toEqual([
      "a.test.ts > pending",
    ]);
  });

  it("counts unhandled errors", () => {
    expect(reportOf([], [new Error("lost")]).failures).toEqual(["unhandled errors: 1"]);
  });
});

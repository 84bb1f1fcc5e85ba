// A vitest reporter that writes what test-summary.mjs needs, to the file named by GATEWRIGHT_TEST_REPORT.

import { writeFileSync } from "node:fs";

export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const path = process.env.GATEWRIGHT_TEST_REPORT;
    if (path) writeFileSync(path, JSON.stringify(reportOf(modules, unhandledErrors)));
  }
}

/** Counts tests, and as failures also what is no test: a file that does not load, a hook that throws. */
export function reportOf(modules, unhandledErrors) {
  const report = { passed: 0, failures: [], skips: [] };
  for (const module of modules) {
    const file = module.relativeModuleId;
    const broken = new Set();
    if (module.errors().length > 0) report.failures.push(file);
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length === 0) continue;
      broken.add(suite);
      report.failures.push(`${file} > ${suite.fullName}`);
    }
    for (const test of module.children.allTests()) countTest(test, file, broken, report);
  }
  if (unhandledErrors.length > 0) report.failures.push(`unhandled errors: ${unhandledErrors.length}`);
  return report;
}

function countTest(test, file, broken, report) {
  const name = `${file} > ${test.fullName}`;
  const { state, note } = test.result();
  if (state === "passed") report.passed++;
  // A test which its suite's failed hook kept from running says nothing beyond that failure.
  else if (state === "skipped" && isInside(test, broken)) return;
  else if (state === "skipped") {
    report.skips.push({ name, reason: note ?? test.meta().skipReason ?? "no reason given" });
  } else report.failures.push(name);
}

function isInside(test, suites) {
  for (let parent = test.parent; parent !== undefined; parent = parent.parent) {
    if (suites.has(parent)) return true;
  }
  return false;
}

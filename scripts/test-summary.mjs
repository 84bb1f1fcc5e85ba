// From the results of steps to the last lines of `npm test`. Pure.
//
// A result is { step, passed, failures: [name], skips: [{ name, reason }] }; a check counts as one test.

/** Of a step that is one command. */
export function checkResult(step, succeeded) {
  return { step, passed: succeeded ? 1 : 0, failures: succeeded ? [] : [step], skips: [] };
}

/** Of a step whose components are missing: a skip, or a failure where everything must be there. */
export function missingResult(step, reason, mustHaveAll) {
  return mustHaveAll
    ? { step, passed: 0, failures: [`${step}: ${reason}`], skips: [] }
    : { step, passed: 0, failures: [], skips: [{ name: step, reason }] };
}

/**
 * Of a suite: what its reporter wrote (undefined if it never came that far) and whether its command succeeded.
 * A suite that failed without a failed test (a crash, an unhandled rejection, no tests at all) counts as one.
 */
export function suiteResult(step, report, succeeded) {
  const { passed = 0, failures = [], skips = [] } = report ?? {};
  const unexplained = failures.length === 0 && (!succeeded || report === undefined);
  return { step, passed, failures: unexplained ? [`${step}: the run itself failed`] : failures, skips };
}

/** Of a suite that ran in parts. */
export function joinResults(step, results) {
  return {
    step,
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    skips: results.flatMap(({ skips }) => skips),
  };
}

export function hasFailures(results) {
  return results.some(({ failures }) => failures.length > 0);
}

/** One step's line: "FAIL  unit  812 passed, 1 failed  12 s". */
export function renderStepLine({ step, passed, failures, skips }, time) {
  const verdict = failures.length > 0 ? "FAIL" : passed === 0 && skips.length > 0 ? "SKIP" : "ok";
  const counts =
    passed + failures.length + skips.length > 1 ? renderCounts(passed, failures.length, skips.length) : "";
  return `${verdict.padEnd(4)}  ${step.padEnd(13)} ${time.padStart(7)}  ${counts}`.trimEnd();
}

/** Failures, skips with what is missing, and as the very last line the counts. */
export function renderSummary(results) {
  const { passed, failures, skips } = joinResults("all", results);
  const lines = [];
  if (failures.length > 0) lines.push("Failed:", ...failures.map((name) => `  ${name}`), "");
  for (const [reason, names] of groupByReason(skips)) {
    lines.push(`Skipped: ${reason}`, ...names.map((name) => `  ${name}`), "");
  }
  lines.push(renderCounts(passed, failures.length, skips.length));
  return lines.join("\n");
}

function renderCounts(passed, failed, skipped) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function groupByReason(skips) {
  const groups = new Map();
  for (const { name, reason } of skips) groups.set(reason, [...(groups.get(reason) ?? []), name]);
  return groups;
}

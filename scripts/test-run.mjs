// What `npm test` does: packages, components, then every chosen step, whatever the one before it said.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { componentNamed, missingMessage, mustHaveAll } from "../test/components/components.mjs";
import { prepareComponents } from "../test/components/prepare.mjs";
import { insideLab, labObstacle } from "../test/lab/namespaces.mjs";
import { runCommand, seconds } from "./command.mjs";
import { installPackages } from "./packages.mjs";
import { chooseSteps } from "./test-steps.mjs";
import * as summary from "./test-summary.mjs";

/** Returns the exit code. */
export async function runTests(args) {
  const { chosen, quick, mistake } = chooseSteps(args);
  if (mistake) {
    console.error(mistake);
    return 2;
  }
  if (!(await installPackages())) {
    console.log(summary.renderSummary([summary.checkResult("npm ci", false)]));
    return 1;
  }
  const wanted = new Set(chosen.flatMap((step) => step.components ?? []));
  // The quick run fetches nothing: its tests make do with what is there.
  const missing = await prepareComponents([...wanted], { mayInstall: !quick });
  const results = [];
  for (const step of chosen) {
    const started = Date.now();
    const { result, output, interrupted } = await runStep(step, missing);
    if (interrupted) return 130;
    if (output && summary.hasFailures([result])) console.log(output.trimEnd());
    console.log(summary.renderStepLine(result, seconds(Date.now() - started)));
    results.push(result);
  }
  console.log(`\n${summary.renderSummary(results)}`);
  return summary.hasFailures(results) ? 1 : 0;
}

async function runStep(step, missing) {
  if (step.files) return runSuite(step);
  const lacking = (step.components ?? []).filter((name) => missing.includes(name));
  if (lacking.length > 0) {
    const reason = lacking.map((name) => missingMessage(componentNamed(name))).join("; ");
    return { result: summary.missingResult(step.name, reason, mustHaveAll()) };
  }
  const obstacle = step.needsLab && labObstacle();
  if (obstacle)
    return { result: summary.missingResult(step.name, `no lab here: ${obstacle}`, mustHaveAll()) };
  const [command, ...args] = step.command;
  const { code, output, timedOut, interrupted } = await runCommand(command, args, {
    timeout: timeoutOf(step),
    // What takes long shows how far it is.
    show: step.needsLab === true,
    disposable: step.needsLab === true,
  });
  const said = timedOut ? `${output}\n${endedMessage(step)}` : output;
  return { result: summary.checkResult(step.name, code === 0), output: said, interrupted };
}

// A suite's tests say themselves what they lack (test/components/need.ts), so that the others still run.
async function runSuite(step) {
  // Where there can be no lab, its tests say so.
  const labs = labObstacle() ? 0 : (step.labs ?? 0);
  const parts = Array.from({ length: Math.max(1, labs) }, (_, part) => ({ part, of: labs }));
  const runs = await Promise.all(parts.map((part) => runPart(step, part)));
  return {
    result: summary.joinResults(
      step.name,
      runs.map(({ result }) => result),
    ),
    output: runs.map(({ output }) => output).join(""),
    interrupted: runs.some(({ interrupted }) => interrupted),
  };
}

/** All of a suite, or one of the parts `of` which each has a lab of its own. */
async function runPart(step, { part, of }) {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-test-"));
  const reportFile = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=./scripts/test-reporter.mjs"];
  const vitest = ["vitest", "run", "--project", step.name, ...reporters];
  const share = ["--no-file-parallelism", `--shard=${part + 1}/${of}`];
  const lab = of > 0 ? insideLab([...vitest, ...share]) : undefined;
  const [command, ...args] = lab?.command ?? vitest;
  try {
    const { code, timedOut, interrupted } = await runCommand(command, args, {
      env: { GATEWRIGHT_TEST_REPORT: reportFile },
      show: true,
      timeout: timeoutOf(step),
      // A lab leaves nothing behind however it ends: Ctrl-C need not wait for the test that runs.
      disposable: lab !== undefined,
    });
    const result = summary.suiteResult(step.name, readReport(reportFile), code === 0);
    return { result, output: timedOut ? endedMessage(step) : "", interrupted };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    lab?.clean();
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function timeoutOf({ minutes = 5 }) {
  return minutes * 60_000;
}

function endedMessage(step) {
  return `${step.name} was ended after ${timeoutOf(step) / 60_000} minutes.`;
}

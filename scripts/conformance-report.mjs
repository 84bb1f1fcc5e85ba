// What an official conformance report says. A suite that passes may have skipped tests, or run none of a feature that
// nobody claimed: both count here. A report tells only of tests of profiles; of the others, the suite's output does.

import { load } from "js-yaml";

/**
 * `isPassed`: every profile, core and extended, passed with no test failed or skipped. `isComplete`: and no feature is unsupported.
 */
export function judgeReport(text, wanted) {
  const report = load(text);
  const profiles = new Map((report.profiles ?? []).map((profile) => [profile.name, profile]));
  const lines = [];
  let isPassed = true;
  let isComplete = true;
  for (const name of wanted) {
    const profile = profiles.get(name);
    if (!profile) {
      lines.push(`${name}: not in the report`);
      isPassed = false;
      continue;
    }
    const parts = [
      ["core", profile.core],
      ["extended", profile.extended],
    ].filter(([, part]) => part);
    const said = parts.map(([level, part]) => {
      const { Passed = 0, Failed = 0, Skipped = 0 } = part.statistics ?? {};
      const trouble = [
        ...list("failed", part.failedTests),
        ...list("skipped", part.skippedTests),
        ...list("not claimed", part.unsupportedFeatures),
      ];
      if (part.result !== "success" || Failed > 0 || Skipped > 0) isPassed = false;
      if (trouble.length > 0) isComplete = false;
      const features = part.supportedFeatures ? `, ${part.supportedFeatures.length} features` : "";
      return [
        `${level} ${part.result}: ${Passed} passed, ${Failed} failed, ${Skipped} skipped${features}`,
        ...trouble,
      ].join("; ");
    });
    lines.push(`${name}: ${said.join(" | ")}`);
  }
  return { lines, isPassed, isComplete: isPassed && isComplete };
}

/** What the suite's output says of its tests, line by line. */
export class SuiteTests {
  /** By name: `verdict`, the `features` that it relies on, and the one that was `missing`. */
  #tests = new Map();

  /** The verdict that this line tells, with the name of the test, if it does. */
  hear(line) {
    const [, runs, features] = /Running (\S+), relying on the following features: (.+)$/.exec(line) ?? [];
    // Each with its channel: "GRPCRoute-standard".
    if (runs) this.#note(runs, { features: features.split(", ").map((one) => one.replace(/-\w+$/, "")) });
    const [, skipped, missing] = /Skipping (\S+): suite does not support (\S+)/.exec(line) ?? [];
    if (skipped) this.#note(skipped, { missing });
    // Of the tests themselves, not of their parts.
    const [, verdict, name] = /^ {4}--- (PASS|FAIL|SKIP): TestGatewayAPI\/(\S+)/.exec(line) ?? [];
    if (!verdict) return undefined;
    this.#note(name, { verdict });
    return { verdict, name };
  }

  count(verdict) {
    return this.all().filter((test) => test.verdict === verdict).length;
  }

  all() {
    return [...this.#tests.values()];
  }

  #note(name, facts) {
    this.#tests.set(name, { name, features: [], ...this.#tests.get(name), ...facts });
  }
}

/**
 * Whether every test of a gateway has run, and at least one for each feature that is claimed. The suite has no tests for some features
 * of profiles; those are the report's to tell.
 */
export function judgeTests(tests, { claimed, report }) {
  const ofGateways = tests.filter(({ missing }) => missing !== "Mesh");
  const notRun = ofGateways.filter(({ verdict }) => verdict !== "PASS" && verdict !== "FAIL");
  const seen = new Set([
    ...tests.filter(({ verdict }) => verdict === "PASS").flatMap(({ features }) => features),
    ...(load(report).profiles ?? []).flatMap(({ extended }) => extended?.supportedFeatures ?? []),
  ]);
  const trouble = [
    ...list(
      "not run",
      notRun.map(({ name, missing }) => (missing ? `${name} (${missing} is not claimed)` : name)),
    ),
    ...list(
      "claimed, and no test has passed",
      claimed.filter((feature) => !seen.has(feature)),
    ),
  ];
  const ran = `tests of gateways: ${ofGateways.length - notRun.length} of ${ofGateways.length} have run`;
  return { lines: [[ran, ...trouble].join("; ")], isComplete: ofGateways.length > 0 && trouble.length === 0 };
}

function list(word, names = []) {
  return names.length > 0 ? [`${word}: ${names.join(", ")}`] : [];
}

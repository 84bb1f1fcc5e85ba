// What an official conformance report says. A suite that passes may have skipped tests, or run none of a feature that
// nobody claimed: both count here.

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

function list(word, names = []) {
  return names.length > 0 ? [`${word}: ${names.join(", ")}`] : [];
}

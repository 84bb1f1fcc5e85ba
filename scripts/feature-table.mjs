// Writes into README.md, between its markers, which features of the Gateway API each driver states to have. With --check
// it only compares. What the drivers state is read from the built program, so build first.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "./command.mjs";
import { renderMarkdownTable, replaceBetween } from "./markdown.mjs";

const markers = ["<!-- feature-table:start -->", "<!-- feature-table:end -->"];

/** `features`: the model's list of definitions. `drivers`: name → set of the names that it states. */
export function renderFeatures(features, drivers) {
  const names = [...drivers.keys()];
  const areas = [...new Set(features.map(({ area }) => area))];
  const share = (part, driver) => {
    const has = part.filter(({ name }) => drivers.get(driver).has(name)).length;
    return has === part.length ? `all ${has}` : `${has} of ${part.length}`;
  };
  const summary = areas.map((area) => {
    const part = features.filter((feature) => feature.area === area);
    return [area, ...names.map((driver) => share(part, driver))];
  });
  const details = features.map(({ area, name, level }) => [
    area,
    name,
    level,
    ...names.map((driver) => (drivers.get(driver).has(name) ? "✓" : "")),
  ]);
  return [
    renderMarkdownTable([["", ...names], ...summary]),
    "<details><summary>Each feature by the name that the API gives it</summary>",
    renderMarkdownTable([["", "feature", "support level", ...names], ...details]),
    "</details>",
  ].join("\n\n");
}

export function withFeatures(document, rendered) {
  return replaceBetween(document, markers, rendered);
}

async function main(checkOnly) {
  const built = join(projectFolder, "dist", "controller", "driver-features.js");
  if (!existsSync(built)) {
    console.error("dist/ is not built: npm run build");
    return 1;
  }
  const { driverFeatures } = await import(pathToFileURL(built));
  const { features } = await import(pathToFileURL(join(projectFolder, "dist", "model", "index.js")));
  const path = join(projectFolder, "README.md");
  const document = readFileSync(path, "utf8");
  const updated = withFeatures(document, renderFeatures(features, new Map(Object.entries(driverFeatures))));
  if (updated === undefined) {
    console.error(`README.md has no place for the feature table: add ${markers.join(" and ")}.`);
    return 1;
  }
  if (updated === document) return 0;
  if (checkOnly) {
    console.error("The feature table in README.md is stale: run node scripts/feature-table.mjs.");
    return 1;
  }
  writeFileSync(path, updated);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.includes("--check"));
}

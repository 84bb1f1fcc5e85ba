// Writes the table of who may import whom (import-table.json, which .dependency-cruiser.cjs enforces) into
// docs/architecture.md, between its markers. With --check it only compares.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "./command.mjs";
import { renderMarkdownTable, replaceBetween } from "./markdown.mjs";

const start = "<!-- import-table:start -->";
const end = "<!-- import-table:end -->";

export function renderTable(table) {
  const rows = Object.entries(table).map(([name, { holds, mayImport, mayImportTypesOf = [] }]) => {
    const types = mayImportTypesOf.length > 0 ? [`the types of ${mayImportTypesOf.join(", ")}`] : [];
    const place = name.includes(".") ? name : `${name}/`;
    return [`\`${place}\``, holds, [...mayImport, ...types].join(", ") || "nothing"];
  });
  return renderMarkdownTable([["`src/…`", "what lives there", "may import"], ...rows]);
}

/** The document with the table between the markers, or undefined if it has no markers. */
export function withTable(document, rendered) {
  return replaceBetween(document, [start, end], rendered);
}

function main(checkOnly) {
  const path = join(projectFolder, "docs", "architecture.md");
  if (!existsSync(path)) return 0;
  const table = JSON.parse(readFileSync(new URL("import-table.json", import.meta.url), "utf8"));
  const document = readFileSync(path, "utf8");
  const updated = withTable(document, renderTable(table));
  if (updated === undefined) {
    console.error(`docs/architecture.md has no place for the import table: add ${start} and ${end}.`);
    return 1;
  }
  if (updated === document) return 0;
  if (checkOnly) {
    console.error("The import table in docs/architecture.md is stale: run node scripts/import-table.mjs.");
    return 1;
  }
  writeFileSync(path, updated);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = main(process.argv.includes("--check"));
}

// Writes the table of what the controller may do (charts/gatewright/files/permissions.yaml, of which the chart's roles are made) into
// docs/kubernetes.md, between its markers. With --check it only compares.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "js-yaml";
import { projectFolder } from "./command.mjs";
import { renderMarkdownTable, replaceBetween } from "./markdown.mjs";

const markers = ["<!-- permissions:start -->", "<!-- permissions:end -->"];
const scopes = {
  cluster: "cluster",
  namespaced: "every namespace, or `watchNamespaces`",
  clusterEvents: "`default`, with `watchNamespaces`",
  own: "its own namespace",
};

export function renderTable(permissions) {
  const rows = Object.entries(scopes).flatMap(([scope, where]) =>
    permissions[scope].map(({ why, apiGroups, resources, resourceNames, verbs }) => [
      where,
      apiGroups.map((group) => (group === "" ? "core" : group)).join(", "),
      `${resources.join(", ")}${resourceNames ? ` named ${resourceNames.join(", ")}` : ""}`,
      verbs.join(", "),
      why,
    ]),
  );
  return renderMarkdownTable([["where", "group", "resources", "verbs", "why"], ...rows]);
}

function main(checkOnly) {
  const path = join(projectFolder, "docs", "kubernetes.md");
  const file = join(projectFolder, "charts", "gatewright", "files", "permissions.yaml");
  const document = readFileSync(path, "utf8");
  const updated = replaceBetween(document, markers, renderTable(load(readFileSync(file, "utf8"))));
  if (updated === document) return 0;
  if (checkOnly || updated === undefined) {
    console.error("The permissions in docs/kubernetes.md are stale: run node scripts/permissions-table.mjs.");
    return 1;
  }
  writeFileSync(path, updated);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = main(process.argv.includes("--check"));
}

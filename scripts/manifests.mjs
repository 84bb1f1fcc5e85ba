// Writes deploy/gatewright.yaml, the chart with its default values for those who do without Helm. With --check it only compares.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { componentNamed, missingMessage } from "../test/components/components.mjs";
import { projectFolder, runCommand } from "./command.mjs";

const namespace = "gatewright-system";
const target = join(projectFolder, "deploy", "gatewright.yaml");
const opening = `# Made by scripts/manifests.mjs from charts/gatewright; do not edit.
apiVersion: v1
kind: Namespace
metadata:
  name: ${namespace}
  labels:
    pod-security.kubernetes.io/enforce: restricted
`;

/** What `helm template` makes of the chart. `args` as for Helm. */
export async function renderChart(helm, args = []) {
  const chart = join(projectFolder, "charts", "gatewright");
  const fixed = ["template", "gatewright", chart, "--namespace", namespace];
  const { code, output } = await runCommand(helm, [...fixed, ...args]);
  if (code !== 0) throw new Error(output);
  return output;
}

/** The chart's objects without Helm's marks, which mean nothing to whoever applies them with kubectl. */
export function renderManifests(rendered) {
  const plain = rendered
    .replaceAll("app.kubernetes.io/managed-by: Helm", "app.kubernetes.io/managed-by: kubectl")
    .replace(/^\s*helm\.sh\/chart: .*\n/gm, "")
    .replace(/^# Source: .*\n/gm, "")
    .replace(/\n+---\n/g, "\n---\n")
    .trim();
  return `${opening}${plain.startsWith("---") ? "" : "---\n"}${plain}\n`;
}

async function main(checkOnly) {
  const component = componentNamed("helm");
  const helm = component.find();
  if (!helm) {
    console.error(missingMessage(component));
    return 1;
  }
  const text = renderManifests(await renderChart(helm, ["--include-crds"]));
  if (!checkOnly) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return 0;
  }
  if (existsSync(target) && readFileSync(target, "utf8") === text) return 0;
  console.error(
    "deploy/gatewright.yaml is not what the chart gives; write it with: node scripts/manifests.mjs",
  );
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.includes("--check"));
}

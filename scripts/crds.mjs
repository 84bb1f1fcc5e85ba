// Writes the CustomResourceDefinitions of our own kinds into charts/gatewright/crds/, one file per kind, from the schemas
// by which objects are read. With --check it only compares. The schemas are read from the built program, so build first.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format, resolveConfig } from "prettier";
import { stringify } from "yaml";
import { projectFolder } from "./command.mjs";

const folder = join(projectFolder, "charts", "gatewright", "crds");
const opening = "# Made by scripts/crds.mjs from the schemas in src/resources; do not edit.\n";

/** `resources`: what src/resources exports. Name of the file → its text. */
export async function renderCrds({ customResourceDefinition, kinds, ownGroup, platformKind, dnsRecordKind }) {
  const files = new Map();
  for (const definition of [...kinds.values(), platformKind, dnsRecordKind]) {
    if (definition.group !== ownGroup) continue;
    const path = join(folder, `${definition.plural}.yaml`);
    const text = opening + stringify(customResourceDefinition(definition), { aliasDuplicateObjects: false });
    const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path });
    files.set(`${definition.plural}.yaml`, formatted);
  }
  return files;
}

/** The names of files in `there` that are not as in `wanted`, and of those that should not be there. */
export function staleFiles(wanted, there) {
  const names = [...new Set([...wanted.keys(), ...there.keys()])];
  return names.filter((name) => wanted.get(name) !== there.get(name));
}

/** Only what this program has made: others may have files of their own in the folder. */
function readMade() {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".yaml")) : [];
  const texts = names.map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  return new Map(texts.filter(([, text]) => text.startsWith(opening)));
}

async function main(checkOnly) {
  const built = join(projectFolder, "dist", "resources", "index.js");
  if (!existsSync(built)) {
    console.error("dist/ is not built: npm run build");
    return 1;
  }
  const wanted = await renderCrds(await import(pathToFileURL(built)));
  const stale = staleFiles(wanted, readMade());
  if (checkOnly) {
    for (const name of stale) {
      console.error(`charts/gatewright/crds/${name} is stale: run node scripts/crds.mjs.`);
    }
    return stale.length > 0 ? 1 : 0;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of stale) {
    if (wanted.has(name)) writeFileSync(join(folder, name), wanted.get(name));
    else rmSync(join(folder, name));
  }
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.includes("--check"));
}

// npm packages: there, and those which the lockfile names?

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder, runNpm, seconds } from "./command.mjs";

/** Installs with `npm ci` if something is missing or of another version. Returns whether all is there. */
export async function installPackages() {
  const wanted = readLock("package-lock.json");
  if (packagesMissing(wanted, readLock("node_modules/.package-lock.json")).length === 0) return true;
  process.stdout.write("Installing npm packages (npm ci) ... ");
  const started = Date.now();
  // Development packages hold the compiler: needed even where NODE_ENV or npm's settings leave them out.
  const { code, output } = await runNpm(["ci", "--include=dev", "--no-audit", "--no-fund"]);
  console.log(code === 0 ? seconds(Date.now() - started) : "failed");
  if (code !== 0) console.error(output);
  return code === 0;
}

/**
 * The names of packages that the lockfile wants and `installed` (npm's record of what it has put into
 * node_modules) lacks or has in another version. Compares contents, not times: a checkout changes those.
 * Packages that others have as optional ones are made for one platform each, so most of them are rightly absent; our own are
 * the SDKs of clouds, which whoever installs us may leave out, but not who tests us.
 */
export function packagesMissing(wanted, installed) {
  const there = new Map(Object.entries(installed?.packages ?? {}));
  const { optionalDependencies = {} } = wanted?.packages[""] ?? {};
  const ours = new Set(Object.keys(optionalDependencies).map((name) => `node_modules/${name}`));
  return Object.entries(wanted?.packages ?? {})
    .filter(([name, entry]) => name !== "" && !entry.link)
    .filter(([name, entry]) => ours.has(name) || (!entry.optional && !entry.devOptional))
    .filter(([name, entry]) => there.get(name)?.version !== entry.version)
    .map(([name]) => name.replace(/^node_modules\//, ""));
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(projectFolder, path), "utf8"));
  } catch {
    return undefined;
  }
}

// src/ → dist/, only if something changed since the last build.
//
// The compiler writes into a folder beside dist/, which then takes dist's place: what has no source any more
// is gone, and a failed build leaves the last good one where it is. A stamp in dist/ holds the fingerprint
// (path, size, time) of everything that was read, so a build with nothing to do takes milliseconds.

import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleProgram } from "./bundle.mjs";
import { projectFolder, runCommand, seconds } from "./command.mjs";
import { writeCrdBundle } from "./crd-bundle.mjs";
import { findGatewayApi } from "./gateway-api.mjs";

const at = (...parts) => join(projectFolder, ...parts);
const output = at("dist");
const stamp = at("dist", ".stamp");

/** Returns whether dist/ is up to date at the end. */
export async function build() {
  const sources = filesUnder(at("src")).filter((path) => !path.endsWith(".test.ts"));
  const gatewayApi = findGatewayApi();
  const fingerprint = fingerprintOf([
    ...sources,
    at("tsconfig.json"),
    at("tsconfig.build.json"),
    at("package-lock.json"),
    at("scripts", "bundle.mjs"),
    at("scripts", "crd-bundle.mjs"),
    ...(gatewayApi ? [join(gatewayApi, "go.mod")] : []),
  ]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return true;

  const started = Date.now();
  process.stdout.write("Building ... ");
  // Beside dist/, at the same depth: source maps hold relative paths.
  const fresh = at(`dist.${process.pid}.new`);
  const stale = at(`dist.${process.pid}.old`);
  try {
    const compiler = at("node_modules", "typescript", "bin", "tsc");
    const result = await runCommand(process.execPath, [
      compiler,
      "-p",
      "tsconfig.build.json",
      "--outDir",
      fresh,
    ]);
    if (result.code !== 0) {
      console.log("failed");
      console.error(result.output);
      return false;
    }
    await bundleProgram(fresh);
    console.log(seconds(Date.now() - started));
    copyAssets(sources, fresh);
    if (!writeCrdBundle(fresh)) {
      console.log(
        "Without the Gateway API's CRDs: its Go module is not here. gatewright operator needs them.",
      );
    }
    const program = join(fresh, "cli", "main.js");
    if (existsSync(program)) chmodSync(program, 0o755);
    writeFileSync(join(fresh, ".stamp"), fingerprint);
    if (existsSync(output)) renameSync(output, stale);
    renameSync(fresh, output);
    return true;
  } finally {
    for (const folder of [fresh, stale]) rmSync(folder, { recursive: true, force: true });
  }
}

/** What the compiler leaves out but the program reads: pages, schemas, protocol definitions. */
function copyAssets(sources, folder) {
  for (const source of sources.filter((path) => !/[.](ts|md)$/.test(path))) {
    const target = join(folder, relative(at("src"), source));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
  }
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function fingerprintOf(paths) {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`\n${relative(projectFolder, path)} ${size} ${mtimeMs}`);
  }
  return hash.digest("hex");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await build()) ? 0 : 1;
}

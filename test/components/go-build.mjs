// Programs built from Go modules, once, into our cache.
//
// A build needs a module of its own around the one that it comes from: a go.mod which is made here from what
// the module says of itself, in a folder that is gone afterwards. The finished program gets its place in
// the cache by a rename, so what is there is whole; a lock lets the second of two runs wait for the first.

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { runCommand, seconds } from "../../scripts/command.mjs";
import { withLock } from "./lock.mjs";
import { cacheFolder, executable } from "../../scripts/search.mjs";

const patience = 45 * 60_000;
const progressEvery = 15_000;

/**
 * The `find` and `install` of a component that is built:
 *   name, module, version   what to build, from where
 *   package                 the main package in the module; or
 *   sources                 a folder with Go files of ours that use the module (`*_test.go`: a test program)
 *   values                  { "path/to/package.variable": "text" } to set in the program
 *   localReplaces           version => the version of the modules that it replaces by folders of its repository
 */
export function goBuild(recipe, findGo) {
  const home = () => join(cacheFolder(), "go", folderName(recipe));
  const path = () => join(home(), recipe.name);
  const target = recipe.package ?? recipe.module;
  return {
    find: () => executable(path()),
    install: {
      command: `npm test (builds it with: go build ${target}@${recipe.version})`,
      obstacle: () => (findGo() ? undefined : "go is not here"),
      run: (say = console.log) =>
        withLock(`${home()}.lock`, () =>
          executable(path()) ? undefined : build(recipe, findGo(), home(), say),
        ),
    },
  };
}

// The same version built in another way is another program.
function folderName(recipe) {
  const sources = recipe.sources
    ? readdirSync(recipe.sources).map((file) => readFileSync(join(recipe.sources, file), "utf8"))
    : [];
  const parts = JSON.stringify([recipe.package, recipe.values, sources]);
  return `${recipe.name}-${recipe.version}-${createHash("sha256").update(parts).digest("hex").slice(0, 8)}`;
}

async function build(recipe, go, home, say) {
  const folder = join(cacheFolder(), "go", `.${recipe.name}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const run = (args, options) =>
      runCommand(go, ["-C", folder, ...args], {
        timeout: patience,
        env: { GOWORK: "off", GOFLAGS: "-mod=mod -buildvcs=false", CGO_ENABLED: "0" },
        ...options,
      });
    const described = await run(["mod", "download", "-json", `${recipe.module}@${recipe.version}`]);
    if (described.code !== 0) return lastLines(described.output);
    const { GoMod: file } = JSON.parse(/^\{$.*?^\}$/ms.exec(described.output)[0]);
    writeFileSync(join(folder, "go.mod"), renderGoMod(recipe, readFileSync(file, "utf8")));

    const files = recipe.sources ? readdirSync(recipe.sources) : [];
    for (const name of files) copyFileSync(join(recipe.sources, name), join(folder, name));
    const isTest = files.some((name) => name.endsWith("_test.go"));
    const output = join(folder, "bin", recipe.name);
    const progress = countLines(recipe.name, say);
    const { code, output: said } = await run(
      [
        ...(isTest ? ["test", "-c"] : ["build"]),
        "-v",
        "-trimpath",
        `-ldflags=${linkerFlags(recipe.values)}`,
        "-o",
        output,
        recipe.package ?? ".",
      ],
      { heard: progress.heard },
    );
    progress.stop();
    if (code !== 0 || !existsSync(output)) return lastLines(said);
    rmSync(home, { recursive: true, force: true });
    renameSync(join(folder, "bin"), home);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A module that needs only `recipe.module`; `original` is that module's own go.mod. */
export function renderGoMod({ name, module, version, localReplaces }, original) {
  const goLine = /^go\s+\S+$/m.exec(original)?.[0] ?? "go 1.26.0";
  // A replacement by a folder of the same repository says nothing to others; they want the published module.
  const replaces = [...original.matchAll(/^\s*(?:replace\s+)?(\S+)\s+=>\s+[.]\S*$/gm)]
    .filter(() => localReplaces)
    .map(([, replaced]) => `replace ${replaced} => ${replaced} ${localReplaces(version)}`);
  return [`module gatewright.test/${name}`, goLine, `require ${module} ${version}`, ...replaces, ""].join(
    "\n",
  );
}

function linkerFlags(values = {}) {
  return ["-s", "-w", ...Object.entries(values).map(([variable, text]) => `-X ${variable}=${text}`)].join(
    " ",
  );
}

// `go build -v` names each package that it compiles: a line of ours every now and then is progress enough.
function countLines(name, say) {
  const started = Date.now();
  let lines = 0;
  const timer = setInterval(
    () => say(`  ${basename(name)}: ${lines} packages, ${seconds(Date.now() - started)}`),
    progressEvery,
  );
  return { heard: (text) => (lines += text.split("\n").length - 1), stop: () => clearInterval(timer) };
}

function lastLines(output) {
  return output.trim().split("\n").slice(-8).join("\n");
}

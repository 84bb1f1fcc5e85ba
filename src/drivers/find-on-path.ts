import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

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

export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

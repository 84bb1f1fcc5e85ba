import { readFile } from "node:fs/promises";
import { loadAll } from "js-yaml";
import type { KubernetesObject } from "../kubernetes/index.ts";
import { EnvironmentError } from "./environment-error.ts";

/** All objects in files of YAML, whatever their kind. */
export async function readObjects(files: readonly string[]): Promise<readonly KubernetesObject[]> {
  const texts = await Promise.all(
    files.map(async (file) => {
      try {
        return loadAll(await readFile(file, "utf8"));
      } catch (cause) {
        throw new EnvironmentError("GATEWRIGHT_FILE_UNREADABLE", `${file}: ${(cause as Error).message}`, {
          cause,
        });
      }
    }),
  );
  const isObject = (value: unknown): value is KubernetesObject =>
    typeof (value as Partial<KubernetesObject> | null)?.metadata?.name === "string";
  return texts.flat().filter(isObject);
}

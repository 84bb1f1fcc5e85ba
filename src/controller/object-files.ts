import { readFile } from "node:fs/promises";
import { loadAll, YAMLException } from "js-yaml";
import type { KubernetesObject } from "../kubernetes/index.ts";
import { EnvironmentError } from "./environment-error.ts";

/** All objects in files of YAML, whatever their kind. */
export async function readObjects(files: readonly string[]): Promise<readonly KubernetesObject[]> {
  const texts = await Promise.all(
    files.map(async (file) => {
      try {
        return loadAll(await readFile(file, "utf8"));
      } catch (cause) {
        if (cause instanceof YAMLException) throw malformed(file, cause);
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

/** Without the reader's own words and the error as a cause: both repeat lines of the file, which may be those of a Secret. */
function malformed(file: string, { mark }: YAMLException): EnvironmentError {
  const at = mark ? `:${mark.line + 1}:${mark.column + 1}` : "";
  return new EnvironmentError("GATEWRIGHT_FILE_UNREADABLE", `${file}${at}: is not valid YAML`);
}

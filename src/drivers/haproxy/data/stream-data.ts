/* Where connections go, as the Lua side reads it (lua/gatewright/streams.lua). */
import type { WeightedBackend } from "../../../model/index.ts";
import { variantName, type BackendVariant } from "../backend-variant.ts";
import { DataFiles } from "./data-files.ts";

export interface StreamData {
  readonly hash: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly variants: readonly BackendVariant[];
}

export function streamData(backends: readonly WeightedBackend[]): StreamData {
  const files = new DataFiles();
  const variants: BackendVariant[] = [];
  const hash = files.add({
    backends: backends
      .filter(({ weight }) => weight > 0)
      .map(({ weight, target }) => {
        if (target.type === "error") return { weight };
        const variant: BackendVariant = { backend: target.backend, mode: "tcp" };
        variants.push(variant);
        return { weight, backend: variantName(variant) };
      }),
  });
  return { hash, files: files.files, variants };
}

/** Connections that go to a section of our own. */
export function sectionData(section: string): StreamData {
  const files = new DataFiles();
  const hash = files.add({ backends: [{ weight: 1, backend: section }] });
  return { hash, files: files.files, variants: [] };
}

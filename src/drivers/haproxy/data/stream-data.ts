/* Where connections go, as the Lua side reads it (lua/gatewright/streams.lua). */
import type { WeightedBackend } from "../../../model/index.ts";
import { variantName, type BackendVariant } from "../backend-variant.ts";
import type { Needs } from "./action-data.ts";
import { DataFiles } from "./data-files.ts";

export interface StreamData {
  readonly hash: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly needs: Needs;
}

export function streamData(backends: readonly WeightedBackend[]): StreamData {
  const files = new DataFiles();
  const needs: Needs = { variants: [], retries: [], sessions: [] };
  const hash = files.add({
    backends: backends
      .filter(({ weight }) => weight > 0)
      .map(({ weight, target }) => {
        if (target.type === "error") return { weight };
        const variant: BackendVariant = { backend: target.backend, mode: "tcp" };
        needs.variants.push(variant);
        return { weight, backend: variantName(variant) };
      }),
  });
  return { hash, files: files.files, needs };
}

/** Connections that go to a section of our own. */
export function sectionData(section: string): StreamData {
  const files = new DataFiles();
  const hash = files.add({ backends: [{ weight: 1, backend: section }] });
  return { hash, files: files.files, needs: { variants: [], retries: [], sessions: [] } };
}

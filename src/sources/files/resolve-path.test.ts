import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { resolvePath } from "./resolve-path.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "gatewright-resolve-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("a link", () => {
  it("to something that does not exist is missing", () => {
    const link = join(folder(), "link.yaml");
    symlinkSync("nowhere", link);
    expect(resolvePath(link, () => undefined)).toEqual({ outcome: "missing" });
  });

  it("of the kernel to an open file is that file", () => {
    const path = join(folder(), "gone.yaml");
    writeFileSync(path, "");
    const descriptor = openSync(path, "r");
    onTestFinished(() => closeSync(descriptor));
    rmSync(path);
    expect(resolvePath(`/dev/fd/${descriptor}`, () => undefined)).toMatchObject({ outcome: "found" });
  });
});

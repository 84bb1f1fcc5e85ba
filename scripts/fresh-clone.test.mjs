import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectFolder } from "./command.mjs";

/** What the two commands of a fresh clone read before there are packages. */
const parts = ["package.json", "package-lock.json", "scripts", "test/components", "test/lab"];

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatewright-clone-"));
  for (const part of parts)
    cpSync(join(projectFolder, part), join(folder, "clone", part), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a clone without packages", () => {
  it.each([
    ["start.mjs", 3],
    ["test.mjs", 1],
  ])("scripts/%s asks npm for them before anything else", async (script, exitCode) => {
    // Says no, so that nothing is installed here.
    const npm = join(folder, "npm.js");
    const asked = join(folder, "asked");
    writeFileSync(
      npm,
      `require("node:fs").writeFileSync(${JSON.stringify(asked)}, process.argv[2]); process.exit(1);`,
    );
    const options = { cwd: join(folder, "clone"), env: { ...process.env, npm_execpath: npm } };
    const run = promisify(execFile)(process.execPath, [join("scripts", script)], options);
    await expect(run).rejects.toMatchObject({
      code: exitCode,
      stdout: expect.stringContaining("Installing npm packages"),
    });
    expect(readFileSync(asked, "utf8")).toBe("ci");
  });
});

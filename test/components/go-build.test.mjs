import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { renderGoMod } from "./go-build.mjs";
import { withLock } from "./lock.mjs";

it("asks for the published modules where the repository uses its own folders", () => {
  const original = [
    "module k8s.io/kubernetes",
    "go 1.26.0",
    "require k8s.io/api v0.0.0",
    "replace (",
    "\tk8s.io/api => ./staging/src/k8s.io/api",
    "\texample.org/fork => example.org/other v1.2.3",
    ")",
    "replace k8s.io/kms => ../kms",
  ].join("\n");
  const recipe = { name: "kubectl", module: "k8s.io/kubernetes", version: "v1.36.3" };
  const text = renderGoMod(
    { ...recipe, localReplaces: (version) => version.replace("v1.", "v0.") },
    original,
  );
  expect(text.split("\n")).toEqual([
    "module gatewright.test/kubectl",
    "go 1.26.0",
    "require k8s.io/kubernetes v1.36.3",
    "replace k8s.io/api => k8s.io/api v0.36.3",
    "replace k8s.io/kms => k8s.io/kms v0.36.3",
    "",
  ]);
  expect(renderGoMod(recipe, original)).not.toContain("replace");
});

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("lets one work at a time", async () => {
  const lock = join(temporaryFolder(), "lock");
  const events = [];
  const work = (name) => async () => {
    events.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    events.push(`${name} ends`);
  };
  await Promise.all([withLock(lock, work("a")), withLock(lock, work("b"))]);
  expect(events).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

it("takes the lock of a process that is no more", async () => {
  const lock = join(temporaryFolder(), "lock");
  mkdirSync(lock);
  writeFileSync(join(lock, "pid"), "4194304");
  expect(await withLock(lock, () => "done")).toBe("done");
});

import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeVersioned } from "./volume-files.mjs";

const file = (text, mode = 0o644) => ({ data: Buffer.from(text), mode });

it("changes all files by one renamed link, and leaves nothing of the former ones", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-volume-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeVersioned(
    folder,
    new Map([
      ["a", file("1")],
      ["deep/b", file("2", 0o600)],
    ]),
  );
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("1");
  expect(readFileSync(join(folder, "deep/b"), "utf8")).toBe("2");
  expect(statSync(join(folder, "deep/b")).mode & 0o777).toBe(0o600);
  expect(readlinkSync(join(folder, "a"))).toBe("..data/a");
  const before = readlinkSync(join(folder, "..data"));

  writeVersioned(
    folder,
    new Map([
      ["a", file("3")],
      ["c", file("4")],
    ]),
  );
  expect(readlinkSync(join(folder, "..data"))).not.toBe(before);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("3");
  expect(readdirSync(folder).filter((name) => !name.startsWith(".."))).toEqual(["a", "c"]);
  expect(readdirSync(folder).filter((name) => name.startsWith("..2"))).toHaveLength(1);
});

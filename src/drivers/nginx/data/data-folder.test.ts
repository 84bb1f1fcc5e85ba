import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DataFolder } from "./data-folder.ts";

const path = mkdtempSync(join(tmpdir(), "gw-data-"));
afterEach(() => {
  vi.useRealTimers();
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
});

describe("the folder of the scripts' data", () => {
  it("replaces files as a whole, for their owner alone", () => {
    const data = new DataFolder(path, undefined);
    data.write("host/l1/=a.test", "one");
    data.write("host/l1/=a.test", "two");
    const file = join(path, "host/l1/=a.test");
    expect(readFileSync(file, "utf8")).toBe("two");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "host")).mode & 0o777).toBe(0o700);
    expect(readdirSync(path)).toEqual(["host"]);
    data.remove("host/l1/=a.test");
    expect(existsSync(file)).toBe(false);
  });

  it("keeps a file that is named after its content for a while after the last reference", () => {
    vi.useFakeTimers();
    const data = new DataFolder(path, undefined);
    data.hold("action/x", () => "content");
    data.hold("action/x", () => "content");
    const file = join(path, "action/x");
    data.release("action/x");
    vi.advanceTimersByTime(60_000);
    expect(existsSync(file)).toBe(true);
    data.release("action/x");
    vi.advanceTimersByTime(29_000);
    expect(existsSync(file)).toBe(true);
    data.hold("action/x", () => "content");
    vi.advanceTimersByTime(60_000);
    expect(existsSync(file)).toBe(true);
    data.release("action/x");
    vi.advanceTimersByTime(31_000);
    expect(existsSync(file)).toBe(false);
  });
});

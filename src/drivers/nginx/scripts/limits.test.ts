/* Buckets of tokens that are files. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface Limit {
  readonly bucket: string;
  readonly requests: number;
  readonly interval: number;
  readonly burst: number;
}

const { default: limits } = (await import(new URL("./limits.js", import.meta.url).href)) as {
  readonly default: { take(folder: string, limit: Limit, now: number): boolean };
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gw-limits-"));
  mkdirSync(join(folder, "limit"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** How many of so many requests at one time are taken. */
function taken(limit: Limit, count: number, now: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) if (limits.take(folder, limit, now)) sum++;
  return sum;
}

const limit: Limit = { bucket: "b", requests: 3, interval: 1_000, burst: 0 };

describe("a bucket of tokens", () => {
  it("is full at first, and has its tokens back after an interval", () => {
    expect([taken(limit, 10, 0), taken(limit, 10, 999), taken(limit, 10, 1_000)]).toEqual([3, 0, 3]);
  });

  it("saves up no more than its burst", () => {
    const saving = { ...limit, burst: 4 };
    expect([taken(saving, 10, 0), taken(saving, 10, 1_000)]).toEqual([7, 3]);
    expect([taken(saving, 2, 2_000), taken(saving, 10, 3_000)]).toEqual([2, 4]);
    expect([taken(saving, 10, 6_000), taken(saving, 10, 7_000)]).toEqual([7, 3]);
  });

  it("is its own", () => {
    expect([taken(limit, 5, 0), taken({ ...limit, bucket: "c" }, 5, 0)]).toEqual([3, 3]);
  });

  it("does not grow with requests that are refused", () => {
    taken(limit, 1_000, 0);
    const [file] = readdirSync(join(folder, "limit"));
    expect(statSync(join(folder, "limit", file!)).size).toBeLessThan(400);
  });
});

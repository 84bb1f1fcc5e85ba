import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

describe("parseDuration", () => {
  it.each([
    ["0s", 0],
    ["10s", 10_000],
    ["500ms", 500],
    ["1m", 60_000],
    ["1h", 3_600_000],
    ["1h2m3s4ms", 3_723_004],
    ["1ms1s1s1m", 62_001],
    ["99999h", 359_996_400_000],
    ["00010s", 10_000],
  ])("reads %s", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    "",
    "0",
    "1",
    "s",
    "1d",
    "1us",
    "1.5s",
    "-1s",
    "+1s",
    "100000s",
    "1h1h1h1h1h",
    " 1s",
    "1s ",
    "1 s",
    "1S",
    "1s\n",
  ])("does not take %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("formatDuration", () => {
  it("writes what parseDuration reads", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 * 3_600_000 }), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds) ?? "")).toBe(milliseconds);
      }),
    );
  });

  it("is brief", () => {
    expect(formatDuration(0)).toBe("0s");
    expect(formatDuration(90_000)).toBe("1m30s");
  });

  it("does not write what has no form", () => {
    expect([-1, 0.5, Number.NaN, 100_000 * 3_600_000].map(formatDuration)).toEqual(Array(4).fill(undefined));
  });
});

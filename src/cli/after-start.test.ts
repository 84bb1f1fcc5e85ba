import { performance } from "node:perf_hooks";
import { afterEach, expect, it, vi } from "vitest";
import { afterStart } from "./after-start.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Looks that are taken before it calls back, if this is how busy the program is all the time; Infinity: it never does. */
function looksUntilCalled(utilization: number, atLatest?: number): number {
  vi.useFakeTimers();
  vi.spyOn(performance, "eventLoopUtilization").mockReturnValue({ idle: 0, active: 0, utilization });
  const called = vi.fn<() => void>();
  afterStart(called, atLatest === undefined ? {} : { atLatest });
  let looks = 0;
  while (called.mock.calls.length === 0 && looks < 600) {
    vi.advanceTimersByTime(1000);
    looks++;
  }
  vi.advanceTimersByTime(600_000);
  expect(called.mock.calls.length).toBeLessThan(2);
  return called.mock.calls.length === 0 ? Infinity : looks;
}

it("calls back after some seconds of peace", () => {
  expect(looksUntilCalled(0.1)).toBe(5);
});

it("waits while there is much to do, but not for longer than it may", () => {
  expect(looksUntilCalled(0.9)).toBe(Infinity);
  expect(looksUntilCalled(0.9, 60_000)).toBe(60);
});

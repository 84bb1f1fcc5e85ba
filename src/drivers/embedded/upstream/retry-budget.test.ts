import { describe, expect, it } from "vitest";
import { RetryAllowance } from "./retry-budget.ts";

const budget = { percent: 20, interval: 10_000, minRetries: 3, minInterval: 1_000 };

function taken(allowance: RetryAllowance, tries: number, now: number): number {
  let count = 0;
  for (let index = 0; index < tries; index++) if (allowance.take(now)) count++;
  return count;
}

describe("RetryAllowance", () => {
  it("always allows the least number of retries, per their interval", () => {
    const allowance = new RetryAllowance(budget);
    expect(taken(allowance, 10, 1_000_000)).toBe(3);
    expect(taken(allowance, 10, 1_000_500)).toBe(0);
    expect(taken(allowance, 10, 1_002_000)).toBe(3);
  });

  it("allows a share of the requests", () => {
    const allowance = new RetryAllowance(budget);
    for (let index = 0; index < 100; index++) allowance.countRequest(1_000_000);
    expect(taken(allowance, 100, 1_000_100)).toBe(20);
  });

  it("forgets requests that are older than the interval", () => {
    const allowance = new RetryAllowance(budget);
    for (let index = 0; index < 100; index++) allowance.countRequest(1_000_000);
    expect(taken(allowance, 100, 1_020_000)).toBe(3);
  });

  it("allows none with a budget of nothing", () => {
    const allowance = new RetryAllowance({ ...budget, percent: 0, minRetries: 0 });
    allowance.countRequest(1_000_000);
    expect(taken(allowance, 5, 1_000_000)).toBe(0);
  });
});

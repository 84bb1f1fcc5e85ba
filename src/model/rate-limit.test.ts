import { describe, expect, it } from "vitest";
import { TokenBucket } from "./rate-limit.ts";

describe("a bucket of tokens", () => {
  const limit = { requests: 2, interval: 1_000, burst: 1, statusCode: 429, responseHeaders: [] };
  const taken = (bucket: TokenBucket, ...times: number[]) => times.map((time) => bucket.take(time));

  it("is full at first and fills again", () => {
    const bucket = new TokenBucket(limit, 0);
    expect(taken(bucket, 0, 0, 0, 0, 499, 501, 501, 1_001)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it("never holds more than its size, and time that runs back gives nothing", () => {
    const bucket = new TokenBucket(limit, 0);
    expect(taken(bucket, 1e9, 1e9, 1e9, 1e9, 0)).toEqual([true, true, true, false, false]);
  });
});

import { describe, expect, it } from "vitest";
import { UnusedData } from "./unused-data.ts";

function started() {
  const files = new Set(["a", "b"]);
  const clock = { now: 0 };
  const data = new UnusedData(
    { dataHashes: files, removeData: (hash) => void files.delete(hash) },
    () => clock.now,
  );
  return { files, clock, data };
}

describe("data that nobody refers to", () => {
  it("goes some time after it was last in use", () => {
    const { files, clock, data } = started();
    data.collect(new Set(["a"]));
    clock.now = 9_000;
    data.collect(new Set(["a"]));
    expect([...files]).toEqual(["a", "b"]);
    clock.now = 11_000;
    data.collect(new Set(["a"]));
    expect([...files]).toEqual(["a"]);
  });

  it("has its time from the start when it was in use again", () => {
    const { files, clock, data } = started();
    data.collect(new Set(["a"]));
    data.collect(new Set(["a", "b"]));
    clock.now = 11_000;
    data.collect(new Set(["a"]));
    expect([...files]).toEqual(["a", "b"]);
  });

  it("stays while a change is under way that is about to use it again, however long it takes", async () => {
    const { files, clock, data } = started();
    data.collect(new Set(["a"]));
    await data.during(async () => {
      clock.now = 60_000;
      await Promise.resolve();
      data.collect(new Set(["a"]));
    });
    data.collect(new Set(["a", "b"]));
    expect([...files]).toEqual(["a", "b"]);
  });

  it("can go after a change that failed", async () => {
    const { files, clock, data } = started();
    data.collect(new Set(["a"]));
    const failed = data.during(() => Promise.reject(new Error("refused")));
    await expect(failed).rejects.toThrow("refused");
    clock.now = 11_000;
    data.collect(new Set(["a"]));
    expect([...files]).toEqual(["a"]);
  });
});

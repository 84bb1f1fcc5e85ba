import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";

const test = casesOf("time-outs");

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly took: number }> {
  const begin = Date.now();
  const value = await work;
  return { value, took: Date.now() - begin };
}

export const timeoutCases = [
  test("a request that takes too long is answered with 504", "HTTPRouteRequestTimeout", async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 5_000 }) });
    const { get } = await plane.serve([rule("/", { timeouts: { request: 500 }, backends: [to(slow)] })]);
    const { value, took } = await timed(get("/"));
    assert.equal(value.status, 504);
    assert.ok(took >= 450 && took < 3_000, `after ${took} ms`);
  }),

  test("an answer that is in time is not touched", "HTTPRouteRequestTimeout", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ delay: 100 }) });
    const { get } = await plane.serve([rule("/", { timeouts: { request: 3_000 }, backends: [to(web)] })]);
    assert.equal((await get("/")).from, "web");
  }),

  test(
    "an answer that began in time but does not end in time is broken off",
    "HTTPRouteRequestTimeout",
    async (plane) => {
      const drip = { pieces: Array.from({ length: 20 }, () => ({ after: 250, data: "drip" })) };
      const web = await plane.http("web", { answer: () => drip });
      const { get } = await plane.serve([rule("/", { timeouts: { request: 700 }, backends: [to(web)] })]);
      const { value, took } = await timed(get("/").catch(() => "broken"));
      assert.equal(value, "broken");
      assert.ok(took < 4_000, `after ${took} ms`);
    },
  ),

  test("a backend that takes too long is given up with 504", "HTTPRouteBackendTimeout", async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 5_000 }) });
    const { get } = await plane.serve([
      rule("/", { timeouts: { backendRequest: 500 }, backends: [to(slow)] }),
    ]);
    const { value, took } = await timed(get("/"));
    assert.equal(value.status, 504);
    assert.ok(took >= 450 && took < 3_000, `after ${took} ms`);
  }),

  test("0 switches the time-out off", "HTTPRouteRequestTimeout", async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 1_500 }) });
    const { get } = await plane.serve([
      rule("/", { timeouts: { request: 0, backendRequest: 0 }, backends: [to(slow)] }),
    ]);
    assert.equal((await get("/")).from, "slow");
  }),

  test("a time-out holds for its own rule alone", "HTTPRouteRequestTimeout", async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 1_000 }) });
    const { get } = await plane.serve([
      rule("/short", { timeouts: { request: 300 }, backends: [to(slow)] }),
      rule("/", { timeouts: { request: 10_000 }, backends: [to(slow)] }),
    ]);
    const [short, long] = await Promise.all([get("/short"), get("/long")]);
    assert.equal(short.status, 504);
    assert.equal(long.from, "slow");
  }),
];

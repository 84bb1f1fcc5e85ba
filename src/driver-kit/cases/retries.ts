import assert from "node:assert/strict";
import type { Retry } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, rule, to } from "../items.ts";

const test = casesOf("retries");

const retry: Retry = { statusCodes: [500, 503], attempts: 2, backoff: 20 };

export const retryCases = [
  test("an answer with a listed code is tried again until it is another", "HTTPRouteRetry", async (plane) => {
    const web = await plane.http("web", { answer: (_, count) => ({ status: count < 3 ? 503 : 200 }) });
    const { get } = await plane.serve([rule("/", { retry, backends: [to(web)] })]);
    const answer = await get("/x", { method: "PUT", body: "sent each time" });
    assert.equal(answer.status, 200);
    assert.deepEqual(
      web.requests.map(({ body }) => body),
      ["sent each time", "sent each time", "sent each time"],
    );
  }),

  test(
    "no more tries than there may be; the last answer is the client's",
    "HTTPRouteRetry",
    async (plane) => {
      const web = await plane.http("web", { answer: (_, count) => ({ status: 500, body: `try ${count}` }) });
      const { get } = await plane.serve([rule("/", { retry, backends: [to(web)] })]);
      const answer = await get("/");
      assert.equal(answer.status, 500);
      assert.equal(answer.body, "try 3");
      assert.equal(web.requests.length, 3);
    },
  ),

  test("other codes are not tried again", "HTTPRouteRetry", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ status: 502 }) });
    const { get } = await plane.serve([rule("/", { retry, backends: [to(web)] })]);
    assert.equal((await get("/")).status, 502);
    assert.equal(web.requests.length, 1);
  }),

  test("without a retry stanza an answer is never tried again", "HTTPRouteRetry", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ status: 503 }) });
    const { get } = await plane.serve([rule("/", web)]);
    assert.equal((await get("/")).from, "web");
    assert.equal(web.requests.length, 1);
  }),

  test("there is at least the back-off between tries", "HTTPRouteRetry", async (plane) => {
    const times: number[] = [];
    const web = await plane.http("web", {
      answer: () => {
        times.push(Date.now());
        return { status: 503 };
      },
    });
    const { get } = await plane.serve([
      rule("/", { retry: { ...retry, backoff: 300 }, backends: [to(web)] }),
    ]);
    await get("/");
    assert.equal(times.length, 3);
    assert.ok(times[1]! - times[0]! >= 295, `${times[1]! - times[0]!} ms before the second try`);
    assert.ok(times[2]! - times[1]! >= 295, `${times[2]! - times[1]!} ms before the third try`);
  }),

  test(
    "an endpoint that cannot be reached is not noticed while others can",
    "HTTPRouteRetryConnectionError",
    async (plane) => {
      const [web, gone] = [await plane.http("web"), await plane.http("gone")];
      await gone.stop();
      const { get } = await plane.serve([rule("/", { retry, backends: [to(web)] })], {
        endpoints: [endpointsItem(web.backend, gone.port, web.port)],
      });
      for (let request = 0; request < 20; request++) assert.equal((await get("/")).from, "web");
    },
  ),

  test(
    "a backend that breaks off before its answer is tried again",
    "HTTPRouteRetryConnectionError",
    async (plane) => {
      const web = await plane.http("web", {
        answer: (_, count) => (count === 1 ? { breakOff: "head" } : undefined),
      });
      const { get } = await plane.serve([rule("/", { retry, backends: [to(web)] })]);
      assert.equal((await get("/")).from, "web");
      assert.equal(web.requests.length, 2);
    },
  ),

  test("a try that takes too long is followed by another", "HTTPRouteRetryBackendTimeout", async (plane) => {
    const web = await plane.http("web", { answer: (_, count) => ({ delay: count === 1 ? 5_000 : 0 }) });
    const { get } = await plane.serve([
      rule("/", { retry, timeouts: { backendRequest: 400 }, backends: [to(web)] }),
    ]);
    const begin = Date.now();
    assert.equal((await get("/")).from, "web");
    assert.ok(Date.now() - begin < 3_000, "the first try was given up in time");
    assert.equal(web.requests.length, 2);
  }),

  test("the request's time-out ends all tries", "HTTPRouteRetryBackendTimeout", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ delay: 5_000 }) });
    const { get } = await plane.serve([
      rule("/", {
        retry: { ...retry, attempts: 10 },
        timeouts: { request: 900, backendRequest: 300 },
        backends: [to(web)],
      }),
    ]);
    const begin = Date.now();
    assert.equal((await get("/")).status, 504);
    assert.ok(Date.now() - begin < 3_000, "within the request's time");
    assert.ok(web.requests.length <= 4, `${web.requests.length} tries`);
  }),

  test("a budget bounds retries to a share of the requests", "RetryConstraint", async (plane) => {
    const web = await plane.http(
      "web",
      { answer: () => ({ status: 503 }) },
      { retryBudget: { percent: 20, interval: 10_000, minRetries: 2, minInterval: 10_000 } },
    );
    const { get } = await plane.serve([rule("/", { retry, backends: [to(web)] })]);
    for (let request = 0; request < 50; request++) await get("/");
    const retries = web.requests.length - 50;
    assert.ok(retries >= 2, `${retries} retries, and two are always allowed`);
    assert.ok(retries <= 20, `${retries} retries of 50 requests, and about 10 were allowed`);
  }),
];

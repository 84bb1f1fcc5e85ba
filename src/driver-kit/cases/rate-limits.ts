import assert from "node:assert/strict";
import type { RateLimit } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import { eventually } from "../traffic/deadline.ts";
import { exchangeRaw } from "../traffic/raw-client.ts";

const test = casesOf("rate limits");
const feature = "LocalRateLimit";

/** Nothing comes back while a case runs. */
const limit: RateLimit = {
  requests: 3,
  interval: 86_400_000,
  burst: 2,
  statusCode: 429,
  responseHeaders: [],
};

async function serveLimited(plane: Plane, changes: Partial<RateLimit> = {}) {
  const web = await plane.http("web");
  const site = await plane.serve([
    rule("/limited", { rateLimit: { ...limit, ...changes }, backends: [to(web)] }),
    rule("/", web),
  ]);
  return { ...site, web };
}

export const rateLimitCases = [
  test("requests beyond the bucket are answered with the limit's status", feature, async (plane) => {
    const { get, web } = await serveLimited(plane);
    const statuses: number[] = [];
    for (let request = 0; request < 8; request++) statuses.push((await get("/limited")).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
    assert.equal(web.requests.length, 5);
    assert.equal((await get("/else")).from, "web", "other rules have nothing to do with it");
  }),

  test("status and headers are the limit's own", feature, async (plane) => {
    const { get } = await serveLimited(plane, {
      requests: 1,
      burst: 0,
      statusCode: 503,
      responseHeaders: [
        { name: "x-limit", value: '100% "quoted" $x' },
        { name: "retry-after", value: "60" },
      ],
    });
    const first = await get("/limited");
    assert.equal(first.status, 200);
    assert.equal(first.header("x-limit"), undefined);
    const second = await get("/limited");
    assert.equal(second.status, 503);
    assert.equal(second.header("x-limit"), '100% "quoted" $x');
    assert.equal(second.header("retry-after"), "60");
  }),

  test("the answer's framing is not the limit's to set", feature, async (plane) => {
    const { at } = await serveLimited(plane, {
      requests: 1,
      burst: 0,
      responseHeaders: [
        { name: "content-length", value: "2000" },
        { name: "transfer-encoding", value: "chunked" },
        { name: "connection", value: "x-limit" },
        { name: "upgrade", value: "h2c" },
        { name: "x-limit", value: "1" },
      ],
    });
    const request = "GET /limited HTTP/1.1\r\nHost: site.test\r\n\r\n";
    // Two on one connection: the end of the first answer is where both sides think it is.
    await exchangeRaw(at, request);
    const received = await exchangeRaw(at, request.repeat(2));
    assert.equal(received.match(/HTTP\/1\.1 429 /g)?.length, 2);
    assert.match(received, /^x-limit: 1\r$/im);
    assert.doesNotMatch(received, /^content-length: 2000|^connection: x-limit|^upgrade:/im);
    const [head] = received.split("\r\n\r\n");
    const ends = head!.match(/^(?:content-length|transfer-encoding):/gim) ?? [];
    assert.ok(ends.length <= 1, `the end is told by ${ends.join(" and ")}`);
  }),

  test("requests at the same time are counted one by one", feature, async (plane) => {
    const { get } = await serveLimited(plane, { requests: 10, burst: 0 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => get("/limited")));
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  }),

  test("the bucket fills again", feature, async (plane) => {
    const { get } = await serveLimited(plane, { requests: 1, burst: 0, interval: 500 });
    assert.equal((await get("/limited")).status, 200);
    await eventually(plane.patience, "another token", async () => (await get("/limited")).status === 200);
  }),

  test("each rule has a bucket of its own", feature, async (plane) => {
    const web = await plane.http("web");
    const rateLimit = { ...limit, requests: 1, burst: 0 };
    const { get } = await plane.serve([
      rule("/a", { rateLimit, backends: [to(web)] }),
      rule("/b", { rateLimit, backends: [to(web)] }),
    ]);
    for (const path of ["/a", "/b"]) {
      assert.equal((await get(path)).status, 200);
      assert.equal((await get(path)).status, 429);
    }
  }),
];

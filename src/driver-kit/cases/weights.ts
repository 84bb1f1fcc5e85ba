import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, noTarget, rule, to, virtualHostItem } from "../items.ts";
import type { Site } from "../plane.ts";

const test = casesOf("weights");

/** How many of `count` requests each backend, or status, answered. */
async function answersOf({ get }: Site, count: number): Promise<Map<string | number, number>> {
  const answers = new Map<string | number, number>();
  const clients = Array.from({ length: 5 }, async () => {
    for (let request = 0; request < count / 5; request++) {
      const { from } = await get("/");
      answers.set(from, (answers.get(from) ?? 0) + 1);
    }
  });
  await Promise.all(clients);
  return answers;
}

function assertShare(
  answers: ReadonlyMap<string | number, number>,
  name: string | number,
  share: number,
): void {
  const total = [...answers.values()].reduce((sum, count) => sum + count, 0);
  const given = (answers.get(name) ?? 0) / total;
  // Wide enough for a proxy that draws lots: five standard deviations of 500 draws.
  assert.ok(Math.abs(given - share) < 0.1, `${name} got ${given} of ${total} requests, not ${share}`);
}

export const weightCases = [
  test("requests are shared out by weight", "HTTPRoute", async (plane) => {
    const [one, two, three] = [await plane.http("one"), await plane.http("two"), await plane.http("three")];
    const backends = [to(one, { weight: 10 }), to(two, { weight: 20 }), to(three, { weight: 70 })];
    const answers = await answersOf(await plane.serve([rule("/", { backends })]), 500);
    assertShare(answers, "one", 0.1);
    assertShare(answers, "two", 0.2);
    assertShare(answers, "three", 0.7);
    assert.equal(answers.size, 3);
  }),

  test("the share of a backend that cannot be used is answered with 500", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const backends = [to(web, { weight: 3 }), { weight: 1, target: noTarget }];
    const answers = await answersOf(await plane.serve([rule("/", { backends })]), 500);
    assertShare(answers, "web", 0.75);
    assertShare(answers, 500, 0.25);
    assert.equal(answers.size, 2);
  }),

  test(
    "a rule whose backends all cannot be used, or that has none, answers 500",
    "HTTPRoute",
    async (plane) => {
      const { get } = await plane.serve([
        rule("/error", { backends: [{ weight: 1, target: noTarget }] }),
        rule("/none", { backends: [] }),
      ]);
      assert.equal((await get("/error")).status, 500);
      assert.equal((await get("/none")).status, 500);
    },
  ),

  test("the share of a backend without endpoints is answered with 503", "HTTPRoute", async (plane) => {
    const [web, empty] = [await plane.http("web"), await plane.http("empty")];
    const site = await plane.serve([rule("/", { backends: [to(web), to(empty)] })], {
      endpoints: [web.endpoints, endpointsItem(empty.backend)],
    });
    const answers = await answersOf(site, 500);
    assertShare(answers, "web", 0.5);
    assertShare(answers, 503, 0.5);
    assert.equal(answers.size, 2);
  }),

  test("new weights are in force when apply resolves", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const first = await plane.serve([rule("/", { backends: [to(one, { weight: 1 })] })]);
    assert.equal((await first.get("/")).from, "one");
    const rules = [rule("/", { backends: [to(two, { weight: 1 })] })];
    await plane.apply({ virtualHosts: [virtualHostItem(first.listener, "*", rules)] });
    const answers = await answersOf(first, 20);
    assert.deepEqual([...answers], [["two", 20]]);
  }),

  test("one backend may stand in a rule twice", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const backends = [to(one), to(two, { weight: 2 }), to(one)];
    const answers = await answersOf(await plane.serve([rule("/", { backends })]), 500);
    assertShare(answers, "one", 0.5);
    assertShare(answers, "two", 0.5);
  }),

  test("the endpoints of a backend all get their part", "HTTPRoute", async (plane) => {
    const all = [await plane.http("one"), await plane.http("two"), await plane.http("three")];
    const [first] = all;
    const site = await plane.serve([rule("/", first!)], {
      endpoints: [endpointsItem(first!.backend, ...all.map(({ port }) => port))],
    });
    const answers = await answersOf(site, 150);
    for (const { name } of all) {
      assert.ok((answers.get(name) ?? 0) >= 20, `${name} got ${answers.get(name) ?? 0} of 150 requests`);
    }
  }),
];

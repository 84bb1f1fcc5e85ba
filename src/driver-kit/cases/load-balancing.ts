import assert from "node:assert/strict";
import type { HashSource, LoadBalancing } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";

const test = casesOf("load balancing");
const feature = "LoadBalancing";

/** One backend with four endpoints. */
async function serveBalanced(plane: Plane, loadBalancing: LoadBalancing) {
  const all = [];
  for (const name of ["one", "two", "three", "four"]) all.push(await plane.http(name, {}, { loadBalancing }));
  const { backend } = all[0]!;
  const site = await plane.serve([rule("/", { backends: [to(backend)] })], {
    endpoints: [endpointsItem(backend, ...all.map(({ port }) => port))],
  });
  return { ...site, all, backend };
}

function hashOn(...on: readonly HashSource[]): LoadBalancing {
  return { type: "hash", on };
}

const users = Array.from({ length: 24 }, (_, index) => `user-${index}`);

export const loadBalancingCases = [
  test("by turns, each endpoint gets its share", feature, async (plane) => {
    const { get, all } = await serveBalanced(plane, { type: "round-robin" });
    for (let request = 0; request < 80; request++) await get("/");
    for (const { name, requests } of all) {
      assert.ok(requests.length >= 8 && requests.length <= 35, `${name} got ${requests.length} of 80`);
    }
  }),

  test("by lot, every endpoint has its chance", feature, async (plane) => {
    const { get, all } = await serveBalanced(plane, { type: "random" });
    for (let request = 0; request < 80; request++) await get("/");
    for (const { name, requests } of all) assert.ok(requests.length >= 3, `${name} got ${requests.length}`);
  }),

  test("endpoints that are busy get less", feature, async (plane) => {
    const { get, all } = await serveBalanced(plane, { type: "least-request" });
    const [busy] = all;
    busy!.answer = () => ({ delay: 8_000 });
    const hanging: Promise<unknown>[] = [];
    for (let request = 0; request < 200 && busy!.requests.length < 2; request++) {
      hanging.push(get("/").catch(() => {}));
      await Promise.race([hanging.at(-1)!, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    const before = busy!.requests.length;
    for (let request = 0; request < 60; request++) {
      hanging.push(get("/").catch(() => {}));
      await Promise.race([hanging.at(-1)!, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    const more = busy!.requests.length - before;
    assert.ok(more <= 10, `the endpoint with requests under way got ${more} of 60 more`);
    for (const { name, requests } of all) assert.ok(requests.length > 0, `${name} got none`);
    await Promise.all(hanging);
  }),

  test("the same header leads to the same endpoint", feature, async (plane) => {
    const { get } = await serveBalanced(plane, hashOn({ type: "header", name: "x-user" }));
    const takers = new Set<string | number>();
    for (const user of users) {
      const headers = { "x-user": user };
      const first = (await get("/", { headers })).from;
      takers.add(first);
      for (let round = 0; round < 3; round++) assert.equal((await get("/", { headers })).from, first);
    }
    assert.ok(takers.size >= 3, `24 users are spread over ${takers.size} endpoints`);
  }),

  test("few move when endpoints come or go", feature, async (plane) => {
    const { get, all, backend } = await serveBalanced(plane, hashOn({ type: "header", name: "x-user" }));
    const takers = async () => {
      const from = new Map<string, string | number>();
      for (const user of users) from.set(user, (await get("/", { headers: { "x-user": user } })).from);
      return from;
    };
    const before = await takers();
    await plane.apply({ endpoints: [endpointsItem(backend, ...all.slice(0, 3).map(({ port }) => port))] });
    const after = await takers();
    const moved = users.filter((user) => before.get(user) !== "four" && before.get(user) !== after.get(user));
    assert.ok(moved.length <= 6, `${moved.length} moved though their endpoint stayed`);
    assert.ok([...after.values()].every((from) => from !== "four"));
  }),

  test("the same parameter leads to the same endpoint", feature, async (plane) => {
    const { get } = await serveBalanced(plane, hashOn({ type: "query", name: "user" }));
    const takers = new Set<string | number>();
    for (const user of users) {
      const first = (await get(`/a?x=1&user=${user}`)).from;
      takers.add(first);
      assert.equal((await get(`/b?user=${user}&x=2`)).from, first);
    }
    assert.ok(takers.size >= 3, `24 users are spread over ${takers.size} endpoints`);
  }),

  test("the same client leads to the same endpoint", feature, async (plane) => {
    const { get } = await serveBalanced(plane, hashOn({ type: "source" }));
    const first = (await get("/")).from;
    for (let request = 0; request < 20; request++) assert.equal((await get("/")).from, first);
  }),

  test("several values are one hash; who has none goes anywhere", feature, async (plane) => {
    const { get } = await serveBalanced(
      plane,
      hashOn({ type: "header", name: "x-user" }, { type: "query", name: "shop" }),
    );
    const takers = new Set<string | number>();
    for (let shop = 0; shop < 24; shop++) {
      const path = `/?shop=${shop}`;
      const headers = { "x-user": "same" };
      const first = (await get(path, { headers })).from;
      takers.add(first);
      assert.equal((await get(path, { headers })).from, first);
    }
    assert.ok(takers.size >= 3, `24 pairs are spread over ${takers.size} endpoints`);
    const anywhere = new Set<string | number>();
    for (let request = 0; request < 60; request++) anywhere.add((await get("/")).from);
    assert.ok(anywhere.size >= 3, `60 requests without a value met ${anywhere.size} endpoints`);
  }),
];

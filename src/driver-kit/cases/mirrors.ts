import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { mirrorTo, noTarget, rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import { eventually, pause } from "../traffic/deadline.ts";
import type { HttpBackend } from "../traffic/http-backend.ts";
import { seenHeader } from "../traffic/seen-request.ts";

const test = casesOf("mirrors");

/** Copies are sent on their own time: wait for as many, and a little for more. */
async function expectRequests(plane: Plane, backend: HttpBackend, count: number): Promise<void> {
  const what = `${count} requests at ${backend.name}, which has ${backend.requests.length}`;
  await eventually(plane.patience, what, () => backend.requests.length >= count);
  await pause(100);
  assert.equal(backend.requests.length, count);
}

export const mirrorCases = [
  test(
    "a copy of each request goes to the mirror, and its answer nowhere",
    "HTTPRouteRequestMirror",
    async (plane) => {
      const web = await plane.http("web");
      const copy = await plane.http("copy", { answer: () => ({ status: 500 }) });
      const { get } = await plane.serve([rule("/", { mirrors: [mirrorTo(copy)], backends: [to(web)] })]);
      const answer = await get("/path?x=1", { method: "POST", body: "the body", headers: { "x-mine": "1" } });
      assert.equal(answer.from, "web");
      await expectRequests(plane, copy, 1);
      const [seen] = copy.requests;
      assert.equal(seen!.method, "POST");
      assert.equal(seen!.target, "/path?x=1");
      assert.equal(seen!.body, "the body");
      assert.deepEqual(
        seen!.headers.find(([name]) => name === "x-mine"),
        ["x-mine", "1"],
      );
      assert.equal(web.requests.length, 1);
    },
  ),

  test("a mirror sees the request as its backend does", "HTTPRouteRequestMirror", async (plane) => {
    const [web, copy] = [await plane.http("web"), await plane.http("copy")];
    const { get } = await plane.serve([
      rule("/old", {
        requestHeaders: { set: [{ name: "x-set", value: "1" }], add: [], remove: ["x-mine"] },
        rewrite: { path: { type: "prefix", prefix: "/old", value: "/new" } },
        mirrors: [mirrorTo(copy)],
        backends: [to(web)],
      }),
    ]);
    await get("/old/x?y", { headers: { "x-mine": "1" } });
    await expectRequests(plane, copy, 1);
    for (const { requests } of [web, copy]) {
      const [seen] = requests;
      assert.equal(seen!.target, "/new/x?y");
      assert.equal(seenHeader(seen!, "x-set"), "1");
      assert.equal(seenHeader(seen!, "x-mine"), undefined);
    }
  }),

  test("a request that is redirected is not mirrored", "HTTPRouteRequestMirror", async (plane) => {
    const copy = await plane.http("copy");
    const redirect = { hostname: "new.test", port: 80, statusCode: 302 } as const;
    const { get } = await plane.serve([
      rule("/old", { redirect, mirrors: [mirrorTo(copy)] }),
      rule("/", { mirrors: [mirrorTo(copy)], backends: [to(await plane.http("web"))] }),
    ]);
    assert.equal((await get("/old")).status, 302);
    await get("/");
    await expectRequests(plane, copy, 1);
  }),

  test(
    "a mirror that is slow, broken or not there does not matter",
    "HTTPRouteRequestMirror",
    async (plane) => {
      const web = await plane.http("web");
      const slow = await plane.http("slow", { answer: () => ({ delay: 2_000 }) });
      const broken = await plane.http("broken", { answer: () => ({ breakOff: "head" }) });
      const gone = await plane.http("gone");
      await gone.stop();
      const { get } = await plane.serve([
        rule("/slow", { mirrors: [mirrorTo(slow)], backends: [to(web)] }),
        rule("/broken", { mirrors: [mirrorTo(broken)], backends: [to(web)] }),
        rule("/gone", { mirrors: [mirrorTo(gone)], backends: [to(web)] }),
        rule("/none", {
          mirrors: [{ target: noTarget, numerator: 1, denominator: 1 }],
          backends: [to(web)],
        }),
      ]);
      for (const path of ["/slow", "/broken", "/gone", "/none"]) {
        const begin = Date.now();
        assert.equal((await get(path)).from, "web", path);
        assert.ok(Date.now() - begin < 1_500, `${path} did not wait for its mirror`);
      }
    },
  ),

  test("several mirrors get a copy each", "HTTPRouteRequestMultipleMirrors", async (plane) => {
    const web = await plane.http("web");
    const copies = [await plane.http("copy-1"), await plane.http("copy-2"), await plane.http("copy-3")];
    const { get } = await plane.serve([
      rule("/", { mirrors: copies.map((copy) => mirrorTo(copy)), backends: [to(web)] }),
    ]);
    for (let request = 0; request < 5; request++) await get("/");
    for (const copy of copies) await expectRequests(plane, copy, 5);
  }),

  test("a share of the requests is mirrored", "HTTPRouteRequestPercentageMirror", async (plane) => {
    const web = await plane.http("web");
    const [fifth, none, all] = [await plane.http("fifth"), await plane.http("none"), await plane.http("all")];
    const mirrors = [mirrorTo(fifth, 20, 100), mirrorTo(none, 0, 100), mirrorTo(all, 100, 100)];
    const { get } = await plane.serve([rule("/", { mirrors, backends: [to(web)] })]);
    for (let request = 0; request < 200; request++) await get("/");
    await expectRequests(plane, all, 200);
    assert.equal(none.requests.length, 0);
    const share = fifth.requests.length;
    assert.ok(share >= 20 && share <= 60, `${share} of 200 requests were mirrored, not about 40`);
  }),

  test("a large body reaches backend and mirror", "HTTPRouteRequestMirror", async (plane) => {
    const [web, copy] = [await plane.http("web"), await plane.http("copy")];
    const { get } = await plane.serve([rule("/", { mirrors: [mirrorTo(copy)], backends: [to(web)] })]);
    const body = "0123456789abcdef".repeat(8_192);
    const answer = await get("/", { method: "POST", body });
    assert.equal(answer.seen?.body.length, body.length);
    await expectRequests(plane, copy, 1);
    assert.equal(copy.requests[0]!.body, body);
  }),

  test(
    "a backend's own mirror gets copies of its requests alone",
    "HTTPRouteRequestMirror",
    async (plane) => {
      const [one, two, copy] = [await plane.http("one"), await plane.http("two"), await plane.http("copy")];
      const { get } = await plane.serve([
        rule("/", { backends: [to(one, { mirrors: [mirrorTo(copy)] }), to(two)] }),
      ]);
      for (let request = 0; request < 20; request++) await get("/");
      assert.ok(two.requests.length > 0, "both backends were asked");
      await expectRequests(plane, copy, one.requests.length);
    },
  ),
];

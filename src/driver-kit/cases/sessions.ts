import assert from "node:assert/strict";
import type { SessionPersistence } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { authBy, endpointsItem, matches, rule, targetOf, to, virtualHostItem } from "../items.ts";
import type { Plane } from "../plane.ts";
import type { Answer } from "../traffic/answer.ts";
import { pause } from "../traffic/deadline.ts";

const test = casesOf("sessions");

const cookie: SessionPersistence = { type: "cookie", name: "shop", lifetime: "session", path: "/" };

/** One backend with four endpoints. */
async function serveSession(plane: Plane, session: SessionPersistence) {
  const all = [];
  for (const name of ["one", "two", "three", "four"]) all.push(await plane.http(name));
  const [first] = all;
  const site = await plane.serve([rule("/", { session, backends: [to(first!)] })], {
    endpoints: [endpointsItem(first!.backend, ...all.map(({ port }) => port))],
  });
  return { ...site, all, backend: first!.backend };
}

/** `name=value` of the session's cookie in an answer. */
function cookieOf(answer: Answer): string | undefined {
  const set = answer.headers.find(([name, value]) => name === "set-cookie" && value.startsWith("shop="));
  return set?.[1].split(";")[0];
}

export const sessionCases = [
  test("a client that brings its cookie comes back to its endpoint", "SessionPersistence", async (plane) => {
    const { get } = await serveSession(plane, cookie);
    for (let client = 0; client < 4; client++) {
      const first = await get("/");
      const value = cookieOf(first);
      assert.ok(value, "the first answer has the cookie");
      for (let request = 0; request < 10; request++) {
        const answer = await get("/", { headers: { cookie: `a=1; ${value}; b=2` } });
        assert.equal(answer.from, first.from);
      }
    }
  }),

  test("clients without a session are shared out", "SessionPersistence", async (plane) => {
    const { get } = await serveSession(plane, cookie);
    const takers = new Set<string | number>();
    for (let client = 0; client < 60; client++) takers.add((await get("/")).from);
    assert.equal(takers.size, 4);
  }),

  test("a session cookie has no end; a permanent one has", "SessionPersistence", async (plane) => {
    const attributes = async (session: SessionPersistence) => {
      const { get } = await serveSession(plane, session);
      const answer = await get("/");
      const set = answer.headers.find(([name]) => name === "set-cookie")?.[1] ?? "";
      return set
        .toLowerCase()
        .split(";")
        .map((part) => part.trim());
    };
    const short = await attributes(cookie);
    assert.ok(!short.some((part) => part.startsWith("max-age") || part.startsWith("expires")), short.join());
    assert.ok(short.includes("path=/"), short.join());
    const long = await attributes({ ...cookie, lifetime: "permanent", absoluteTimeout: 3_600_000 });
    assert.ok(long.includes("max-age=3600"), long.join());
  }),

  test("a cookie that is bound to no path names none", "SessionPersistence", async (plane) => {
    const { get } = await serveSession(plane, { ...cookie, path: "" });
    const set = (await get("/")).headers.find(([name]) => name === "set-cookie")?.[1] ?? "";
    assert.match(set, /^shop=/);
    assert.doesNotMatch(set, /path=/i);
  }),

  test("a session in a header", "SessionPersistence", async (plane) => {
    const { get } = await serveSession(plane, { ...cookie, type: "header", name: "x-session" });
    const first = await get("/");
    const value = first.header("x-session");
    assert.ok(value, "the first answer has the header");
    for (let request = 0; request < 10; request++) {
      assert.equal((await get("/", { headers: { "x-session": value } })).from, first.from);
    }
  }),

  test("when its endpoint is gone, a session goes on elsewhere", "SessionPersistence", async (plane) => {
    const { get, all, backend } = await serveSession(plane, cookie);
    const first = await get("/");
    const value = cookieOf(first)!;
    const left = all.filter(({ name }) => name !== first.from).map(({ port }) => port);
    await plane.apply({ endpoints: [endpointsItem(backend, ...left)] });
    const second = await get("/", { headers: { cookie: value } });
    assert.equal(second.status, 200);
    assert.notEqual(second.from, first.from);
    const next = cookieOf(second);
    assert.ok(next && next !== value, "a new cookie");
    assert.equal((await get("/", { headers: { cookie: next } })).from, second.from);
  }),

  test("a cookie that the gateway did not make leads nowhere", "SessionPersistence", async (plane) => {
    const { get } = await serveSession(plane, cookie);
    const outside = await plane.http("outside");
    const address = `127.0.0.1:${outside.port}`;
    const forged = ["x", address, Buffer.from(address).toString("base64"), "%00", "a".repeat(3_000)];
    for (const value of forged) {
      const answer = await get("/", { headers: { cookie: `shop=${value}` } });
      assert.equal(answer.status, 200, value.slice(0, 50));
      assert.notEqual(answer.from, "outside");
    }
    assert.equal(outside.requests.length, 0);
  }),

  test("a session stays with its backend among weighted ones", "SessionPersistence", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const { get } = await plane.serve([rule("/", { session: cookie, backends: [to(one), to(two)] })]);
    for (let client = 0; client < 4; client++) {
      const first = await get("/");
      const value = cookieOf(first)!;
      for (let request = 0; request < 8; request++) {
        assert.equal((await get("/", { headers: { cookie: value } })).from, first.from);
      }
    }
  }),

  test(
    "a session of a rule with authorization, on a host of its own",
    "SessionPersistence",
    async (plane) => {
      const [one, two] = [await plane.http("one"), await plane.http("two")];
      const guard = await plane.http("guard", { answer: () => ({ status: 200 }) });
      const auth = authBy(targetOf(guard));
      const listener = await plane.listener("http");
      const rules = [rule("/", { auth, session: cookie, backends: [to(one), to(two)] })];
      const host = "www.shop.test";
      const virtualHosts = [virtualHostItem(listener, host, rules)];
      await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts });
      const { get } = plane.site(listener);
      const first = await get("/", { host, headers: { cookie: "a=1; b=2" } });
      assert.equal(first.status, 200);
      const value = cookieOf(first);
      for (let request = 0; request < 8; request++) {
        const answer = await get("/", { host, headers: { cookie: `a=1; ${value}` } });
        assert.equal(answer.from, first.from);
      }
    },
  ),

  test("no cookie leads past the authorization of another rule", "SessionPersistence", async (plane) => {
    const [open, closed] = [await plane.http("open"), await plane.http("closed")];
    const guard = await plane.http("guard", { answer: () => ({ status: 403 }) });
    const { get } = await plane.serve([
      rule({ headers: [matches("cookie", ".*beta=true.*")] }, { session: cookie, backends: [to(open)] }),
      rule("/", { auth: authBy(targetOf(guard)), backends: [to(closed)] }),
    ]);
    // The second of the name is no session, and may be taken away with what made the first rule take the request.
    const forged = `shop=${Math.floor(Date.now() / 1000)}.a.b; shop=beta=true`;
    const { from, status } = await get("/", { headers: { cookie: forged } });
    assert.ok(from === "open" || status === 403, `${status} from ${from}`);
    assert.deepEqual(closed.requests, []);
  }),

  test("a session that is too old is replaced", "SessionPersistence", async (plane) => {
    const { get } = await serveSession(plane, { ...cookie, lifetime: "permanent", absoluteTimeout: 2_000 });
    const value = cookieOf(await get("/"))!;
    assert.equal(cookieOf(await get("/", { headers: { cookie: value } })), undefined, "while it is young");
    await pause(3_100);
    const late = await get("/", { headers: { cookie: value } });
    assert.ok(cookieOf(late), "a new cookie when it is old");
  }),
];

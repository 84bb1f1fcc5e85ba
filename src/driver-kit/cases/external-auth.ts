import assert from "node:assert/strict";
import type { ExternalAuth } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { authBy, noTarget, rule, targetOf, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import type { Answer } from "../traffic/answer.ts";
import { allowed, denied, readCheckRequest, type CheckedRequest } from "../traffic/authorization.ts";
import type { Reply } from "../traffic/http-backend.ts";
import { seenHeader, type SeenRequest } from "../traffic/seen-request.ts";

const test = casesOf("external authorization");
const feature = "HTTPRouteExternalAuth";

const grpc = { protocol: "grpc", requestHeaders: "all" } as const;

/** What a server must have no word in: where the request ends, whom it is for, and what is between two hops. */
const reserved = {
  host: "evil.test",
  "content-length": "0",
  "keep-alive": "timeout=5",
  te: "gzip",
  upgrade: "h2c",
};

const posted = { method: "POST", host: "www.shop.test", body: "mine", headers: { "x-user": "root" } };

/** The request came as the client sent it, with what the server may say of the user. */
function assertOwnFraming({ seen }: Answer): void {
  assert.equal(seen?.body, "mine");
  assert.equal(seen.host, "www.shop.test");
  assert.equal(seen.target, "/path");
  assert.equal(seen.method, "POST");
  assert.equal(seenHeader(seen, "x-user"), "anna");
  const ends = ["content-length", "transfer-encoding"].filter((name) => seenHeader(seen, name));
  assert.equal(ends.length, 1, `the end is told by ${ends.join(" and ") || "nothing"}`);
  for (const [name, value] of seen.headers) {
    assert.notEqual(value, (reserved as Readonly<Record<string, string>>)[name], `${name} is the server's`);
    if (name === "connection") assert.doesNotMatch(value, /x-/i, "the server chooses what a hop drops");
  }
}

/** A site behind an HTTP authorization server that answers as told. */
async function serveHttpAuth(
  plane: Plane,
  answer: (seen: SeenRequest) => Reply | undefined,
  changes: Partial<ExternalAuth> = {},
) {
  const web = await plane.http("web");
  const guard = await plane.http("guard", { answer });
  const auth = authBy(targetOf(guard), changes);
  return { web, guard, ...(await plane.serve([rule("/", { auth, backends: [to(web)] })])) };
}

async function serveGrpcAuth(
  plane: Plane,
  answer: (request: CheckedRequest) => Buffer,
  changes: Partial<ExternalAuth> = {},
) {
  const web = await plane.http("web");
  const asked: CheckedRequest[] = [];
  const guard = await plane.grpc("guard", {
    answer: (message) => {
      const request = readCheckRequest(message);
      asked.push(request);
      return answer(request);
    },
  });
  const auth = authBy(targetOf(guard), { ...grpc, ...changes });
  return { web, guard, asked, ...(await plane.serve([rule("/", { auth, backends: [to(web)] })])) };
}

export const externalAuthCases = [
  test("HTTP: 200 lets the request through as it was", feature, async (plane) => {
    const { get, guard } = await serveHttpAuth(plane, () => ({ status: 200 }));
    const answer = await get("/path?x=1", { method: "POST", body: "mine", host: "www.shop.test" });
    assert.equal(answer.from, "web");
    assert.equal(answer.seen?.body, "mine");
    assert.equal(answer.seen.target, "/path?x=1");
    const [asked] = guard.requests;
    assert.equal(asked?.method, "POST");
    assert.equal(asked.target, "/path?x=1");
    assert.equal(asked.host, "www.shop.test");
    assert.equal(asked.body, "");
  }),

  test(
    "HTTP: the server is asked behind its own path, about the path that was matched",
    feature,
    async (plane) => {
      const { get, guard } = await serveHttpAuth(plane, () => ({ status: 200 }), { pathPrefix: "/check" });
      await get("/a/../b//c");
      assert.equal(guard.requests[0]?.target, "/check/b/c");
    },
  ),

  test("HTTP: only the headers that may be seen are sent along", feature, async (plane) => {
    const { get, guard } = await serveHttpAuth(plane, () => ({ status: 200 }), {
      requestHeaders: ["x-shown"],
    });
    await get("/", {
      headers: { "x-shown": "1", "x-hidden": "1", authorization: "Bearer t", cookie: "c=1" },
    });
    const [asked] = guard.requests;
    assert.equal(seenHeader(asked!, "x-shown"), "1");
    assert.equal(seenHeader(asked!, "x-hidden"), undefined);
    assert.equal(seenHeader(asked!, "cookie"), undefined);
    assert.equal(seenHeader(asked!, "authorization"), "Bearer t");
  }),

  test(
    "HTTP: headers of a yes go to the backend in place of the client's, if they are listed",
    feature,
    async (plane) => {
      const headers = { "x-user": "anna", "x-internal": "1" };
      const { get } = await serveHttpAuth(plane, () => ({ status: 200, headers }), {
        responseHeaders: ["x-user"],
      });
      const { seen } = await get("/", { headers: { "x-user": "root" } });
      assert.equal(seenHeader(seen!, "x-user"), "anna");
      assert.equal(seenHeader(seen!, "x-internal"), undefined);
    },
  ),

  test("HTTP: a yes changes neither host nor framing, be they listed", feature, async (plane) => {
    const headers = { ...reserved, connection: "x-hop, keep-alive", "x-hop": "1", "x-user": "anna" };
    const { get, web } = await serveHttpAuth(plane, () => ({ status: 200, headers, body: "" }), {
      responseHeaders: [...Object.keys(reserved), "connection", "transfer-encoding", "x-user"],
    });
    assertOwnFraming(await get("/path", posted));
    assertOwnFraming(await get("/path", posted));
    assert.equal(web.requests.length, 2, "nothing became a request of its own");
  }),

  test("HTTP: what frames the client's request does not frame the server's", feature, async (plane) => {
    const { get, guard } = await serveHttpAuth(plane, () => ({ status: 200 }), {
      requestHeaders: [...Object.keys(reserved), "connection", "transfer-encoding"],
    });
    for (const length of ["content-length", "transfer-encoding"] as const) {
      const headers = length === "content-length" ? {} : { "transfer-encoding": "chunked" };
      assert.equal((await get("/path", { method: "POST", body: "mine", headers })).seen?.body, "mine");
    }
    assert.deepEqual(
      guard.requests.map(({ target, body }) => [target, body]),
      [
        ["/path", ""],
        ["/path", ""],
      ],
    );
  }),

  test("HTTP: a no is the client's answer", feature, async (plane) => {
    const reply = { status: 401, body: "who are you?", headers: { "www-authenticate": "Basic" } };
    const { get, web } = await serveHttpAuth(plane, () => reply);
    const answer = await get("/");
    assert.equal(answer.status, 401);
    assert.equal(answer.body, "who are you?");
    assert.equal(answer.header("www-authenticate"), "Basic");
    assert.equal(web.requests.length, 0);
  }),

  test("HTTP: a redirect of the server is the client's", feature, async (plane) => {
    const reply = { status: 302, body: "", headers: { location: "https://login.test/?next=1" } };
    const { get, web } = await serveHttpAuth(plane, () => reply);
    const answer = await get("/");
    assert.equal(answer.status, 302);
    assert.equal(answer.header("location"), "https://login.test/?next=1");
    assert.equal(web.requests.length, 0);
  }),

  test("HTTP: whatever is no clear yes refuses the request", feature, async (plane) => {
    const { get, web } = await serveHttpAuth(plane, ({ target }): Reply => {
      if (target.startsWith("/broken")) return { breakOff: "head" };
      return { status: Number(target.slice(1)) };
    });
    for (const path of ["/500", "/503", "/404", "/429", "/broken"]) {
      const { status } = await get(path);
      assert.ok(status >= 400, `${path} was answered with ${status}`);
    }
    assert.equal(web.requests.length, 0);
  }),

  test("HTTP: a server that is down, or not there, refuses every request", feature, async (plane) => {
    const web = await plane.http("web");
    const gone = await plane.http("gone");
    await gone.stop();
    const { get } = await plane.serve([
      rule("/gone", { auth: authBy(targetOf(gone)), backends: [to(web)] }),
      rule("/none", { auth: authBy(noTarget), backends: [to(web)] }),
      rule("/", web),
    ]);
    for (const path of ["/gone", "/none"]) assert.ok((await get(path)).status >= 400, path);
    assert.equal(web.requests.length, 0);
    assert.equal((await get("/open")).from, "web");
  }),

  test("HTTP: a server that does not answer refuses the request in the end", feature, async (plane) => {
    const { get, web } = await serveHttpAuth(plane, () => ({ delay: 12_000 }));
    assert.ok((await get("/")).status >= 400);
    assert.equal(web.requests.length, 0);
  }),

  test("HTTP: the body is sent along as far as is allowed", feature, async (plane) => {
    const { get, guard, web } = await serveHttpAuth(plane, () => ({ status: 200 }), { maxBodySize: 100 });
    const small = await get("/", { method: "POST", body: "small" });
    assert.equal(small.seen?.body, "small");
    assert.equal(guard.requests[0]?.body, "small");
    const large = await get("/", { method: "POST", body: "x".repeat(5_000) });
    // A server that cannot see all of it may be asked about a part, or not at all; then the request is refused.
    assert.ok(large.status === 413 || large.seen?.body.length === 5_000, `status ${large.status}`);
    assert.ok((guard.requests[1]?.body.length ?? 0) <= 100);
    assert.ok(web.requests.length <= 2);
  }),

  test("HTTP: a redirected request is asked about too", feature, async (plane) => {
    const guard = await plane.http("guard", { answer: () => ({ status: 403 }) });
    const auth = authBy(targetOf(guard));
    const redirect = { hostname: "secret.test", port: 80, statusCode: 301 } as const;
    const { get } = await plane.serve([rule("/", { auth, redirect })]);
    assert.equal((await get("/")).status, 403);
  }),

  test("gRPC: a yes lets the request through, with the headers it brings", feature, async (plane) => {
    const { get, asked } = await serveGrpcAuth(plane, () => allowed({ "x-user": "anna" }));
    const answer = await get("/path?x=1", {
      method: "PUT",
      host: "www.shop.test",
      headers: { "x-user": "root", "x-mine": "1" },
      body: "mine",
    });
    assert.equal(answer.from, "web");
    assert.equal(answer.seen?.body, "mine");
    assert.equal(seenHeader(answer.seen, "x-user"), "anna");
    const [request] = asked;
    assert.equal(request?.method, "PUT");
    assert.equal(request.path, "/path?x=1");
    assert.equal(request.host, "www.shop.test");
    assert.equal(request.headers.get("x-mine"), "1");
    assert.equal(request.body, "");
  }),

  test("gRPC: a yes changes neither host nor framing", feature, async (plane) => {
    const pseudo = { ":authority": "evil.test", ":path": "/evil", ":method": "DELETE" };
    const hop = { connection: "x-hop", "transfer-encoding": "chunked", "proxy-connection": "x-hop" };
    for (const changes of [reserved, hop, pseudo]) {
      const { get, web } = await serveGrpcAuth(plane, () => allowed({ ...changes, "x-user": "anna" }));
      const answers = [await get("/path", posted), await get("/path", posted)];
      // One that says such things need not be believed at all.
      for (const answer of answers) if (answer.status < 400) assertOwnFraming(answer);
      assert.equal(web.requests.length, answers.filter(({ status }) => status < 400).length);
    }
  }),

  test("gRPC: only the headers that are listed are sent along", feature, async (plane) => {
    const { get, asked } = await serveGrpcAuth(plane, () => allowed(), { requestHeaders: ["x-shown"] });
    await get("/", { headers: { "x-shown": "1", "x-hidden": "1" } });
    assert.equal(asked[0]?.headers.get("x-shown"), "1");
    assert.equal(asked[0].headers.get("x-hidden"), undefined);
  }),

  test("gRPC: a no is the client's answer", feature, async (plane) => {
    const { get, web } = await serveGrpcAuth(plane, () => denied(401, { "x-why": "no token" }, "go away"));
    const answer = await get("/");
    assert.equal(answer.status, 401);
    assert.equal(answer.header("x-why"), "no token");
    assert.equal(answer.body, "go away");
    assert.equal(web.requests.length, 0);
  }),

  test("gRPC: a no without a status is 403", feature, async (plane) => {
    const { get } = await serveGrpcAuth(plane, () => denied(0));
    assert.equal((await get("/")).status, 403);
  }),

  test("gRPC: whatever is no clear yes refuses the request", feature, async (plane) => {
    const { get, web, guard } = await serveGrpcAuth(plane, () => Buffer.from([0xff, 0xff, 0xff]));
    assert.ok((await get("/")).status >= 400, "an answer that cannot be read");
    await guard.stop();
    assert.ok((await get("/")).status >= 400, "no server");
    assert.equal(web.requests.length, 0);
  }),

  test("gRPC: the body is sent along", feature, async (plane) => {
    const { get, asked } = await serveGrpcAuth(plane, () => allowed(), { maxBodySize: 1_000 });
    const answer = await get("/", { method: "POST", body: "look at this" });
    assert.equal(answer.seen?.body, "look at this");
    assert.equal(asked[0]?.body, "look at this");
  }),

  test("a backend's own authorization holds for it alone", feature, async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const guard = await plane.http("guard", { answer: () => ({ status: 403 }) });
    const auth = authBy(targetOf(guard));
    const { get } = await plane.serve([rule("/", { backends: [to(one, { auth }), to(two)] })]);
    const statuses = new Set<number>();
    for (let request = 0; request < 20; request++) statuses.add((await get("/")).status);
    assert.deepEqual(statuses, new Set([200, 403]));
    assert.equal(one.requests.length, 0);
  }),
];

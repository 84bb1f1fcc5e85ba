import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, rule, to } from "../items.ts";
import { pause } from "../traffic/deadline.ts";
import { startHttpBackend } from "../traffic/http-backend.ts";
import { exchangeRaw } from "../traffic/raw-client.ts";

const test = casesOf("backends");

export const backendCases = [
  test("endpoints that change are in force when apply resolves", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const { get } = await plane.serve([rule("/", one)]);
    for (const next of [two, one, two]) {
      await plane.apply({ endpoints: [endpointsItem(one.backend, next.port)] });
      for (let request = 0; request < 5; request++) assert.equal((await get("/")).from, next.name);
    }
  }),

  test(
    "a backend whose endpoints all went answers 503, and comes back with them",
    "HTTPRoute",
    async (plane) => {
      const web = await plane.http("web");
      const { get } = await plane.serve([rule("/", web)]);
      await plane.apply({ endpoints: [endpointsItem(web.backend)] });
      assert.equal((await get("/")).status, 503);
      await plane.apply({ endpoints: [web.endpoints] });
      assert.equal((await get("/")).from, "web");
      await plane.apply({ endpoints: [web.backend.key] });
      assert.equal((await get("/")).status, 503);
    },
  ),

  test("an endpoint may be a name that the proxy resolves", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", web)], {
      endpoints: [{ key: web.backend.key, endpoints: [{ address: "localhost", port: web.port }] }],
    });
    assert.equal((await get("/")).from, "web");
  }),

  test(
    "a backend that is down is answered for, and is used again when it is back",
    "HTTPRoute",
    async (plane) => {
      const web = await plane.http("web");
      const { get } = await plane.serve([rule("/", web)]);
      await web.stop();
      const { status } = await get("/");
      assert.ok(status === 502 || status === 503, `while it is down: ${status}`);
      const again = await startHttpBackend({ name: "again", port: web.port });
      plane.atEnd(() => again.stop());
      const end = Date.now() + plane.patience;
      // A proxy may keep away from an endpoint for a while after it failed.
      while ((await get("/")).from !== "again") {
        assert.ok(Date.now() < end, "the backend is used again");
        await pause(100);
      }
    },
  ),

  test(
    "a backend that breaks off in its answer leaves the client no whole answer",
    "HTTPRoute",
    async (plane) => {
      const web = await plane.http("web", { answer: () => ({ breakOff: "body" }) });
      const chunked = await plane.http("chunked", {
        answer: () => ({ breakOff: "body", headers: { "transfer-encoding": "chunked" } }),
      });
      const { get } = await plane.serve([rule("/chunked", chunked), rule("/", web)]);
      await assert.rejects(get("/"));
      await assert.rejects(get("/chunked"));
    },
  ),

  test("a backend that is no HTTP server is answered for", "HTTPRoute", async (plane) => {
    const odd = await plane.tcp("odd");
    const { get } = await plane.serve([rule("/", { backends: [to(odd)] })], {
      backends: [{ ...odd.backend, protocol: "http" }],
    });
    const { status } = await get("/");
    assert.ok(status === 502 || status === 503, `status ${status}`);
  }),

  test("connections to a backend are kept", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", web)]);
    for (let request = 0; request < 20; request++) await get("/");
    const connections = new Set(web.requests.map(({ connection }) => connection));
    assert.ok(connections.size <= 5, `${connections.size} connections for 20 requests in turn`);
  }),

  test(
    "a backend that closes its connection after each answer is used all the same",
    "HTTPRoute",
    async (plane) => {
      const web = await plane.http("web", { answer: () => ({ headers: { connection: "close" } }) });
      const { get } = await plane.serve([rule("/", web)]);
      for (let request = 0; request < 10; request++) assert.equal((await get("/")).from, "web");
    },
  ),

  test("bodies of many megabytes pass in both directions", "HTTPRoute", async (plane) => {
    const size = 8 * 1024 * 1024;
    const sent = Buffer.alloc(size, "gatewright ");
    const hash = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
    const web = await plane.http("web", {
      answer: ({ body }) => ({ body: sent, headers: { "x-hash": hash(body) } }),
    });
    const { get } = await plane.serve([rule("/", web)]);
    const answer = await get("/", { method: "POST", body: sent });
    assert.equal(answer.header("x-hash"), hash(sent), "of the request's body");
    assert.equal(hash(answer.bytes), hash(sent), "of the answer's body");
  }),

  test("an answer is passed on as it comes", "HTTPRoute", async (plane) => {
    const pieces = ["one", "two", "three"].map((data) => ({ after: 300, data }));
    const web = await plane.http("web", { answer: () => ({ pieces }) });
    const { get } = await plane.serve([rule("/", web)]);
    const times: number[] = [];
    const answer = await get("/", { onPiece: () => times.push(Date.now()) });
    assert.equal(answer.body, "onetwothree");
    assert.ok(times.at(-1)! - times[0]! >= 400, "the first piece came before the last was sent");
  }),

  test("a body in chunks reaches the backend whole", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    await exchangeRaw(
      at,
      "POST /x HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" +
        "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
    );
    assert.equal(web.requests[0]?.body, "hello world");
  }),

  test("HEAD, 204 and 304 have no body, and the next answer is whole", "HTTPRoute", async (plane) => {
    const web = await plane.http("web", {
      answer: ({ target }) => (/^\/[0-9]+$/.test(target) ? { status: Number(target.slice(1)) } : undefined),
    });
    const { get } = await plane.serve([rule("/", web)]);
    for (const [path, method, status] of [
      ["/", "HEAD", 200],
      ["/204", "GET", 204],
      ["/304", "GET", 304],
    ] as const) {
      const answer = await get(path, { method });
      assert.equal(answer.status, status);
      assert.equal(answer.bytes.length, 0, path);
      assert.equal((await get("/")).from, "web");
    }
  }),

  test("a client that waits for 100 Continue gets it, or the answer", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", web)]);
    const answer = await get("/", {
      method: "POST",
      headers: { expect: "100-continue" },
      body: "worth the wait",
    });
    assert.equal(answer.seen?.body, "worth the wait");
  }),

  test("a backend may begin to speak another protocol", "HTTPRouteBackendProtocolH2C", async (plane) => {
    const [old, modern] = [await plane.http("old"), await plane.http("modern", { http2: true })];
    const { get } = await plane.serve([rule("/", old)]);
    assert.equal((await get("/")).seen?.protocol, "HTTP/1.1");
    await plane.apply({
      backends: [{ ...old.backend, protocol: "h2c" }],
      endpoints: [endpointsItem(old.backend, modern.port)],
    });
    const answer = await get("/");
    assert.equal(answer.from, "modern");
    assert.equal(answer.seen?.protocol, "HTTP/2");
  }),
];

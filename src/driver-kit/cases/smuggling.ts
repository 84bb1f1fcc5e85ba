/*
 * Two readers of one connection must never disagree about where a request ends. Each case sends bytes that some servers read
 * one way and some another: the gateway must refuse them, or pass on one reading that leaves no doubt. In
 * all of them the hidden request must not reach a backend.
 */
import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { rule } from "../items.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";
import { sendRawHttp2 } from "../traffic/raw-http2.ts";
import { seenHeader, type SeenRequest } from "../traffic/seen-request.ts";

const test = casesOf("smuggling");

const hidden = "GET /hidden HTTP/1.1\r\nHost: a.test\r\n\r\n";
const post = "POST /shown HTTP/1.1\r\nHost: a.test\r\n";

/** Bytes by what is wrong with them. */
const ambiguous: Readonly<Record<string, string>> = {
  "Content-Length and Transfer-Encoding": `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  "Transfer-Encoding and Content-Length": `${post}Transfer-Encoding: chunked\r\nContent-Length: ${hidden.length + 5}\r\n\r\n0\r\n\r\n${hidden}`,
  "two lengths": `${post}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  "a list of lengths": `${post}Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`,
  "a signed length": `${post}Content-Length: +0\r\n\r\n${hidden}`,
  "a negative length": `${post}Content-Length: -1\r\n\r\n${hidden}`,
  "a hexadecimal length": `${post}Content-Length: 0x10\r\n\r\n${hidden}`,
  "a space before the colon of the length": `${post}Content-Length : ${hidden.length}\r\n\r\n${hidden}`,
  "a space before the colon of the coding": `${post}Transfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n${hidden}`,
  "an unknown coding": `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
  "two codings": `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
  "a coding after chunked": `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${hidden}`,
  "a vertical tab in the coding": `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${hidden}`,
  "a folded header": `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${hidden}`,
  "a folded first header": `GET /shown HTTP/1.1\r\n X: y\r\nHost: a.test\r\n\r\n`,
  "a bare LF between headers": `POST /shown HTTP/1.1\r\nHost: a.test\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${hidden}`,
  "a bare CR in a header": `${post}X-One: a\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${hidden}`,
  "a NUL in a header": `${post}X-One: a\x00b\r\nContent-Length: 0\r\n\r\n`,
  "a header without a colon": `${post}X-One\r\nContent-Length: 0\r\n\r\n`,
  "a header without a name": `${post}: x\r\nContent-Length: 0\r\n\r\n`,
  "a size of a chunk that is no number": `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n${hidden}`,
  "a size of a chunk with a sign": `${post}Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${hidden}`,
  "a size of a chunk beyond all bounds": `${post}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\nx\r\n0\r\n\r\n${hidden}`,
  "a chunk longer than its size": `${post}Transfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n${hidden}`,
  "two Hosts": `GET /shown HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n`,
  "a space in the target": "GET /shown /x HTTP/1.1\r\nHost: a.test\r\n\r\n",
  "another protocol": "GET /shown HTTQ/1.1\r\nHost: a.test\r\n\r\n",
  "a coding in HTTP/1.0": `POST /shown HTTP/1.0\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
};

/** Requests that are well formed enough to have an end, and are refused or answered so that the connection must close. */
const last: Readonly<Record<string, string>> = {
  "a coding in HTTP/1.0 that keeps the connection":
    "POST /shown HTTP/1.0\r\nHost: a.test\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "a coding before chunked": `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  "a length of many zeros": `${post}Content-Length: 000000000000000000000000\r\n\r\n`,
  "two Hosts": "GET /shown HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n",
  "a path that is refused": "GET /x/..;/y HTTP/1.1\r\nHost: a.test\r\n\r\n",
  "an unknown expectation": `${post}Expect: foo\r\nContent-Length: 0\r\n\r\n`,
  "an answer without a length to HTTP/1.0":
    "GET /shown HTTP/1.0\r\nHost: a.test\r\nConnection: keep-alive\r\n\r\n",
};

type Fields = readonly (readonly [name: string, value: string])[];

const decent: Fields = [
  [":method", "POST"],
  [":scheme", "http"],
  [":authority", "a.test"],
  [":path", "/shown"],
];

/** A decent request with one more field, or with another value of a field that it has. */
function withField(name: string, value: string): Fields {
  if (!name.startsWith(":")) return [...decent, [name, value]];
  return decent.map((field) => (field[0] === name ? [name, value] : field));
}

/** HTTP/2 has its own ends of messages and of fields; what means another end in HTTP/1.1 must not get there. */
const http2Fields: Readonly<Record<string, Fields>> = {
  "a Transfer-Encoding": withField("transfer-encoding", "chunked"),
  "a Connection": withField("connection", "x-one"),
  "a Content-Length that is too short": withField("content-length", "1"),
  "a Content-Length that is too long": withField("content-length", "1000"),
  "a Host that is not the authority": withField("host", "b.test"),
  "a line break in a value": withField("x-one", "a\r\ntransfer-encoding: chunked"),
  "a line feed in a value": withField("x-one", "a\nx-two: b"),
  "a NUL in a value": withField("x-one", "a\x00b"),
  "a line break in a name": withField("x-one: a\r\nx-two", "b"),
  "a space in a name": withField("content-length ", "1"),
  "a capital letter in a name": withField("Content-Length", "1"),
  "a line break in the path": withField(":path", "/shown HTTP/1.1\r\nHost: b.test\r\n\r\nGET /hidden"),
  "a line break in the method": withField(":method", "GET /hidden HTTP/1.1\r\nHost: a.test\r\n\r\nPOST"),
  "a line break in the authority": withField(":authority", "a.test\r\nx-two: b"),
  "a second path": [...decent, [":path", "/hidden"]],
  "no path": decent.filter(([name]) => name !== ":path"),
};

/**
 * RFC 9112 lets a server mend a folded line or a bare CR before it reads the field. Then the bytes that follow are a request of
 * their own, to everybody: the client is answered twice, and nothing of what was mended is passed on.
 */
function assertRepaired(requests: readonly SeenRequest[], received: string): void {
  assert.deepEqual(
    requests.map(({ target, body }) => [target, body]),
    [
      ["/shown", ""],
      ["/hidden", ""],
    ],
  );
  assert.equal(received.match(/HTTP\/1\.1 200 /g)?.length, 2, "each request has an answer");
  for (const { headers } of requests) {
    assert.ok(!headers.some(([, value]) => /[\r\n]/.test(value)), "a line break is passed on");
  }
}

export const smugglingCases = [
  ...Object.entries(ambiguous).map(([what, bytes]) =>
    test(`${what} hides nothing`, "HTTPRoute", async (plane) => {
      const web = await plane.http("web");
      const { at } = await plane.serve([rule("/", web)]);
      const received = await exchangeRaw(at, bytes, { patience: 2_000 });
      const paths = web.requests.map(({ target }) => target);
      if (plane.repairs.has(what) && paths.length === 2) {
        assertRepaired(web.requests, received);
        return;
      }
      assert.ok(!paths.includes("/hidden"), "the hidden request reached the backend");
      const [status] = statusesIn(received);
      if (paths.length === 0) {
        assert.ok(status === undefined || status >= 400, `refused with ${status}`);
        return;
      }
      assert.deepEqual(paths, ["/shown"]);
      const [seen] = web.requests;
      const has = (name: string) => seenHeader(seen!, name) !== undefined;
      assert.ok(!(has("content-length") && has("transfer-encoding")), "two ends in one request");
    }),
  ),

  ...Object.entries(last).map(([what, bytes]) =>
    test(`nothing is served behind an answer that closes: ${what}`, "HTTPRoute", async (plane) => {
      const web = await plane.http("web", { answer: () => ({ pieces: [{ after: 0, data: "one" }] }) });
      const { at } = await plane.serve([rule("/", web)]);
      const received = await exchangeRaw(at, bytes + hidden, { patience: 2_000 });
      // RFC 9112 9.6. A server may also keep the connection; then the second request is answered like any other.
      const isClosed = /^connection: close\r$/im.test(received.split("\r\n\r\n")[0]!);
      const isServed = web.requests.some(({ target }) => target === "/hidden");
      assert.ok(!isServed || !isClosed, "a request was served behind the last answer");
      assert.ok(!isServed || statusesIn(received).length === 2, "a request was served and not answered");
    }),
  ),

  test("what follows a request with Connection: close takes nothing from it", "HTTPRoute", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ delay: 200 }) });
    const { at } = await plane.serve([rule("/", web)]);
    const received = await exchangeRaw(at, `${post}Content-Length: 1\r\nConnection: close\r\n\r\nx${hidden}`);
    assert.deepEqual(statusesIn(received), [200]);
    assert.deepEqual(
      web.requests.map(({ target }) => target),
      ["/shown"],
    );
  }),

  test("a CONNECT behind another request is refused in its turn", "HTTPRoute", async (plane) => {
    const web = await plane.http("web", { answer: () => ({ delay: 200 }) });
    const { at, get } = await plane.serve([rule("/", web)]);
    const connect = "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\n\r\n";
    const received = await exchangeRaw(at, `GET /shown HTTP/1.1\r\nHost: a.test\r\n\r\n${connect}`);
    const [first, second = 400] = statusesIn(received);
    assert.equal(first, 200);
    assert.ok(second >= 400, `CONNECT was answered with ${second}`);
    assert.equal((await get("/")).from, "web", "others are served as before");
  }),

  test("requests in one go are answered in their order", "HTTPRoute", async (plane) => {
    const web = await plane.http("web", { answer: ({ target }) => ({ delay: target === "/1" ? 200 : 0 }) });
    const { at } = await plane.serve([rule("/", web)]);
    const requests = ["/1", "/2", "/3"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    const received = await exchangeRaw(at, requests.join(""));
    const targets = [...received.matchAll(/"target":"([^"]*)"/g)].map((found) => found[1]);
    assert.deepEqual(targets, ["/1", "/2", "/3"]);
  }),

  ...Object.entries(http2Fields).map(([what, fields]) =>
    test(`over HTTP/2, ${what} hides nothing`, "GRPCRoute", async (plane) => {
      const web = await plane.http("web");
      const { at } = await plane.serve([rule("/", web)]);
      await sendRawHttp2(at, fields, hidden);
      // Refused, or passed on as what it is: one request to this host with this body.
      for (const seen of web.requests) {
        assert.equal(seen.target, "/shown");
        assert.equal(seen.host, "a.test");
        assert.equal(seen.body, hidden);
        assert.equal(seenHeader(seen, "x-two"), undefined);
      }
      assert.ok(web.requests.length <= 1, `${web.requests.length} requests became of one`);
      const client = await plane.http2(at);
      assert.equal((await client.request({ path: "/" })).from, "web", "others are served as before");
    }),
  ),
];

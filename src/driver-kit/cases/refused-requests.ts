/*
 * Requests that are malformed, and that some backend would read as another one than the gateway did: the gateway mends nothing
 * of them, it refuses them.
 */
import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { rule } from "../items.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";
import { sendRawHttp2 } from "../traffic/raw-http2.ts";

const test = casesOf("refused requests");

const host = "Host: a.test\r\n";
const post = `POST /x HTTP/1.1\r\n${host}`;

/** Bytes by what is wrong with them. */
const refused: Readonly<Record<string, string>> = {
  "another protocol of the same version": `GET /x FTP/1.1\r\n${host}\r\n`,
  "no protocol": `GET /x /\r\n${host}\r\n`,
  "a protocol without a version": `GET /x HTTP/\r\n${host}\r\n`,
  "a version with a leading zero": `GET /x HTTP/01.1\r\n${host}\r\n`,
  "a version said twice": `GET /x HTTP/1.1HTTP/1.1\r\n${host}\r\n`,
  "a coding and nothing": `${post}Transfer-Encoding: chunked,\r\n\r\n0\r\n\r\n`,
  "nothing and a coding": `${post}Transfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n`,
  "a coding with a parameter": `${post}Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n`,
  "an empty coding": `${post}Transfer-Encoding:\r\n\r\n0\r\n\r\n`,
  "a target of another protocol": `GET ftp://a.test/x HTTP/1.1\r\n${host}\r\n`,
};

const field = (name: string, value: string) => [name, value] as const;
const http2 = (authority: string, path: string, scheme = "http") => [
  field(":method", "GET"),
  field(":scheme", scheme),
  field(":authority", authority),
  field(":path", path),
];

const refusedHttp2 = {
  "a path in the authority": http2("a.test/x", "/y"),
  "a query in the authority": http2("a.test?x", "/y"),
  "a path in the authority, and a Host": [...http2("a.test/x", "/y"), field("host", "a.test")],
  "a fragment in the authority": http2("a.test#x", "/y"),
  "a user in the authority": http2("a@a.test", "/y"),
  "a second port in the authority": http2("a.test:80:8080", "/y"),
};

export const refusedRequestCases = [
  test("what is malformed is refused", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    const taken: string[] = [];
    for (const [what, bytes] of Object.entries(refused)) {
      const [status] = statusesIn(await exchangeRaw(at, bytes, { silence: 100, patience: 2_000 }));
      const isRefused = status === undefined || (status >= 400 && status !== 404);
      if (!isRefused || web.requests.length > taken.length) taken.push(what);
    }
    assert.deepEqual(taken, []);
  }),

  test("what is malformed over HTTP/2 is refused", "GRPCRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    const taken: string[] = [];
    for (const [what, fields] of Object.entries(refusedHttp2)) {
      await sendRawHttp2(at, fields, "");
      if (web.requests.length > taken.length) taken.push(what);
    }
    assert.deepEqual(taken, []);
  }),
];

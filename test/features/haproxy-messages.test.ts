/*
 * Messages that HAProxy would pass on by itself though they are malformed or mean something to one connection only. What clients send
 * comes from the contract where all drivers agree; here is the rest.
 */
import { once } from "node:events";
import http2 from "node:http2";
import tls from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { makeCertificate } from "../../src/driver-kit/certificates.ts";
import { equals, rule, to } from "../../src/driver-kit/items.ts";
import { eventually } from "../../src/driver-kit/traffic/deadline.ts";
import { connectHttp2 } from "../../src/driver-kit/traffic/http2-client.ts";
import { exchangeRaw, statusesIn } from "../../src/driver-kit/traffic/raw-client.ts";
import { sendRawHttp2 } from "../../src/driver-kit/traffic/raw-http2.ts";
import { seenHeader } from "../../src/driver-kit/traffic/seen-request.ts";
import { haproxyDriver } from "../../src/drivers/haproxy/index.ts";
import type { RuleAction } from "../../src/model/index.ts";
import { planesOf } from "./support/planes-of.ts";

const records: object[] = [];
const { started, siteOf, ends } = planesOf("haproxy", () =>
  haproxyDriver({ limits: { grace: 500 }, accessLog: (record) => void records.push(record) }),
);
afterEach(() => {
  records.length = 0;
});

const request = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";

const malformed: readonly string[] = [
  "HTTP/1.1 099 Odd\r\nContent-Length: 31\r\n\r\nHTTP/1.1 200 OK\r\nX-Hidden: 1\r\n\r\n",
  "HTTP/1.1 20 Odd\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 2000 Odd\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 65736 Odd\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nX-One: a\0b\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nX-One: a\x0bb\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.0 200 OK\r\nX-One: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
];

/** An answer as it is, and through the section that tries again. */
const ways: readonly (readonly [name: string, action: Partial<RuleAction>])[] = [
  ["once", {}],
  ["with retries", { retry: { attempts: 1, statusCodes: [503], backoff: 1 } }],
];

describe.each(ways)("answers of HAProxy's backends, asked %s", (_, action) => {
  it("lose what belongs to the backend's connection", { timeout: 30_000 }, async (context) => {
    const fields =
      "Connection: x-inner, Content-Length\r\nX-Inner: 1\r\nProxy-Connection: x-inner\r\nX-Own: 1\r\n";
    const { at } = await siteOf(context, `HTTP/1.1 200 OK\r\n${fields}Content-Length: 2\r\n\r\nok`, action);
    const received = (await exchangeRaw(at, request)).toLowerCase();
    expect(received).toMatch(/^http\/1\.1 200 /);
    expect(received).toContain("\r\nx-own: 1\r\n");
    expect(received).toContain("\r\ncontent-length: 2\r\n");
    expect(received).not.toContain("x-inner");
    expect(received).not.toContain("connection:");
  });

  it("cannot say which endpoint gave them, or with which status", { timeout: 30_000 }, async (context) => {
    const ours = "Gatewright-Server: 192.0.2.1_80\r\nGatewright-Status: 404\r\nContent-Length: 2\r\n\r\nok";
    const named = "Connection: gatewright-server\r\n";
    const { at } = await siteOf(
      context,
      (socket, asked) =>
        socket.write(`HTTP/1.1 200 OK\r\n${asked.startsWith("GET /named ") ? named : ""}${ours}`),
      action,
    );
    for (const path of ["/", "/named"]) {
      const received = await exchangeRaw(at, `GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
      expect(received).not.toMatch(/gatewright-/i);
    }
    await eventually(10_000, "two records", () => records.length === 2);
    const endpoint: unknown = expect.stringMatching(/^127\.0\.0\.1:/);
    for (const record of records) expect(record).toMatchObject({ status: 200, endpoint });
  });

  it("are refused with 502 if they are malformed", { timeout: 30_000 }, async (context) => {
    const answerTo = (request: string) => malformed[Number(/^GET \/([0-9]+) /.exec(request)?.[1])]!;
    const { at } = await siteOf(
      context,
      (socket, request) => socket.write(answerTo(request), "latin1"),
      action,
    );
    const answers: string[] = [];
    for (const index of malformed.keys()) {
      answers.push(await exchangeRaw(at, `GET /${index} HTTP/1.1\r\nHost: a.test\r\n\r\n`));
    }
    expect(answers.map((received) => received.slice(0, 13))).toEqual(malformed.map(() => "HTTP/1.1 502 "));
    expect(answers.join("")).not.toMatch(/x-one|x-hidden/i);
  });
});

describe("requests to HAProxy", () => {
  it("are refused with 400 for methods that others do not know", { timeout: 30_000 }, async (context) => {
    const { at } = await siteOf(context, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const statuses: Record<string, number | undefined> = {};
    for (const method of ["post", "G'T", "GET", "M-SEARCH"]) {
      [statuses[method]] = statusesIn(await exchangeRaw(at, `${method} / HTTP/1.1\r\nHost: a.test\r\n\r\n`));
    }
    expect(statuses).toEqual({ post: 400, "G'T": 400, GET: 200, "M-SEARCH": 200 });
  });

  it("are refused if protocol, version or coding are none", { timeout: 30_000 }, async (context) => {
    const { at } = await siteOf(context, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const statusOf = async (line: string, fields = "") =>
      statusesIn(await exchangeRaw(at, `${line}\r\nHost: a.test\r\n${fields}\r\n0\r\n\r\n`))[0];
    const statuses: Record<string, number | undefined> = {};
    for (const version of [
      "HTTP/1.1",
      "HTTP/1.0",
      "HTTP/3.0",
      "HTTP/01.1",
      "HTTP/1.1HTTP/1.1",
      "FTP/1.1",
      "/",
    ]) {
      statuses[version] = await statusOf(`GET / ${version}`);
    }
    for (const coding of ["chunked", "Chunked", "chunked,", "chunked\r\nTransfer-Encoding: chunked"]) {
      statuses[coding] = await statusOf("POST / HTTP/1.1", `Transfer-Encoding: ${coding}\r\n`);
    }
    statuses["chunked in 1.0"] = await statusOf("POST / HTTP/1.0", "Transfer-Encoding: chunked\r\n");
    expect(statuses).toEqual({
      "HTTP/1.1": 200,
      "HTTP/1.0": 200,
      "HTTP/3.0": 400,
      "HTTP/01.1": 400,
      "HTTP/1.1HTTP/1.1": 400,
      "FTP/1.1": 400,
      "/": 400,
      chunked: 200,
      Chunked: 200,
      "chunked,": 501,
      "chunked\r\nTransfer-Encoding: chunked": 400,
      "chunked in 1.0": 400,
    });
  });

  it("are known to their backend by one id", { timeout: 30_000 }, async (context) => {
    const plane = await started(context);
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    await exchangeRaw(at, "GET / HTTP/1.1\r\nHost: a.test\r\nX-Request-Id: one\r\nX-Request-Id: two\r\n\r\n");
    expect(web.requests[0]?.headers.filter(([name]) => name === "x-request-id")).toEqual([
      ["x-request-id", "one"],
    ]);
  });

  it("are matched and changed by bytes of UTF-8", { timeout: 30_000 }, async (context) => {
    const plane = await started(context);
    const [french, web] = [await plane.http("french"), await plane.http("web")];
    const set = [{ name: "x-set", value: "d\u00e9j\u00e0 \u20ac" }];
    const { at } = await plane.serve([
      rule(
        { headers: [equals("x-word", "\u00e9t\u00e9 \u20ac")] },
        { backends: [to(french)], requestHeaders: { set, add: [], remove: [] } },
      ),
      rule("/", web),
    ]);
    const get = (value: Buffer) => {
      const [before, after] = ["GET / HTTP/1.1\r\nHost: a.test\r\nX-Word: ", "\r\n\r\n"];
      return exchangeRaw(at, Buffer.concat([Buffer.from(before), value, Buffer.from(after)]));
    };
    await get(Buffer.from("\u00e9t\u00e9 \u20ac"));
    await get(Buffer.from("\u00e9t\u00e9", "latin1"));
    expect(french.requests).toHaveLength(1);
    expect(web.requests).toHaveLength(1);
    // Node reads each byte as a character.
    const seen = seenHeader(french.requests[0]!, "x-set")!;
    expect(Buffer.from(seen, "latin1").toString()).toBe(set[0]!.value);
  });

  it("over HTTP/2, cannot hide a value from a rule by blanks", { timeout: 30_000 }, async (context) => {
    const plane = await started(context);
    const [guarded, web] = [await plane.http("guarded"), await plane.http("web")];
    const { at } = await plane.serve([
      rule({ headers: [equals("x-role", "admin")] }, guarded),
      rule("/", web),
    ]);
    const send = (value: string, authority = "a.test") =>
      sendRawHttp2(
        at,
        [
          [":method", "GET"],
          [":scheme", "http"],
          [":authority", authority],
          [":path", "/"],
          ["x-role", value],
          ["x-last", ""],
        ],
        "",
      );
    for (const value of [" admin", "admin ", "\tadmin", "admin\t", "admin: ", " ", "\t"]) await send(value);
    expect(web.requests).toHaveLength(0);
    for (const value of ["", "a:  b", "a\tb"]) await send(value, "a.test:80");
    expect(web.requests).toHaveLength(3);
    await send("admin");
    expect(guarded.requests).toHaveLength(1);
  });

  it("over HTTP/2, are for no path if they are for *", { timeout: 30_000 }, async (context) => {
    const { at } = await siteOf(context, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const client = await connectHttp2(at);
    ends.push(() => client.close());
    expect((await client.request({ method: "OPTIONS", path: "*" })).status).toBe(404);
    expect((await client.request({ method: "OPTIONS", path: "/" })).status).toBe(200);
  });

  it("are refused over HTTP/2 where HTTP/1.1 was agreed on", { timeout: 30_000 }, async (context) => {
    const plane = await started(context);
    const web = await plane.http("web");
    const certificate = { key: "Secret/kit/a", ...(await makeCertificate({ names: ["a.test"] })) };
    const { at } = await plane.serveTls(
      { "a.test": { type: "http", certificates: [certificate.key] } },
      { certificates: [certificate], rules: [rule("/", web)] },
    );
    const statusWith = async (protocol: string) => {
      const socket = tls.connect({
        host: at.address,
        port: at.port,
        servername: "a.test",
        ALPNProtocols: [protocol],
        rejectUnauthorized: false,
      });
      await once(socket, "secureConnect");
      const session = http2.connect("https://a.test", { createConnection: () => socket });
      session.on("error", () => {});
      try {
        const stream = session.request({ ":path": "/" });
        const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
        return headers[":status"];
      } finally {
        session.destroy();
      }
    };
    expect(await statusWith("h2")).toBe(200);
    expect(await statusWith("http/1.1")).toBe(400);
    expect(web.requests).toHaveLength(1);
  });
});

/*
 * Messages that NGINX would pass on by itself though they are malformed, or would lose though they are not. What all drivers do alike is in the
 * contract; here is the rest.
 */
import { describe, expect, it } from "vitest";
import { equals, rule } from "../../src/driver-kit/items.ts";
import { exchangeRaw, statusesIn } from "../../src/driver-kit/traffic/raw-client.ts";
import { sendRawHttp2 } from "../../src/driver-kit/traffic/raw-http2.ts";
import { nginxDriver } from "../../src/drivers/nginx/index.ts";
import { planesOf } from "./support/planes-of.ts";

const { started, siteOf } = planesOf("nginx", () => nginxDriver({ grace: 500, workers: 1 }));

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const request = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";

describe("requests to NGINX", () => {
  it("over HTTP/2, cannot hide a value from a rule by blanks", { timeout: 30_000 }, async (context) => {
    const plane = await started(context);
    const [guarded, web] = [await plane.http("guarded"), await plane.http("web")];
    const { at } = await plane.serve([
      rule({ headers: [equals("x-role", "admin")] }, guarded),
      rule("/", web),
    ]);
    const send = (value: string) =>
      sendRawHttp2(
        at,
        [
          [":method", "GET"],
          [":scheme", "http"],
          [":authority", "a.test"],
          [":path", "/"],
          ["x-role", value],
        ],
        "",
      );
    for (const value of [" admin", "admin ", "\tadmin", "admin\t", " ", "\t"]) await send(value);
    expect(web.requests).toHaveLength(0);
    for (const value of ["", "a  b", "a\tb"]) await send(value);
    expect(web.requests).toHaveLength(3);
    await send("admin");
    expect(guarded.requests).toHaveLength(1);
  });

  it("are refused with 400 if a name is none", { timeout: 30_000 }, async (context) => {
    const { at } = await siteOf(context, ok);
    const statuses: Record<string, number | undefined> = {};
    for (const name of ["X,y", "X(y", "X!y"]) {
      const bytes = `GET / HTTP/1.1\r\nHost: a.test\r\n${name}: z\r\n\r\n`;
      [statuses[name]] = statusesIn(await exchangeRaw(at, bytes));
    }
    expect(statuses).toEqual({ "X,y": 400, "X(y": 400, "X!y": 200 });
  });

  it("lose headers whose names are the driver's own", { timeout: 30_000 }, async (context) => {
    const seen: string[] = [];
    const { at } = await siteOf(context, (socket, asked) => {
      seen.push(asked);
      socket.write(ok);
    });
    await exchangeRaw(
      at,
      "GET / HTTP/1.1\r\nHost: a.test\r\nX-Gatewright-Upstream: l0\r\nX-Gatewright-Other: 1\r\nX-Gatewrighted: 1\r\n\r\n",
    );
    expect(seen[0]).toContain("x-gatewrighted: 1\r\n");
    expect(seen[0]).not.toMatch(/x-gatewright-/i);
  });
});

const malformed: Readonly<Record<string, string>> = {
  "two lengths": "Content-Length: 2\r\nContent-Length: 40\r\n\r\nok",
  "a list of lengths": "Content-Length: 2, 2\r\n\r\nok",
  "a signed length": "Content-Length: +2\r\n\r\nok",
  "a negative length": "Content-Length: -2\r\n\r\nok",
  "a length and a coding": "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "a coding and a length": "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "another coding": "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "a control character": "X-One: a\x01b\r\nContent-Length: 2\r\n\r\nok",
  "a control character in the type": "Content-Type: a\x1bb\r\nContent-Length: 2\r\n\r\nok",
};

const wellFormed: Readonly<Record<string, string>> = {
  "a length": "Content-Length: 2\r\n\r\nok",
  "a length with zeros": "Content-Length: 002\r\n\r\nok",
  "a coding": "Transfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "bytes that are no ASCII": "X-One: \xc3\xa9\xe9\tb\r\nContent-Length: 2\r\n\r\nok",
};

describe("answers of NGINX's backends", () => {
  it("are not passed on if they are malformed", { timeout: 30_000 }, async (context) => {
    const answers = { ...malformed, ...wellFormed };
    const names = Object.keys(answers);
    const { at } = await siteOf(context, (socket, asked) => {
      const name = names[Number(/^[A-Z]+ \/([0-9]+) /.exec(asked)?.[1])]!;
      const answer = `HTTP/1.1 200 OK\r\n${answers[name]}`;
      const head = answer.slice(0, answer.indexOf("\r\n\r\n") + 4);
      socket.end(asked.startsWith("HEAD") ? head : answer, "latin1");
    });
    for (const method of ["GET", "HEAD"]) {
      const statuses: (number | undefined)[] = [];
      for (const index of names.keys()) {
        const bytes = `${method} /${index} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`;
        statuses.push(statusesIn(await exchangeRaw(at, bytes))[0]);
      }
      expect(names.filter((_, index) => statuses[index] === 200)).toEqual(Object.keys(wellFormed));
    }
  });

  it("get headers whatever their names mean to a script", { timeout: 30_000 }, async (context) => {
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty"];
    const fields = names.map((name) => `${name}: theirs\r\n`).join("");
    const added = names.map((name) => ({ name: name.toLowerCase(), value: "ours" }));
    const answer = `HTTP/1.1 200 OK\r\n${fields}Content-Length: 2\r\n\r\nok`;
    const { at } = await siteOf(context, answer, { responseHeaders: { set: [], add: added, remove: [] } });
    const received = (await exchangeRaw(at, request)).toLowerCase();
    const lines = received.split("\r\n");
    for (const name of names.map((given) => given.toLowerCase())) {
      expect(lines.filter((line) => line.startsWith(`${name}: `))).toEqual([
        `${name}: theirs`,
        `${name}: ours`,
      ]);
    }
  });

  it(
    "get headers that the backend has not, and lose some that it has",
    { timeout: 30_000 },
    async (context) => {
      const set = [{ name: "constructor", value: "ours" }];
      const add = [{ name: "__proto__", value: "ours" }];
      const answer = "HTTP/1.1 200 OK\r\nvalueof: 1\r\nx-kept: 1\r\nContent-Length: 2\r\n\r\nok";
      const { at } = await siteOf(context, answer, { responseHeaders: { set, add, remove: ["valueof"] } });
      const received = await exchangeRaw(at, request);
      expect(received).toContain("\r\nconstructor: ours\r\n");
      expect(received).toContain("\r\n__proto__: ours\r\n");
      expect(received).toContain("\r\nx-kept: 1\r\n");
      expect(received).not.toContain("valueof");
    },
  );

  it("tell of a session in a header of any name", { timeout: 30_000 }, async (context) => {
    for (const name of ["constructor", "__proto__"]) {
      const { at } = await siteOf(context, ok, {
        session: { name, type: "header", path: "", lifetime: "session" },
      });
      expect(await exchangeRaw(at, request)).toMatch(new RegExp(`\r\n${name}: 1-`, "i"));
    }
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  compileRules,
  HostTable,
  normalizeHost,
  normalizePath,
  type MatchableRequest,
  type PathMatch,
  type RequestMatch,
  type Rule,
  type ValueMatch,
} from "../../src/model/index.ts";
import { need } from "../components/need.ts";
import { answering, hostOf, httpListener, HaproxyUnderTest } from "../haproxy-driver.ts";

/*
 * HAProxy decides in Lua what the model's own functions decide in TypeScript: the same rules and the same requests must
 * give the same answers. Every rule sends clients to a host of its own name, so no backends are needed.
 */

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const segment = fc.constantFrom(
  "a",
  "b",
  "ab",
  "A",
  "a.b",
  "%2F",
  "%2f",
  "c%C3%A9",
  "a+b",
  "..x",
  "x;y",
  "~",
  "$1",
);
const path = fc.array(segment, { maxLength: 3 }).map((parts) => `/${parts.join("/")}`);
const expression = fc.constantFrom(
  "/a.*",
  "/(a|b)+/?.*",
  "/[^/]+",
  "(?i)/AB/.*",
  "/a\\.b",
  ".*\\bab\\b.*",
  "/(?:a+)+",
  "/[a-c]{1,3}(/.*)?",
  ".*",
);
const pathMatch: fc.Arbitrary<PathMatch> = fc.oneof(
  path.map((value) => ({ type: "exact", value }) as const),
  path.map((value) => ({ type: "prefix", value }) as const),
  expression.map((value) => ({ type: "regex", value }) as const),
);
const valueText = fc.constantFrom("1", "2", "a b", "A", "", "é", "a,b", "x=y");
const writtenValue = fc.constantFrom("1", "2", "a b", "A", "[0-9]", ".*", "a.*");
const valueMatch = (names: readonly string[]): fc.Arbitrary<ValueMatch> => {
  const name = fc.constantFrom(...names);
  return fc.oneof(
    { arbitrary: fc.record({ name, type: fc.constant("exact"), value: writtenValue }), weight: 2 },
    { arbitrary: fc.record({ name, type: fc.constant("regex"), value: writtenValue }), weight: 1 },
    // Expressions are ASCII.
    { arbitrary: fc.record({ name, type: fc.constant("exact"), value: fc.constant("é") }), weight: 1 },
  );
};
const match: fc.Arbitrary<RequestMatch> = fc.record(
  {
    path: pathMatch,
    method: fc.constantFrom("GET", "POST", "PUT"),
    headers: fc.uniqueArray(valueMatch(["x-one", "x-two"]), { maxLength: 2, selector: ({ name }) => name }),
    queryParams: fc.uniqueArray(valueMatch(["q", "r", "qr"]), { maxLength: 2, selector: ({ name }) => name }),
  },
  { requiredKeys: ["path", "headers", "queryParams"] },
);
const hostname = fc.constantFrom("a.test", "b.a.test", "*.a.test", "*.test", "*", "c.b.a.test");

const target = fc
  .tuple(
    fc.array(
      fc.oneof(
        segment,
        fc.constantFrom(
          "..",
          ".",
          "",
          "%2e%2e",
          "%61",
          "..;",
          "%2e",
          "..%2f",
          "%",
          "%4",
          "%00",
          "{x}",
          "\\",
          "#",
          "|",
          "é",
        ),
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom("", "?", "?q=1", "?q=2&q=1", "?r=a%20b&q=A", "?qr=1&q", "?q=%31", "?x=/../"),
  )
  .map(([parts, search]) => `/${parts.join("/")}${search}`);
const host = fc.constantFrom(
  "a.test",
  "A.Test:80",
  "b.a.test.",
  "x.y.a.test",
  "test",
  "other.org",
  "10.0.0.1",
  "[::1]:80",
  "*.a.test",
  "a..test",
  "a.test:99999",
  "-a.test",
  "_a.test",
);
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT"),
  target,
  host,
  headers: fc.array(fc.tuple(fc.constantFrom("x-one", "X-Two"), valueText), { maxLength: 3 }),
});
type Sent = typeof request extends fc.Arbitrary<infer T> ? T : never;

class Reference {
  readonly #hosts = new HostTable<(request: MatchableRequest) => Rule | undefined>();

  constructor(hosts: ReadonlyMap<string, readonly Rule[]>) {
    for (const [name, rules] of hosts) this.#hosts.set(name, compileRules(rules));
  }

  /** The name of the rule, or the status. */
  answer({ method, target: given, host: authority, headers }: Sent): string {
    const normalized = normalizePath(Buffer.from(given, "utf8").toString("latin1"));
    const name = normalizeHost(authority);
    if ("refused" in normalized || name === undefined) return "400";
    const fields = [...headers, ["host", authority] as const];
    const matchable: MatchableRequest = {
      method,
      path: normalized.path,
      query: normalized.query,
      header: (wanted) => {
        const values = fields
          .filter(([field]) => field.toLowerCase() === wanted)
          .map(([, value]) => value.trim());
        return values.length > 0 ? values.join(", ") : undefined;
      },
    };
    for (const find of this.#hosts.findAll(name)) {
      const rule = find(matchable);
      if (rule) return rule.action.redirect!.hostname!;
    }
    return "404";
  }
}

/** All requests over one connection each, as bytes. */
async function answerOf(
  port: number,
  { method, target: given, host: authority, headers }: Sent,
): Promise<string> {
  const lines = [
    `${method} ${given} HTTP/1.1`,
    `Host: ${authority}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const length = method === "GET" ? [] : ["Content-Length: 0"];
  const received = await new Promise<string>((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("end", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.on("error", reject);
    socket.write([...lines, ...length, "Connection: close", "", ""].join("\r\n"));
  });
  const status = /^HTTP\/1\.1 ([0-9]{3})/.exec(received)?.[1] ?? "none";
  return status === "302" ? /\nlocation: http:\/\/([^/]+)\//.exec(received)![1]! : status;
}

describe("routing by HAProxy", () => {
  it("decides as the model's own functions do", { timeout: 180_000 }, async (context) => {
    need(context, "haproxy");
    const folder = mkdtempSync(join(tmpdir(), "gw-ha-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const plane = await new HaproxyUnderTest(folder).start();
    ends.push(() => plane.driver.stop());
    const listener = await httpListener();
    await plane.apply({ listeners: [listener] });
    let known: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(hostname, fc.array(match, { maxLength: 6 })), {
          maxLength: 5,
          selector: ([name]) => name,
        }),
        fc.array(request, { minLength: 20, maxLength: 30 }),
        async (given, requests) => {
          const hosts = new Map(
            given.map(([name, matches], first) => [
              name,
              matches.map((each, second) => answering(`r${first}-${second}.test`, each)),
            ]),
          );
          const keys = [...hosts.keys()].map((name) => `${listener.key}|${name}`);
          await plane.apply({
            virtualHosts: [
              ...[...hosts].map(([name, rules]) => hostOf(listener, name, rules)),
              ...known.filter((key) => !keys.includes(key)),
            ],
          });
          known = keys;
          const reference = new Reference(hosts);
          const answers = [];
          for (const each of requests) answers.push([each, await answerOf(listener.port, each)]);
          expect(answers).toEqual(requests.map((each) => [each, reference.answer(each)]));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is not kept busy by an expression that others would take ages for", async (context) => {
    need(context, "haproxy");
    const folder = mkdtempSync(join(tmpdir(), "gw-ha-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const plane = await new HaproxyUnderTest(folder).start();
    ends.push(() => plane.driver.stop());
    const listener = await httpListener();
    const rules = [answering("slow.test", { path: { type: "regex", value: "/(?:a|a|aa)+(?:a?){50}b" } })];
    await plane.apply({ listeners: [listener], virtualHosts: [hostOf(listener, "*", rules)] });
    const begin = Date.now();
    const sent: Sent = { method: "GET", target: `/${"a".repeat(8_000)}`, host: "a.test", headers: [] };
    expect(await answerOf(listener.port, sent)).toBe("404");
    expect(await answerOf(listener.port, { ...sent, target: `${sent.target}b` })).toBe("slow.test");
    expect(Date.now() - begin).toBeLessThan(3_000);
  });

  it("says the same of expressions with more states than it keeps", async (context) => {
    need(context, "haproxy");
    const folder = mkdtempSync(join(tmpdir(), "gw-ha-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const plane = await new HaproxyUnderTest(folder).start();
    ends.push(() => plane.driver.stop());
    const listener = await httpListener();
    const rules = [answering("many.test", { path: { type: "regex", value: "/[ab]*a[ab]{120}" } })];
    await plane.apply({ listeners: [listener], virtualHosts: [hostOf(listener, "*", rules)] });
    let text = "";
    for (let seed = 1; text.length < 1_200; seed = (seed * 48271) % 2147483647)
      text += seed % 2 === 0 ? "a" : "b";
    for (const end of ["a", "b"]) {
      const target = `/${text}${end}${"ab".repeat(60)}`;
      const sent: Sent = { method: "GET", target, host: "a.test", headers: [] };
      expect(await answerOf(listener.port, sent)).toBe(end === "a" ? "many.test" : "404");
    }
  });
});

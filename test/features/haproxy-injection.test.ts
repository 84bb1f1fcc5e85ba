import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { readConfiguration } from "../../src/drivers/haproxy/config/configuration-reader.ts";
import { line, renderConfiguration } from "../../src/drivers/haproxy/config/configuration-text.ts";
import type { Rule, RuleAction } from "../../src/model/index.ts";
import { need } from "../components/need.ts";
import { answering, get, hostOf, httpListener, HaproxyUnderTest } from "../haproxy-driver.ts";

const execute = promisify(execFile);
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gw-ha-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function started(): Promise<HaproxyUnderTest> {
  const plane = new HaproxyUnderTest(newFolder());
  ends.push(() => plane.driver.stop());
  return plane.start();
}

const hostile = [
  "'",
  '"',
  "\\",
  "a\nuser root\nbackend evil",
  "a\r\nb",
  "${HOME}",
  "$1",
  "%[src]",
  "%%",
  "{ } ; #",
  "' # '",
  "\\'",
  "\0",
  "\u2028",
  "d5:helloe",
  "i1e",
  "]]--[[",
  "\"); os.execute('id') --",
  "/var/run/secrets/kubernetes.io/serviceaccount/token",
  "x".repeat(1_000_000),
];

/** The value everywhere that an object of a user could bring it to. */
function rulesWith(value: string): readonly Rule[] {
  const changes = { set: [{ name: "x-set", value }], add: [{ name: "x-add", value }], remove: [value] };
  const action: Partial<RuleAction> = {
    route: { kind: "HTTPRoute", namespace: value, name: value, rule: 0, ruleName: value },
    requestHeaders: changes,
    responseHeaders: changes,
    rewrite: { hostname: value, path: { type: "full", value } },
    redirect: { hostname: value, port: 80, path: { type: "prefix", prefix: "/", value }, statusCode: 302 },
    cors: {
      allowOrigins: [value],
      allowCredentials: true,
      allowMethods: [value],
      allowHeaders: [value],
      exposeHeaders: [value],
      maxAge: 1,
    },
    session: { type: "cookie", name: value, lifetime: "session", path: value },
    backends: [{ weight: 1, target: { type: "backend", backend: `Service/${value}/${value}/80` } }],
    mirrors: [{ target: { type: "backend", backend: value }, numerator: 1, denominator: 1 }],
  };
  const match = {
    path: { type: "exact", value: `/hostile/${value}` },
    headers: [{ name: "x-match", type: "exact", value }],
    queryParams: [{ name: value, type: "exact", value }],
  } as const;
  return [answering("hostile", match, action)];
}

describe("what users write never becomes configuration", () => {
  it(
    "leaves the same lines, whatever is in a value, and everybody else is served",
    { timeout: 120_000 },
    async (context) => {
      need(context, "haproxy");
      const plane = await started();
      const listener = await httpListener();
      const apply = (value: string) =>
        plane.apply({
          listeners: [listener],
          virtualHosts: [
            hostOf(listener, "good.test", [answering("good.test")]),
            hostOf(listener, "hostile.test", rulesWith(value)),
          ],
        });
      const outcomeOf = async (value: string) => {
        await apply(value);
        const sections = readConfiguration(plane.configuration).map(
          ({ keyword, name, lines }) =>
            `${keyword} ${name?.replace(/[0-9a-f]{20}/, "id")} ${lines.map((words) => words.length).join()}`,
        );
        return {
          sections: sections.toSorted((a, b) => a.localeCompare(b)),
          hasValue: value.length > 2 && plane.configuration.includes(value),
          good: (await get(listener.port, "/", { host: "good.test" })).location,
          hostile: (await get(listener.port, "/x", { host: "hostile.test" })).status,
        };
      };
      const benign = await outcomeOf("benign");
      expect(benign).toMatchObject({ hasValue: false, good: "http://good.test/", hostile: 404 });
      for (const value of hostile) expect(await outcomeOf(value)).toEqual(benign);
    },
  );

  it("is taken by HAProxy itself for what the writer meant", { timeout: 60_000 }, async (context) => {
    const haproxy = need(context, "haproxy");
    const folder = newFolder();
    const value = fc
      .string({ unit: "binary", maxLength: 40 })
      .map((text) => text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "'\\\""));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 50, maxLength: 100 }), async (values) => {
        const sections = values.map((text, index) => ({
          keyword: "backend",
          name: `b${index}`,
          lines: [line`description ${`x${text}`}`, line`timeout server 1s`, line`timeout connect 1s`],
        }));
        const file = join(folder, "haproxy.cfg");
        sections.push({ keyword: "frontend", name: "f", lines: [line`bind ${`unix@${folder}/socket`}`] });
        writeFileSync(
          file,
          renderConfiguration([{ keyword: "defaults", lines: [line`mode http`] }, ...sections]),
        );
        await execute(haproxy, ["-c", "-f", file]);
      }),
      { numRuns: 20 },
    );
  });

  it("a line of a megabyte is a line: HAProxy takes it, or says that it is too long", async (context) => {
    const haproxy = need(context, "haproxy");
    const folder = newFolder();
    const file = join(folder, "haproxy.cfg");
    const sections = [
      { keyword: "defaults", lines: [line`mode http`] },
      { keyword: "backend", name: "b", lines: [line`description ${"'\" #".repeat(250_000)}`] },
      { keyword: "frontend", name: "f", lines: [line`bind ${`unix@${folder}/socket`}`] },
    ];
    writeFileSync(file, renderConfiguration(sections));
    const said = await execute(haproxy, ["-c", "-f", file]).then(
      () => "taken",
      (error: { readonly stderr: string }) => error.stderr,
    );
    expect(said).toMatch(/^taken$|too long|too large/i);
  });
});

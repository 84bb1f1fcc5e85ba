/*
 * One path for everybody: what is matched is what is forwarded, after the normalisation that `request-path.ts` in the model
 * describes. The tables say what a backend sees, or that the request is refused.
 */
import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { exact, prefix, regex, rule } from "../items.ts";
import type { BoundAddress } from "../../drivers/driver.ts";
import type { Plane } from "../plane.ts";
import { siteHost } from "../traffic/http-client.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";

const test = casesOf("paths");

const refused = 400;

/** Target as sent → target as the backend sees it, or `refused`. */
const targets: Readonly<Record<string, string | typeof refused>> = {
  "/": "/",
  "/a/b?x=1": "/a/b?x=1",
  "/a/": "/a/",
  "/a?": "/a?",
  "/a/../b": "/b",
  "/a/./b": "/a/b",
  "/a/b/..": "/a/",
  "/a/.": "/a/",
  "/../../b": "/b",
  "/..": "/",
  "//a///b": "/a/b",
  "/a//../b": "/a/b",
  "/%61%2D%7e": "/a-~",
  "/a/%2e%2E/b": "/b",
  "/%2e/b": "/b",
  "/a%2Fb": "/a%2Fb",
  "/a%2fb": "/a%2fb",
  "/a%5Cb": "/a%5Cb",
  "/a%20b": "/a%20b",
  "/%C3%A9": "/%C3%A9",
  "/a..;/b": "/a..;/b",
  "/a;x=1/b": "/a;x=1/b",
  "/a...b/...": "/a...b/...",
  "/a?x=/../%2e%2e//": "/a?x=/../%2e%2e//",
  "/a%00b": refused,
  "/a%zz": refused,
  "/a%2": refused,
  "/a%": refused,
  "/a#b": refused,
  "/a/..;/b": refused,
  "/a/..;x=1/b": refused,
  "/a/..%2Fb": refused,
  "/a/%2e%2e%2fb": refused,
  "/a%2F../b": refused,
  "/a%5c..%5cb": refused,
  "/a/..%3Bb": refused,
};

/** Above the root there is nothing: what leads there may also be refused. */
const climbing: ReadonlySet<string> = new Set(["/../../b", "/.."]);

async function seenTarget(at: BoundAddress, target: string, more = ""): Promise<string | number> {
  const request = `GET ${target} HTTP/1.1\r\nHost: ${siteHost(at)}\r\n${more}Connection: close\r\n\r\n`;
  const received = await exchangeRaw(at, request);
  const [status] = statusesIn(received);
  if (status !== 200) return status ?? "closed";
  const body = received.slice(received.indexOf("{"), received.lastIndexOf("}") + 1);
  return (JSON.parse(body) as { readonly target: string }).target;
}

/** A rule of a guarded backend before one that takes everything else. */
async function serveGuarded(plane: Plane) {
  const [admin, web] = [await plane.http("admin"), await plane.http("web")];
  return plane.serve([rule("/admin", admin), rule({ path: regex("/secret/.*") }, admin), rule("/", web)]);
}

export const pathCases = [
  test(
    "a path is normalised before anything else, and refused where it is ambiguous",
    "HTTPRoute",
    async (plane) => {
      const web = await plane.http("web");
      const { at } = await plane.serve([rule("/", web)]);
      for (const [target, expected] of Object.entries(targets)) {
        const seen = await seenTarget(at, target);
        if (!(climbing.has(target) && seen === refused)) assert.equal(seen, expected, target);
      }
    },
  ),

  test("a path is what it is, whatever a client says of an original one", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    for (const name of ["X-Envoy-Original-Path", "X-Original-Path", "X-Original-URL", "X-Rewrite-URL"]) {
      assert.equal(await seenTarget(at, "/a/..;/b", `${name}: /x\r\n`), refused, name);
      assert.equal(await seenTarget(at, "/a", `${name}: /a/..;/b\r\n`), "/a", name);
    }
  }),

  test("bytes that no URL has are refused", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    for (const target of ["/a\x01b", "/a\x7fb", "/caf\xe9", "/a b c", "/a\tb"]) {
      const seen = await seenTarget(at, target);
      assert.ok(seen === refused || seen === "closed", `${JSON.stringify(target)}: ${seen}`);
    }
    assert.deepEqual(web.requests, []);
  }),

  test("a backslash is refused or read as a slash, never passed on", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    const seen = await seenTarget(at, "/a\\..\\b");
    assert.ok(seen === refused || seen === "/b", String(seen));
  }),

  test("no spelling of a path gets around the rule for it", "HTTPRoute", async (plane) => {
    const { at } = await serveGuarded(plane);
    const spellings = [
      "/admin/x",
      "/%61dmin/x",
      "//admin/x",
      "/./admin/x",
      "/web/../admin/x",
      "/web/%2e%2e/admin/x",
      "/admin//x",
      "/admin/./x",
    ];
    for (const target of spellings) assert.equal(await seenTarget(at, target), "/admin/x", target);
    assert.equal(await seenTarget(at, "/secret/../secret/x"), "/secret/x");
    for (const target of ["/web/..;/admin/x", "/web/..%2fadmin/x"]) {
      assert.equal(await seenTarget(at, target), refused, target);
    }
  }),

  test("leaving a prefix by dots leaves its rule too", "HTTPRoute", async (plane) => {
    const [inside, outside] = [await plane.http("inside"), await plane.http("outside")];
    const { get } = await plane.serve([rule("/in", inside), rule({ path: exact("/out") }, outside)]);
    assert.equal((await get("/in/../out")).from, "outside");
    assert.equal((await get("/in/../none")).status, 404);
  }),

  test("the same holds for HTTP/2", "GRPCRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    for (const [target, expected] of Object.entries(targets)) {
      if (target.includes("#")) continue;
      const client = await plane.http2(at);
      const answer = await client.request({ path: target }).catch(() => undefined);
      client.close();
      // A proxy may also refuse by resetting the stream.
      const seen = answer?.status === 200 ? answer.seen?.target : (answer?.status ?? refused);
      if (!(climbing.has(target) && seen === refused)) assert.equal(seen, expected, target);
    }
  }),

  test("an escaped slash does not end an element", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const { get } = await plane.serve([rule({ path: prefix("/a") }, one), rule("/", two)]);
    assert.equal((await get("/a/b")).from, "one");
    assert.equal((await get("/a%2Fb")).from, "two");
  }),
];

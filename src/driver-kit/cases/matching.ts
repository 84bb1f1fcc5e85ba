import assert from "node:assert/strict";
import type { RequestMatch } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { equals, exact, matches, prefix, regex, rule } from "../items.ts";
import type { Plane } from "../plane.ts";
import type { ClientRequest } from "../traffic/http-client.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";
import { sendRawHttp2 } from "../traffic/raw-http2.ts";
import { seenHeader } from "../traffic/seen-request.ts";

const test = casesOf("matching");

const posted: readonly (readonly [string, string])[] = [
  [":method", "POST"],
  [":scheme", "http"],
  [":authority", "site.test"],
  [":path", "/"],
];

/** Rules in the order given, each to a backend of its name; gives who takes a request. */
async function serveMatches(plane: Plane, given: Readonly<Record<string, Partial<RequestMatch>>>) {
  const rules = [];
  for (const [name, match] of Object.entries(given)) rules.push(rule(match, await plane.http(name)));
  const { get } = await plane.serve(rules);
  return async (path: string, request?: ClientRequest) => (await get(path, request)).from;
}

async function expectAll(
  from: (path: string) => Promise<string | number>,
  expected: Readonly<Record<string, string | number>>,
): Promise<void> {
  for (const [path, taker] of Object.entries(expected)) assert.equal(await from(path), taker, path);
}

export const matchingCases = [
  test("a prefix takes whole elements only", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, { login: { path: prefix("/login") } });
    await expectAll(from, {
      "/login": "login",
      "/login/": "login",
      "/login/x": "login",
      "/login?next=/": "login",
      "/loginx": 404,
      "/Login": 404,
      "/": 404,
    });
  }),

  test("the prefix / takes everything", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, { all: { path: prefix("/") } });
    await expectAll(from, { "/": "all", "/x": "all", "/x/y/z?q=1": "all" });
  }),

  test("an exact path takes itself alone, the query apart", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, { one: { path: exact("/one") } });
    await expectAll(from, { "/one": "one", "/one?x=1": "one", "/one/": 404, "/One": 404, "/one/two": 404 });
  }),

  test("a regular expression takes the whole path, without the query", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, {
      version: { path: regex("/v[0-9]+/.*") },
      either: { path: regex("/a|/b") },
      dots: { path: regex("/file\\.txt") },
    });
    await expectAll(from, {
      "/v1/x": "version",
      "/v12/": "version",
      "/v1": 404,
      "/x/v1/x": 404,
      "/a": "either",
      "/b": "either",
      "/ab": 404,
      "/b/x": 404,
      "/file.txt": "dots",
      "/file.txt?x=/v1/": "dots",
      "/filextxt": 404,
    });
  }),

  test(
    "characters that mean something to a pattern or a configuration are themselves",
    "HTTPRoute",
    async (plane) => {
      const from = await serveMatches(plane, {
        exact: { path: exact("/a.b*c$d(e)'f;g=h,i@j") },
        prefix: { path: prefix("/p+$1.~!") },
        quoted: { headers: [equals("x-text", "a \"b\" \\ 'c' {d} $e; #f")] },
      });
      await expectAll(from, {
        "/a.b*c$d(e)'f;g=h,i@j": "exact",
        "/aXb*c$d(e)'f;g=h,i@j": 404,
        "/p+$1.~!/x": "prefix",
        "/pp$1.~!/x": 404,
      });
      const text = "a \"b\" \\ 'c' {d} $e; #f";
      assert.equal(await from("/", { headers: { "x-text": text } }), "quoted");
    },
  ),

  test(
    "escapes in a path are compared without regard to the case of their digits",
    "HTTPRoute",
    async (plane) => {
      const from = await serveMatches(plane, {
        slash: { path: exact("/a%2Fb") },
        word: { path: prefix("/caf%c3%a9") },
      });
      await expectAll(from, {
        "/a%2Fb": "slash",
        "/a%2fb": "slash",
        "/a/b": 404,
        "/caf%C3%A9/x": "word",
        "/caf%c3%a9": "word",
      });
    },
  ),

  test("the first rule that matches decides, in the order given", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, {
      first: { path: prefix("/a") },
      second: { path: exact("/a/b") },
      third: { path: prefix("/") },
      fourth: { path: prefix("/c") },
    });
    await expectAll(from, { "/a/b": "first", "/c": "third" });
  }),

  test(
    "a header's value is compared as it is, its name without regard to case",
    "HTTPRoute",
    async (plane) => {
      const from = await serveMatches(plane, {
        canary: { headers: [equals("x-env", "Canary")] },
        rest: {},
      });
      assert.equal(await from("/", { headers: { "X-ENV": "Canary" } }), "canary");
      assert.equal(await from("/", { headers: { "x-env": "canary" } }), "rest");
      assert.equal(await from("/", { headers: { "x-env": "Canary2" } }), "rest");
      assert.equal(await from("/", { headers: { "x-env": "" } }), "rest");
      assert.equal(await from("/"), "rest");
    },
  ),

  test(
    "an inverted match takes other values and requests without the header",
    "InvertedHeaderMatch",
    async (plane) => {
      const inverted = { invert: true } as const;
      const from = await serveMatches(plane, {
        absent: { headers: [{ ...matches("x-any", ".*"), ...inverted }] },
        other: {
          headers: [
            { ...equals("x-env", "a"), ...inverted },
            { ...matches("x-env", ".*bot.*"), ...inverted },
          ],
        },
        rest: {},
      });
      assert.equal(await from("/"), "absent");
      assert.equal(await from("/", { headers: { "x-any": "" } }), "other");
      for (const [value, taker] of Object.entries({ "": "other", a: "rest", aa: "other", robots: "rest" })) {
        assert.equal(await from("/", { headers: { "x-any": "1", "x-env": value } }), taker, value);
      }
    },
  ),

  test("a header's regular expression takes the whole value", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, {
      numbered: { headers: [matches("x-env", "test-[0-9]+")] },
      present: { headers: [matches("x-present", ".*")] },
    });
    assert.equal(await from("/", { headers: { "x-env": "test-12" } }), "numbered");
    assert.equal(await from("/", { headers: { "x-env": "test-12x" } }), 404);
    assert.equal(await from("/", { headers: { "x-env": "a test-12" } }), 404);
    assert.equal(await from("/", { headers: { "x-present": "" } }), "present");
    assert.equal(await from("/"), 404);
  }),

  test("all headers of a match must hold", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, {
      both: { headers: [equals("x-one", "1"), equals("x-two", "2")] },
    });
    assert.equal(await from("/", { headers: { "x-one": "1", "x-two": "2" } }), "both");
    assert.equal(await from("/", { headers: { "x-one": "1" } }), 404);
    assert.equal(await from("/", { headers: { "x-one": "1", "x-two": "1" } }), 404);
  }),

  test("the Host header can be matched like others", "HTTPRoute", async (plane) => {
    const from = await serveMatches(plane, { here: { headers: [equals("host", "here.test")] } });
    assert.equal(await from("/", { host: "here.test" }), "here");
    assert.equal(await from("/", { host: "there.test" }), 404);
  }),

  test("a method is matched in its case", "HTTPRouteMethodMatching", async (plane) => {
    const from = await serveMatches(plane, {
      get: { method: "GET" },
      post: { method: "POST", path: prefix("/p") },
      del: { method: "DELETE" },
    });
    assert.equal(await from("/"), "get");
    assert.equal(await from("/p", { method: "POST", body: "x" }), "post");
    assert.equal(await from("/", { method: "POST", body: "x" }), 404);
    assert.equal(await from("/", { method: "DELETE" }), "del");
    assert.equal(await from("/", { method: "PUT", body: "x" }), 404);
  }),

  test(
    "the first value of a query parameter is compared as it was sent",
    "HTTPRouteQueryParamMatching",
    async (plane) => {
      const from = await serveMatches(plane, {
        one: { queryParams: [equals("animal", "whale")] },
        two: { queryParams: [equals("animal", "dolphin"), equals("colour", "blue")] },
        escaped: { queryParams: [equals("q", "a%20b")] },
      });
      await expectAll(from, {
        "/?animal=whale": "one",
        "/x?a=b&animal=whale&c": "one",
        "/?animal=whale&animal=shark": "one",
        "/?animal=shark&animal=whale": 404,
        "/?Animal=whale": 404,
        "/?animal=Whale": 404,
        "/?animal=whales": 404,
        "/?xanimal=whale": 404,
        "/?colour=blue&animal=dolphin": "two",
        "/?animal=dolphin": 404,
        "/?q=a%20b": "escaped",
        "/?q=a+b": 404,
        "/": 404,
      });
    },
  ),

  test(
    "a query parameter's regular expression takes the whole value",
    "HTTPRouteQueryParamMatching",
    async (plane) => {
      const from = await serveMatches(plane, { number: { queryParams: [matches("id", "[0-9]+")] } });
      await expectAll(from, { "/?id=12": "number", "/?id=12a": 404, "/?id=": 404, "/?id": 404 });
    },
  ),

  test(
    "path, method, headers and query of a match must all hold",
    "HTTPRouteQueryParamMatching",
    async (plane) => {
      const from = await serveMatches(plane, {
        all: { path: prefix("/api"), headers: [equals("x-v", "2")], queryParams: [equals("q", "1")] },
        some: { path: prefix("/api") },
      });
      assert.equal(await from("/api?q=1", { headers: { "x-v": "2" } }), "all");
      assert.equal(await from("/api?q=1"), "some");
      assert.equal(await from("/api", { headers: { "x-v": "2" } }), "some");
      assert.equal(await from("/?q=1", { headers: { "x-v": "2" } }), 404);
    },
  ),

  test("white space around a value is not part of it, tabs neither", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule({ headers: [equals("x-key", "a\tb")] }, web)]);
    const received = await exchangeRaw(
      at,
      "GET / HTTP/1.1\r\nHost: a.test\r\nX-Key:\t a\tb \t\r\nConnection: close\r\n\r\n",
    );
    assert.deepEqual(statusesIn(received), [200]);
    assert.equal(seenHeader(web.requests[0]!, "x-key"), "a\tb");
  }),

  test("among dozens of rules, too, the first that matches decides", "HTTPRoute", async (plane) => {
    const [narrow, wide] = [await plane.http("narrow"), await plane.http("wide")];
    const narrows = (prefixed: string) =>
      Array.from({ length: 20 }, (_, i) => rule({ path: exact(`${prefixed}/${i}`) }, narrow));
    const { get } = await plane.serve([
      ...narrows("/a"),
      rule("/b", wide),
      ...narrows("/b"),
      rule({ path: regex("/c/.*") }, wide),
      ...narrows("/c"),
      rule("/", wide),
      ...narrows("/d"),
    ]);
    assert.equal((await get("/a/7")).from, "narrow");
    for (const path of ["/b/7", "/c/7", "/d/7"]) assert.equal((await get(path)).from, "wide", path);
  }),

  test("hundreds of rules are still taken in their order", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const rules = Array.from({ length: 300 }, (_, index) =>
      rule(index % 3 === 0 ? { path: exact(`/r/${index}`) } : `/r/${index}`, index % 2 === 0 ? one : two),
    );
    const { get } = await plane.serve([...rules, rule("/r", two)]);
    assert.equal((await get("/r/0")).from, "one");
    assert.equal((await get("/r/150")).from, "one");
    assert.equal((await get("/r/150/x")).from, "two");
    assert.equal((await get("/r/298/x")).from, "one");
    assert.equal((await get("/r/299")).from, "two");
    assert.equal((await get("/r/300")).from, "two");
    assert.equal((await get("/x")).status, 404);
  }),

  ...["admin ", " admin", "\tadmin", "admin\t", "  admin \t"].map((value) =>
    test(`over HTTP/2, blanks in ${JSON.stringify(value)} get around no rule`, "GRPCRoute", async (plane) => {
      const [guarded, open] = [await plane.http("guarded"), await plane.http("open")];
      const { at } = await plane.serve([
        rule({ headers: [equals("x-role", "admin")] }, guarded),
        rule("/", open),
      ]);
      await sendRawHttp2(at, [...posted, ["x-role", value]], "");
      // Refused, taken for what a backend would read, or left without the header: no backend sees what the rule has not.
      for (const request of open.requests) assert.equal(seenHeader(request, "x-role"), undefined);
    }),
  ),

  ...["delete", "Delete"].map((method) =>
    test(`over HTTP/2, the method ${method} gets around no rule for DELETE`, "GRPCRoute", async (plane) => {
      const [guarded, open] = [await plane.http("guarded"), await plane.http("open")];
      const { at } = await plane.serve([rule({ method: "DELETE" }, guarded), rule("/", open)]);
      await sendRawHttp2(at, [[":method", method], ...posted.slice(1)], "");
      assert.deepEqual([guarded.requests.length, open.requests.length], [0, 0]);
      await sendRawHttp2(at, [[":method", "DELETE"], ...posted.slice(1)], "");
      assert.deepEqual([guarded.requests.length, open.requests.length], [1, 0]);
    }),
  ),
];

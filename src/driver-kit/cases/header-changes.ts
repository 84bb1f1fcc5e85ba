import assert from "node:assert/strict";
import type { HeaderChanges } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import { seenHeader } from "../traffic/seen-request.ts";

const test = casesOf("header changes");

const changes: HeaderChanges = {
  set: [{ name: "x-set", value: "new" }],
  add: [{ name: "x-add", value: "two" }],
  remove: ["x-remove"],
};

export const headerChangeCases = [
  test("request headers are set, added and removed, whatever their case", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", { requestHeaders: changes, backends: [to(web)] })]);
    const headers = { "X-Set": ["old", "older"], "X-Add": "one", "X-REMOVE": "gone", "X-Other": "kept" };
    const { seen } = await get("/", { headers });
    assert.equal(seenHeader(seen!, "x-set"), "new");
    assert.equal(seenHeader(seen!, "x-add")?.replaceAll(/,\s*/g, ","), "one,two");
    assert.equal(seenHeader(seen!, "x-remove"), undefined);
    assert.equal(seenHeader(seen!, "x-other"), "kept");
    const bare = (await get("/")).seen!;
    assert.equal(seenHeader(bare, "x-set"), "new");
    assert.equal(seenHeader(bare, "x-add"), "two");
  }),

  test("the order is remove, set, add", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const all: HeaderChanges = {
      remove: ["x-one", "x-two"],
      set: [{ name: "x-one", value: "set" }],
      add: [{ name: "x-two", value: "added" }],
    };
    const { get } = await plane.serve([rule("/", { requestHeaders: all, backends: [to(web)] })]);
    const { seen } = await get("/", { headers: { "x-one": "client", "x-two": "client" } });
    assert.equal(seenHeader(seen!, "x-one"), "set");
    assert.equal(seenHeader(seen!, "x-two"), "added");
  }),

  test("values are literal text", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const value = "a \"b\" 'c' \\d $e ${f} %g% {h} #i;j";
    const all: HeaderChanges = { set: [{ name: "x-text", value }], add: [], remove: [] };
    const { get } = await plane.serve([rule("/", { requestHeaders: all, backends: [to(web)] })]);
    assert.equal(seenHeader((await get("/")).seen!, "x-text"), value);
  }),

  test(
    "response headers are set, added and removed",
    "HTTPRouteResponseHeaderModification",
    async (plane) => {
      const headers = { "x-set": ["old", "older"], "x-add": "one", "x-remove": "gone", "x-other": "kept" };
      const web = await plane.http("web", { answer: () => ({ headers }) });
      const { get } = await plane.serve([rule("/", { responseHeaders: changes, backends: [to(web)] })]);
      const answer = await get("/");
      assert.equal(answer.header("x-set"), "new");
      // A line more, or the same line without a space: the official suite takes nothing else.
      const added = answer.headers.filter(([name]) => name === "x-add").map(([, value]) => value);
      assert.equal(added.join(","), "one,two");
      assert.equal(answer.header("x-remove"), undefined);
      assert.equal(answer.header("x-other"), "kept");
    },
  ),

  test(
    "a backend's own changes hold for it alone, after those of the rule",
    "HTTPRouteBackendRequestHeaderModification",
    async (plane) => {
      const [one, two] = [await plane.http("one"), await plane.http("two")];
      const own = (value: string): HeaderChanges => ({
        set: [{ name: "x-backend", value }],
        add: [{ name: "x-add", value }],
        remove: ["x-common"],
      });
      const rules: HeaderChanges = { ...changes, set: [{ name: "x-common", value: "rule" }] };
      const { get } = await plane.serve([
        rule("/", {
          requestHeaders: rules,
          backends: [to(one, { requestHeaders: own("one") }), to(two)],
        }),
      ]);
      for (let request = 0; request < 20; request++) await get("/");
      for (const seen of one.requests) {
        assert.equal(seenHeader(seen, "x-backend"), "one");
        assert.equal(seenHeader(seen, "x-add")?.replaceAll(/,\s*/g, ","), "two,one");
        assert.equal(seenHeader(seen, "x-common"), undefined);
      }
      for (const seen of two.requests) {
        assert.equal(seenHeader(seen, "x-backend"), undefined);
        assert.equal(seenHeader(seen, "x-common"), "rule");
      }
      assert.ok(one.requests.length > 0 && two.requests.length > 0, "both backends were asked");
    },
  ),

  test(
    "a backend's own changes of answers hold for it alone",
    "HTTPRouteResponseHeaderModification",
    async (plane) => {
      const [one, two] = [await plane.http("one"), await plane.http("two")];
      const own: HeaderChanges = { set: [{ name: "x-from", value: "one" }], add: [], remove: [] };
      const { get } = await plane.serve([
        rule("/", { backends: [to(one, { responseHeaders: own }), to(two)] }),
      ]);
      for (let request = 0; request < 20; request++) {
        const answer = await get("/");
        assert.equal(answer.header("x-from"), answer.from === "one" ? "one" : undefined);
      }
    },
  ),

  test("the client's Host goes to the backend as it is", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", web)]);
    assert.equal((await get("/", { host: "www.shop.test" })).seen!.host, "www.shop.test");
  }),

  test("what belongs to a connection is not passed on", "HTTPRoute", async (plane) => {
    const own = { "keep-alive": "timeout=77", connection: "x-inner" };
    const web = await plane.http("web", { answer: () => ({ headers: own }) });
    const { get } = await plane.serve([rule("/", web)]);
    const headers = { connection: "close, x-hop", "x-hop": "1", "proxy-connection": "close", te: "trailers" };
    const answer = await get("/", { headers });
    assert.equal(seenHeader(answer.seen!, "x-hop"), undefined);
    assert.equal(seenHeader(answer.seen!, "proxy-connection"), undefined);
    assert.notEqual(answer.header("keep-alive"), "timeout=77");
    assert.doesNotMatch(answer.header("connection") ?? "", /x-inner/);
  }),

  test("a client cannot have headers of the gateway deleted behind it", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const requestHeaders: HeaderChanges = { set: [{ name: "x-user", value: "anna" }], add: [], remove: [] };
    const { get } = await plane.serve([rule("/", { requestHeaders, backends: [to(web)] })]);
    for (const connection of ["x-user", "close, x-user", "keep-alive, X-User,upgrade"]) {
      const { seen } = await get("/", { headers: { connection, "x-user": "root" } });
      assert.equal(seenHeader(seen!, "x-user"), "anna");
      assert.doesNotMatch(seenHeader(seen!, "connection") ?? "", /x-user/i);
    }
  }),
];

import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { exact, rule, virtualHostItem } from "../items.ts";
import type { Plane } from "../plane.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";

const test = casesOf("hosts");

/** One virtual host per name, each with a backend of that name that takes everything. */
async function serveHosts(plane: Plane, ...hostnames: readonly string[]) {
  const listener = await plane.listener("http");
  const virtualHosts = [];
  for (const hostname of hostnames) {
    virtualHosts.push(virtualHostItem(listener, hostname, [rule("/", await plane.http(hostname))]));
  }
  await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts });
  const site = plane.site(listener);
  return { ...site, from: async (host: string) => (await site.get("/", { host })).from };
}

export const hostCases = [
  test(
    "the exact name goes before wildcards, the longest wildcard before shorter ones, and * takes the rest",
    "HTTPRoute",
    async (plane) => {
      const { from } = await serveHosts(plane, "*", "*.test", "*.shop.test", "www.shop.test");
      assert.equal(await from("www.shop.test"), "www.shop.test");
      assert.equal(await from("api.shop.test"), "*.shop.test");
      assert.equal(await from("shop.test"), "*.test");
      assert.equal(await from("example.org"), "*");
    },
  ),

  test("a wildcard stands for one or more labels, never for none", "HTTPRoute", async (plane) => {
    const { from } = await serveHosts(plane, "*.shop.test");
    assert.equal(await from("a.shop.test"), "*.shop.test");
    assert.equal(await from("a.b.shop.test"), "*.shop.test");
    assert.equal(await from("shop.test"), 404);
    assert.equal(await from("ashop.test"), 404);
  }),

  test("case, port and trailing dot of a Host do not matter", "HTTPRoute", async (plane) => {
    const { from } = await serveHosts(plane, "www.shop.test");
    for (const host of ["WWW.Shop.TEST", "www.shop.test:8080", "www.shop.test."]) {
      assert.equal(await from(host), "www.shop.test", host);
    }
  }),

  test("a host that nobody has is not found", "HTTPRoute", async (plane) => {
    const { from } = await serveHosts(plane, "www.shop.test");
    assert.equal(await from("other.test"), 404);
    assert.equal(await from("127.0.0.1"), 404);
  }),

  test("an address as Host is taken by * only", "HTTPRoute", async (plane) => {
    const { from } = await serveHosts(plane, "*", "*.0.0.1");
    assert.equal(await from("127.0.0.1"), "*");
  }),

  test("a request cannot ask for a wildcard by its own name", "HTTPRoute", async (plane) => {
    const { from } = await serveHosts(plane, "*.shop.test");
    const answered = await from("*.shop.test");
    assert.ok(answered === 400 || answered === 404, `answered ${answered}`);
  }),

  test("a Host whose port is none, or that names a user, is refused", "HTTPRoute", async (plane) => {
    const { at } = await serveHosts(plane, "www.shop.test", "*.test");
    const own = `:${at.port}`;
    const malformed = [
      ":abc",
      ":80:90",
      ":99999",
      ":-1",
      ":80@a.test",
      "@a.test",
      `${own}:x`,
      `${own}${own}`,
      `${own}x`,
    ];
    for (const host of malformed.flatMap((end) => [`www.shop.test${end}`, `any.test${end}`])) {
      const received = await exchangeRaw(at, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      assert.deepEqual(statusesIn(received), [400], host);
    }
  }),

  test("a request without a Host, or with two, is refused", "HTTPRoute", async (plane) => {
    const { at } = await serveHosts(plane, "*");
    for (const hosts of ["", "Host: a.test\r\nHost: b.test\r\n"]) {
      const received = await exchangeRaw(at, `GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      assert.deepEqual(statusesIn(received), [400], JSON.stringify(hosts));
    }
  }),

  test("the host of an absolute target takes the place of the Host header", "HTTPRoute", async (plane) => {
    const { at } = await serveHosts(plane, "a.test", "b.test");
    const request = "GET http://b.test/x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n";
    const received = await exchangeRaw(at, request);
    assert.match(received, /x-seen: b\.test/i);
    assert.match(received, /"target":"\/x"/);
    assert.match(received, /"host":"b\.test"/);
  }),

  test(
    "what no rule of a host takes falls to less specific hosts of the same section",
    "HTTPRoute",
    async (plane) => {
      const [web, api, any] = [await plane.http("web"), await plane.http("api"), await plane.http("any")];
      const listener = await plane.listener("http");
      const virtualHosts = [
        virtualHostItem(listener, "*", [rule("/any", any)]),
        virtualHostItem(listener, "*.shop.test", [rule("/api", api)]),
        virtualHostItem(listener, "www.shop.test", [rule({ path: exact("/") }, web)]),
      ];
      await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts });
      const { get } = plane.site(listener);
      const host = "www.shop.test";
      assert.equal((await get("/", { host })).from, "web");
      assert.equal((await get("/api", { host })).from, "api");
      assert.equal((await get("/any", { host })).from, "any");
      assert.equal((await get("/none", { host })).status, 404);
    },
  ),

  test("a more specific host goes first although its rule is less specific", "HTTPRoute", async (plane) => {
    const [web, any] = [await plane.http("web"), await plane.http("any")];
    const listener = await plane.listener("http");
    const virtualHosts = [
      virtualHostItem(listener, "*", [rule({ path: exact("/deep/path") }, any)]),
      virtualHostItem(listener, "www.shop.test", [rule("/", web)]),
    ];
    await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts });
    const { get } = plane.site(listener);
    assert.equal((await get("/deep/path", { host: "www.shop.test" })).from, "web");
  }),

  test("a host never falls to hosts of another section", "GatewayHTTPListenerIsolation", async (plane) => {
    const [web, any] = [await plane.http("web"), await plane.http("any")];
    const listener = await plane.listener("http");
    const section = (name: string) => `Gateway/kit/gateway/${name}`;
    const virtualHosts = [
      virtualHostItem(listener, "*", [rule("/", any)], section("any")),
      virtualHostItem(listener, "*.shop.test", [rule("/web", web)], section("shop")),
      virtualHostItem(listener, "empty.shop.test", [], section("empty")),
    ];
    await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts });
    const { get } = plane.site(listener);
    assert.equal((await get("/other", { host: "www.shop.test" })).status, 404);
    assert.equal((await get("/web", { host: "www.shop.test" })).from, "web");
    assert.equal((await get("/web", { host: "empty.shop.test" })).status, 404);
    assert.equal((await get("/web", { host: "example.org" })).from, "any");
  }),

  test("hosts and rules are added, changed and removed alone", "HTTPRoute", async (plane) => {
    const { from, listener } = await serveHosts(plane, "a.test", "b.test");
    const third = await plane.http("c.test");
    await plane.apply({
      ...plane.backends,
      virtualHosts: [virtualHostItem(listener, "c.test", [rule("/", third)])],
    });
    assert.equal(await from("c.test"), "c.test");
    await plane.apply({ virtualHosts: [`${listener.key}|a.test`] });
    assert.equal(await from("a.test"), 404);
    assert.equal(await from("b.test"), "b.test");
    await plane.apply({ virtualHosts: [virtualHostItem(listener, "b.test", [rule("/", third)])] });
    assert.equal(await from("b.test"), "c.test");
    assert.equal(await from("c.test"), "c.test");
  }),
];

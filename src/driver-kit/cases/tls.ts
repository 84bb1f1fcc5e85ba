import assert from "node:assert/strict";
import https from "node:https";
import type { ConnectionOptions } from "node:tls";
import { makeCa, makeCertificate, type MadeAuthority, type MadeCertificate } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { rule, serverNameItem, virtualHostItem } from "../items.ts";
import type { Plane } from "../plane.ts";
import { requestHttp1 } from "../traffic/http-client.ts";
import { isRefused } from "../traffic/stream-client.ts";

const test = casesOf("TLS");

/** A certificate of the model. */
const item = (name: string, made: MadeCertificate) => ({ key: `Secret/kit/${name}`, ...made });

const http = (...names: readonly string[]) =>
  ({ type: "http", certificates: names.map((name) => `Secret/kit/${name}`) }) as const;

/** One TLS listener whose server names have a certificate of that name each, and one backend. */
async function serveNames(plane: Plane, ...names: readonly string[]) {
  const ca = await makeCa();
  const web = await plane.http("web");
  const certificates = [];
  for (const name of names) {
    certificates.push(item(name, await makeCertificate({ names: [name === "*" ? "any.test" : name], ca })));
  }
  const actions = Object.fromEntries(names.map((name) => [name, http(name)]));
  const site = await plane.serveTls(actions, { certificates, rules: [rule("/", web)] });
  return { ...site, ca, web, secure: (servername: string) => secure(ca, servername) };
}

function secure(ca: MadeAuthority, servername?: string): ConnectionOptions {
  return { ca: ca.certificate, ...(servername === undefined ? {} : { servername }) };
}

/** The common name that is shown to who asks for `servername`; for none if it is absent. */
async function shownTo(
  plane: Plane,
  at: Parameters<Plane["lines"]>[0],
  servername?: string,
): Promise<string> {
  const options = { rejectUnauthorized: false, ...(servername === undefined ? {} : { servername }) };
  const client = await plane.lines(at, options);
  client.close();
  return String(client.peer?.subject.CN);
}

export const tlsCases = [
  test("requests are served behind the certificate of their server name", "Gateway", async (plane) => {
    const { get, secure: options } = await serveNames(plane, "a.test", "b.test");
    for (const name of ["a.test", "b.test"]) {
      const answer = await get("/x", { host: name, tls: options(name) });
      assert.equal(answer.from, "web");
      assert.equal(answer.seen?.host, name);
    }
  }),

  test(
    "the exact name goes before wildcards, the longest wildcard before shorter ones, and * takes the rest",
    "Gateway",
    async (plane) => {
      const { at } = await serveNames(plane, "*", "*.test", "*.shop.test", "www.shop.test");
      assert.equal(await shownTo(plane, at, "www.shop.test"), "www.shop.test");
      assert.equal(await shownTo(plane, at, "WWW.Shop.Test"), "www.shop.test");
      assert.equal(await shownTo(plane, at, "a.shop.test"), "*.shop.test");
      assert.equal(await shownTo(plane, at, "a.b.shop.test"), "*.shop.test");
      assert.equal(await shownTo(plane, at, "shop.test"), "*.test");
      assert.equal(await shownTo(plane, at, "example.org"), "any.test");
      assert.equal(await shownTo(plane, at), "any.test", "without a server name");
    },
  ),

  test("a server name that nobody has is refused", "Gateway", async (plane) => {
    const { at } = await serveNames(plane, "a.test", "*.shop.test");
    for (const servername of ["b.test", "shop.test", "xa.test"]) {
      assert.equal(await isRefused(at, { servername, rejectUnauthorized: false }), true, servername);
    }
    assert.equal(await isRefused(at, { rejectUnauthorized: false }), true, "no server name");
  }),

  test("plain HTTP on a TLS listener is not served", "Gateway", async (plane) => {
    const { get, web } = await serveNames(plane, "*");
    const answer = await get("/").catch(() => undefined);
    assert.ok(answer === undefined || answer.status === 400, `status ${answer?.status}`);
    assert.equal(web.requests.length, 0);
  }),

  test("clients choose HTTP/2 or HTTP/1.1", "Gateway", async (plane) => {
    const { at, get, secure: options } = await serveNames(plane, "a.test");
    const client = await plane.http2(at, options("a.test"));
    const modern = await client.request({ path: "/modern", host: "a.test" });
    assert.equal(modern.from, "web");
    assert.equal(modern.seen?.target, "/modern");
    assert.equal((await get("/old", { host: "a.test", tls: options("a.test") })).from, "web");
  }),

  test("a renewed certificate is shown to new connections, and open ones go on", "Gateway", async (plane) => {
    const { at, ca, secure: options } = await serveNames(plane, "a.test");
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    plane.atEnd(() => agent.destroy());
    const get = () => requestHttp1(at, { host: "a.test", agent, tls: options("a.test") });
    await get();
    const renewed = await makeCertificate({ names: ["a.test"], commonName: "renewed", ca });
    await plane.apply({ certificates: [item("a.test", renewed)] });
    assert.equal(await shownTo(plane, at, "a.test"), "renewed");
    assert.equal((await get()).from, "web");
  }),

  test("a server name may change its certificate, come and go", "Gateway", async (plane) => {
    const { at, ca, listener } = await serveNames(plane, "a.test");
    const other = await makeCertificate({ names: ["a.test", "b.test"], commonName: "other", ca });
    await plane.apply({
      certificates: [item("other", other)],
      serverNames: [
        serverNameItem(listener, "a.test", http("other")),
        serverNameItem(listener, "b.test", http("other")),
      ],
    });
    assert.equal(await shownTo(plane, at, "a.test"), "other");
    assert.equal(await shownTo(plane, at, "b.test"), "other");
    await plane.apply({ serverNames: [`${listener.key}|b.test`], certificates: ["Secret/kit/a.test"] });
    assert.equal(await isRefused(at, { servername: "b.test", rejectUnauthorized: false }), true);
    assert.equal(await shownTo(plane, at, "a.test"), "other");
  }),

  test("of several certificates the client gets one that it understands", "Gateway", async (plane) => {
    const ca = await makeCa();
    const web = await plane.http("web");
    const names = ["a.test"];
    const certificates = [
      item("ec", await makeCertificate({ names, commonName: "ec", ca })),
      item("rsa", await makeCertificate({ names, commonName: "rsa", ca, algorithm: "rsa" })),
    ];
    const { at } = await plane.serveTls(
      { "a.test": http("ec", "rsa") },
      { certificates, rules: [rule("/", web)] },
    );
    const shown = async (options: ConnectionOptions) => {
      const client = await plane.lines(at, {
        servername: "a.test",
        rejectUnauthorized: false,
        maxVersion: "TLSv1.2",
        ...options,
      });
      client.close();
      return client.peer?.subject.CN;
    };
    assert.equal(await shown({ ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256" }), "ec");
    assert.equal(await shown({ ciphers: "ECDHE-RSA-AES128-GCM-SHA256" }), "rsa");
  }),

  test("the certificates between leaf and root are sent along", "Gateway", async (plane) => {
    const root = await makeCa();
    const between = await makeCa({ parent: root });
    const web = await plane.http("web");
    const made = await makeCertificate({ names: ["a.test"], ca: between });
    const { get } = await plane.serveTls(
      { "a.test": http("a.test") },
      { certificates: [item("a.test", made)], rules: [rule("/", web)] },
    );
    assert.equal((await get("/", { host: "a.test", tls: secure(root, "a.test") })).from, "web");
  }),

  test(
    "a request for a host of another section than its connection is answered with 421",
    "GatewayHTTPSListenerDetectMisdirectedRequests",
    async (plane) => {
      const ca = await makeCa();
      const [one, two] = [await plane.http("one"), await plane.http("two")];
      const made = await makeCertificate({ names: ["one.test", "*.two.test"], ca });
      const listener = await plane.listener("tls");
      const section = (name: string) => `Gateway/kit/gateway/${name}`;
      await plane.apply({
        ...plane.backends,
        certificates: [item("both", made)],
        listeners: [listener],
        serverNames: [
          serverNameItem(listener, "one.test", http("both"), section("one")),
          serverNameItem(listener, "*.two.test", http("both"), section("two")),
        ],
        virtualHosts: [
          virtualHostItem(listener, "one.test", [rule("/", one)], section("one")),
          virtualHostItem(listener, "*.two.test", [rule("/", two)], section("two")),
        ],
      });
      const { at, get } = plane.site(listener);
      const from = async (servername: string, host: string) =>
        (await get("/", { host, tls: secure(ca, servername) })).from;
      assert.equal(await from("one.test", "one.test"), "one");
      assert.equal(await from("a.two.test", "a.two.test"), "two");
      assert.equal(await from("a.two.test", "b.two.test"), "two", "another host of the same section");
      assert.equal(await from("one.test", "a.two.test"), 421);
      assert.equal(await from("a.two.test", "one.test"), 421);
      const client = await plane.http2(at, secure(ca, "one.test"));
      assert.equal((await client.request({ host: "one.test" })).from, "one");
      assert.equal((await client.request({ host: "a.two.test" })).status, 421);
      assert.equal((await client.request({ host: "one.test" })).from, "one", "the connection goes on");
    },
  ),

  test("a host that no virtual host has is 404, whatever the connection", "Gateway", async (plane) => {
    const ca = await makeCa();
    const web = await plane.http("web");
    const made = await makeCertificate({ names: ["a.test"], ca });
    const listener = await plane.listener("tls");
    await plane.apply({
      ...plane.backends,
      certificates: [item("a", made)],
      listeners: [listener],
      serverNames: [serverNameItem(listener, "a.test", http("a"))],
      virtualHosts: [virtualHostItem(listener, "a.test", [rule("/", web)])],
    });
    const { get } = plane.site(listener);
    const answer = await get("/", { host: "none.test", tls: secure(ca, "a.test") });
    assert.ok(answer.status === 404 || answer.status === 421, `status ${answer.status}`);
  }),
];

import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, rule, virtualHostItem } from "../items.ts";
import { isRefused } from "../traffic/stream-client.ts";

const test = casesOf("life cycle");

export const lifeCycleCases = [
  test("starts, takes an empty set of changes, and stops", "HTTPRoute", async (plane) => {
    await plane.apply({});
  }),

  test(
    "a listener is reported before apply resolves, and programmed means that it answers",
    "HTTPRoute",
    async (plane) => {
      const listener = await plane.listener("http");
      await plane.apply({ listeners: [listener] });
      const { status } = await plane.site(listener).get("/");
      assert.equal(status, 404, "a listener without virtual hosts");
    },
  ),

  test("a removed listener takes no more connections, and comes back", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { listener, at } = await plane.serve([rule("/", web)]);
    const host = `${listener.key}|*`;
    await plane.apply({ listeners: [listener.key], virtualHosts: [host] });
    assert.equal(await isRefused(at), true, "after its removal");
    await plane.apply({
      listeners: [listener],
      virtualHosts: [virtualHostItem(listener, "*", [rule("/", web)])],
    });
    assert.equal((await plane.site(listener).get("/")).from, "web");
  }),

  test("a listener may begin to speak something else", "Gateway", async (plane) => {
    const web = await plane.http("web");
    const { listener } = await plane.serve([rule("/", web)]);
    await plane.apply({ listeners: [{ ...listener, protocol: "tls" }] });
    assert.equal(
      await isRefused(plane.at(listener), { rejectUnauthorized: false, servername: "a.test" }),
      true,
    );
    await plane.apply({ listeners: [listener] });
    assert.equal((await plane.site(listener).get("/")).from, "web");
  }),

  test("listeners come and go without a trace on each other", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const first = await plane.serve([rule("/", one)]);
    const second = await plane.serve([rule("/", two)]);
    assert.equal((await first.get("/")).from, "one");
    assert.equal((await second.get("/")).from, "two");
    await plane.apply({ listeners: [first.listener.key], virtualHosts: [`${first.listener.key}|*`] });
    assert.equal((await second.get("/")).from, "two");
  }),

  test("items may arrive one by one, those that refer to others first", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const listener = await plane.listener("http");
    await plane.apply({ virtualHosts: [virtualHostItem(listener, "*", [rule("/", web)])] });
    await plane.apply({ listeners: [listener] });
    await plane.apply({ endpoints: [web.endpoints] });
    await plane.apply({ backends: [web.backend] });
    assert.equal((await plane.site(listener).get("/")).from, "web");
  }),

  test("items may go one by one, those that others refer to first", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { listener, get } = await plane.serve([rule("/", web)]);
    await plane.apply({ backends: [web.backend.key] });
    await plane.apply({ endpoints: [web.backend.key] });
    // Such a model is not one that anybody was given to serve; it must be lived through.
    const { status } = await get("/");
    assert.ok([200, 500, 503].includes(status), `without its backend: ${status}`);
    await plane.apply({ virtualHosts: [`${listener.key}|*`] });
    assert.equal((await get("/")).status, 404);
    await plane.apply({ listeners: [listener.key] });
  }),

  test("what changes is in force when apply resolves", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const { listener, get } = await plane.serve([rule("/", one)]);
    for (const next of [two, one, two, one]) {
      await plane.apply({ virtualHosts: [virtualHostItem(listener, "*", [rule("/", next)])] });
      assert.equal((await get("/")).from, next.name);
    }
  }),

  test("changes that are handed over at once come into force in their order", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const { listener, get } = await plane.serve([rule("/", one)]);
    const hosts = Array.from({ length: 7 }, (_, turn) =>
      virtualHostItem(listener, "*", [rule("/", turn % 2 === 0 ? two : one)]),
    );
    await Promise.all(hosts.map((host) => plane.apply({ virtualHosts: [host] })));
    assert.equal((await get("/")).from, "two");
  }),

  test(
    "the same changes again, and removals of what is not there, do no harm",
    "HTTPRoute",
    async (plane) => {
      const web = await plane.http("web");
      const { listener, get } = await plane.serve([rule("/", web)]);
      await plane.apply({ ...plane.backends, listeners: [listener] });
      await plane.apply({
        certificates: ["Secret/kit/none"],
        backends: ["Service/kit/none/80"],
        endpoints: ["Service/kit/none/80"],
        listeners: ["kit/none/tcp/1"],
        serverNames: ["kit/none/tcp/1|*"],
        virtualHosts: ["kit/none/tcp/1|*"],
        streamRoutes: ["kit/none/tcp/1"],
      });
      assert.equal((await get("/")).from, "web");
    },
  ),

  test("names that mean something to a program are names like others", "HTTPRoute", async (plane) => {
    const web = await plane.http("__proto__");
    const { get } = await plane.serve([
      rule({ headers: [{ name: "constructor", type: "exact", value: "toString" }] }, web),
    ]);
    assert.equal((await get("/", { headers: { constructor: "toString" } })).from, "__proto__");
    assert.equal((await get("/")).status, 404);
  }),

  test("an endpoint of one backend is none of another", "HTTPRoute", async (plane) => {
    const [one, two] = [await plane.http("one"), await plane.http("two")];
    const { get } = await plane.serve([rule("/one", one), rule("/two", two)]);
    await plane.apply({ endpoints: [endpointsItem(one.backend)] });
    assert.equal((await get("/one")).status, 503);
    assert.equal((await get("/two")).from, "two");
  }),

  test("stop ends every listener", "HTTPRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    await plane.driver.stop();
    assert.equal(await isRefused(at), true);
  }),

  test("a Gateway's own addresses are the ones that are opened", "GatewayStaticAddresses", async (plane) => {
    const web = await plane.http("web");
    const listener = await plane.listener("http", { addresses: ["127.0.0.1"] });
    const hosts = [virtualHostItem(listener, "*", [rule("/", web)])];
    await plane.apply({ ...plane.backends, listeners: [listener], virtualHosts: hosts });
    assert.equal((await plane.site(listener).get("/")).from, "web");
  }),

  test(
    "an address that the proxy does not have is refused by its name",
    "GatewayStaticAddresses",
    async (plane) => {
      const listener = await plane.listener("http", { addresses: ["192.0.2.1"] });
      await plane.apply({ listeners: [listener] });
      const state = plane.stateOf("listeners", listener.key);
      assert.equal(state?.type, "refused");
      assert.equal(state.reason, "AddressNotUsable");
      assert.match(state.message, /192\.0\.2\.1/);
    },
  ),
];

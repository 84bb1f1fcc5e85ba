import assert from "node:assert/strict";
import { compileClientAddresses, type ClientAddresses } from "../../model/index.ts";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import { callGrpc } from "../traffic/grpc.ts";

const test = casesOf("client addresses");
const feature = "ClientAddressFilter";

/** A rule for each filter, at `/<index>`. */
async function serveFiltered(plane: Plane, ...filters: Partial<ClientAddresses>[]) {
  const web = await plane.http("web");
  const { get } = await plane.serve([
    ...filters.map((filter, index) =>
      rule(`/${index}`, { clientAddresses: { source: "peer", ...filter }, backends: [to(web)] }),
    ),
    rule("/", web),
  ]);
  const taken = async (forwardedFor?: string | readonly string[]) => {
    const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
    const statuses: number[] = [];
    for (const index of filters.keys()) statuses.push((await get(`/${index}`, { headers })).status);
    return statuses.map((status) => (status === 200 ? "taken" : status));
  };
  return { get, web, taken };
}

const trusting = { source: "forwarded", trustedProxies: ["127.0.0.0/8"] } as const;

const ranges = `
  10.0.0.0/8 10.0.0.0/9 10.0.0.1 0.0.0.0/0 ::ffff:10.0.0.0/105 10.0.0.0/33
  ::/0 2001:db8::/32 2001:db8::/29 fe80::/10 ::1 nobody 2001:db8::/129
`
  .trim()
  .split(/\s+/);

const entries = `
  10.0.0.1 10.128.0.1 ::ffff:10.0.0.1 ::ffff:a00:1 192.0.2.1 127.0.0.1
  2001:db8::7 2001:dbf:ffff::1 2001:db7:ffff::1 2001:0DB8:0:0:0:0:0:1 :: ::1 fe80::1%eth0
  1:2:3:4:5:6:7:8 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 ::1.2.3.4 1.2.3.4:: :1 :::
  010.0.0.1 10.0.0.256 10.0.0 10.0.0.1%eth0 10.0.0.1:80 [::1] 12345:: g::1
`
  .trim()
  .split(/\s+/);

export const clientAddressCases = [
  test("only clients that are allowed and not denied are served", feature, async (plane) => {
    const { get, web, taken } = await serveFiltered(
      plane,
      { allow: ["127.0.0.0/8"] },
      { allow: ["10.0.0.0/8", "2001:db8::/32"] },
      { allow: ["::ffff:127.0.0.0/104", "::1"] },
      { allow: [] },
      { deny: ["127.0.0.1"] },
      { deny: ["10.0.0.0/8", "::/1"], allow: ["0.0.0.0/0"] },
      { allow: ["127.0.0.0/8"], deny: ["127.0.0.0/30"] },
    );
    assert.deepEqual(await taken(), ["taken", 403, "taken", 403, 403, "taken", 403]);
    assert.equal(web.requests.length, 3, "the backend sees nothing of the others");
    assert.equal((await get("/else")).from, "web");
  }),

  test("a header does not make anybody of a client", feature, async (plane) => {
    const { taken } = await serveFiltered(
      plane,
      { allow: ["10.0.0.1"] },
      { allow: ["10.0.0.1"], source: "forwarded" },
      { allow: ["10.0.0.1"], source: "forwarded", trustedProxies: ["192.0.2.0/24"] },
      { deny: ["127.0.0.0/8"], source: "forwarded" },
    );
    assert.deepEqual(await taken("10.0.0.1"), [403, 403, 403, 403]);
  }),

  test("the word of trusted proxies counts, as far as they are trusted", feature, async (plane) => {
    const { taken } = await serveFiltered(
      plane,
      { ...trusting, allow: ["10.0.0.1", "2001:db8::/32"] },
      { ...trusting, deny: ["10.0.0.1", "2001:db8::/32"] },
    );
    assert.deepEqual(await taken(), [403, "taken"], "no header: the peer");
    assert.deepEqual(await taken("10.0.0.1"), ["taken", 403]);
    assert.deepEqual(await taken("2001:DB8::7"), ["taken", 403]);
    assert.deepEqual(await taken("10.0.0.1, 192.0.2.7"), [403, "taken"], "what others said does not count");
    assert.deepEqual(await taken("192.0.2.7,10.0.0.1 , 127.0.0.9"), ["taken", 403], "two trusted proxies");
    assert.deepEqual(await taken(["192.0.2.7", "10.0.0.1"]), ["taken", 403], "a header of several lines");
    assert.deepEqual(await taken("unknown"), [403, 403], "what is no address is nobody's");
    assert.deepEqual(await taken("10.0.0.1, 10.0.0.1:80"), [403, 403]);
  }),

  test("addresses and ranges are read as the model reads them", feature, async (plane) => {
    const filters = ranges.map((range) => ({ ...trusting, allow: [range] }));
    const { taken } = await serveFiltered(plane, ...filters);
    for (const entry of entries) {
      const expected = filters.map((filter) =>
        compileClientAddresses(filter).takes("127.0.0.1", () => entry) ? "taken" : 403,
      );
      assert.deepEqual(await taken(entry), expected, entry);
    }
  }),

  test("the filter comes before what else the rule would do", feature, async (plane) => {
    const clientAddresses = { allow: ["10.0.0.0/8"], source: "peer" } as const;
    const greeter = await plane.grpc("greeter");
    const { get, at } = await plane.serve([
      rule("/kit.Greeter", { protocol: "grpc", clientAddresses, backends: [to(greeter)] }),
      rule("/", { clientAddresses, redirect: { port: "listener", hostname: "a.test", statusCode: 302 } }),
    ]);
    assert.equal((await get("/")).status, 403);
    const { status } = await callGrpc(await plane.http2(at), { path: "/kit.Greeter/Hello" });
    assert.equal(status, 7, "permission denied, in gRPC's words");
  }),

  test("a filter that changes holds when apply resolves", feature, async (plane) => {
    const web = await plane.http("web");
    const ruleFor = (allow: readonly string[]) =>
      rule("/", { clientAddresses: { allow, source: "peer" }, backends: [to(web)] });
    const { get, listener } = await plane.serve([ruleFor(["127.0.0.0/8"])]);
    assert.equal((await get("/")).status, 200);
    const host = {
      key: `${listener.key}|*`,
      listener: listener.key,
      hostname: "*",
      section: "Gateway/kit/gateway/only",
    };
    await plane.apply({ virtualHosts: [{ ...host, rules: [ruleFor(["10.0.0.0/8"])] }] });
    assert.equal((await get("/")).status, 403);
    await plane.apply({ virtualHosts: [{ ...host, rules: [ruleFor(["127.0.0.1"])] }] });
    assert.equal((await get("/")).status, 200);
  }),
];

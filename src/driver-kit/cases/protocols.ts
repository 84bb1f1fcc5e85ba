import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, exact, noTarget, rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import { callGrpc } from "../traffic/grpc.ts";
import { siteHost } from "../traffic/http-client.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";
import { seenHeader } from "../traffic/seen-request.ts";
import { openWebSocket } from "../traffic/websocket.ts";

const test = casesOf("protocols");

async function serveGrpc(plane: Plane) {
  const [greeter, other] = [await plane.grpc("greeter"), await plane.grpc("other")];
  const empty = await plane.grpc("empty");
  const grpc = { protocol: "grpc" } as const;
  const site = await plane.serve(
    [
      rule({ path: exact("/kit.Greeter/Hello") }, { ...grpc, backends: [to(greeter)] }),
      rule("/kit.Other", { ...grpc, backends: [to(other)] }),
      rule("/kit.Empty", { ...grpc, backends: [to(empty)] }),
      rule("/kit.Error", { ...grpc, backends: [{ weight: 1, target: noTarget }] }),
    ],
    { endpoints: [greeter.endpoints, other.endpoints, endpointsItem(empty.backend)] },
  );
  return { ...site, greeter, other, client: await plane.http2(site.at) };
}

async function offerUpgrade(plane: Plane, offer: string) {
  const web = await plane.http("web");
  const { at } = await plane.serve([rule("/open", web)]);
  const received = await exchangeRaw(
    at,
    "GET /open HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade, HTTP2-Settings\r\n" +
      `Upgrade: ${offer}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  return { received, web };
}

export const protocolCases = [
  test("clients may speak HTTP/2 with prior knowledge", "GRPCRoute", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", web)]);
    const client = await plane.http2(at);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        client.request({ path: `/${index}`, method: "POST", host: "a.test", body: `body ${index}` }),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      assert.equal(answer.seen?.target, `/${index}`);
      assert.equal(answer.seen.body, `body ${index}`);
      assert.equal(answer.seen.host, "a.test");
    }
  }),

  test(
    "a backend that speaks HTTP/2 is spoken to in HTTP/2, whatever the client speaks",
    "HTTPRouteBackendProtocolH2C",
    async (plane) => {
      const web = await plane.http("web", { http2: true });
      const { at, get } = await plane.serve([rule("/", web)]);
      const first = await get("/x?y=1", { method: "POST", body: "text", headers: { "x-mine": "1" } });
      const client = await plane.http2(at);
      const second = await client.request({
        path: "/x?y=1",
        method: "POST",
        body: "text",
        headers: { "x-mine": "1" },
      });
      for (const { seen } of [first, second]) {
        assert.equal(seen?.protocol, "HTTP/2");
        assert.equal(seen.target, "/x?y=1");
        assert.equal(seen.host, siteHost(at));
        assert.equal(seen.body, "text");
        assert.ok(seen.headers.some(([name, value]) => name === "x-mine" && value === "1"));
      }
    },
  ),

  test("WebSocket connections are passed on", "HTTPRouteBackendProtocolWebSocket", async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/chat", web)]);
    const socket = await openWebSocket(at, { host: "site.test", path: "/chat" });
    plane.atEnd(() => socket.close());
    assert.match(socket.head, /^HTTP\/1\.1 101/);
    assert.equal(await socket.exchange("hello"), "web: hello");
    const long = "x".repeat(20_000);
    assert.equal(await socket.exchange(long), `web: ${long}`);
    assert.equal(await socket.exchange("bye"), "web: bye");
  }),

  test(
    "a WebSocket that the backend or the routes refuse is refused to the client",
    "HTTPRouteBackendProtocolWebSocket",
    async (plane) => {
      const web = await plane.http("web");
      const { at } = await plane.serve([rule("/refused", web)]);
      const refused = await openWebSocket(at, { host: "site.test", path: "/refused" });
      refused.close();
      assert.match(refused.head, /^HTTP\/1\.1 403/);
      const unknown = await openWebSocket(at, { host: "site.test", path: "/unknown" });
      unknown.close();
      assert.match(unknown.head, /^HTTP\/1\.1 404/);
    },
  ),

  ...["h2c, websocket", "WebSocket,h2c"].map((offer) =>
    test(
      `of an offer of ${offer}, only WebSocket is passed on`,
      "HTTPRouteBackendProtocolWebSocket",
      async (plane) => {
        const { received } = await offerUpgrade(plane, offer);
        assert.deepEqual(statusesIn(received), [101]);
        assert.match(received, /^x-seen-upgrade: websocket\r$/im);
      },
    ),
  ),

  ...["h2c", "H2C", "h2c/1", "TLS/1.0", "other"].map((offer) =>
    test(`an offer of ${offer} is not passed on`, "HTTPRoute", async (plane) => {
      const { received, web } = await offerUpgrade(plane, offer);
      assert.deepEqual(statusesIn(received), [200]);
      const [seen] = web.requests;
      assert.equal(seenHeader(seen!, "upgrade"), undefined);
      assert.equal(seenHeader(seen!, "http2-settings"), undefined);
    }),
  ),

  test(
    "an open WebSocket outlives changes of other things",
    "HTTPRouteBackendProtocolWebSocket",
    async (plane) => {
      const [web, other] = [await plane.http("web"), await plane.http("other")];
      const { at, listener } = await plane.serve([rule("/", web)]);
      const socket = await openWebSocket(at, { host: "site.test", path: "/" });
      plane.atEnd(() => socket.close());
      await plane.apply({ endpoints: [endpointsItem(other.backend)] });
      const third = await plane.listener("http");
      await plane.apply({ listeners: [third] });
      await plane.apply({ listeners: [third.key, listener] });
      assert.equal(await socket.exchange("still there"), "web: still there");
    },
  ),

  test("gRPC calls go by their method, with trailers", "GRPCRoute", async (plane) => {
    const { client, greeter } = await serveGrpc(plane);
    const answer = await callGrpc(client, { path: "/kit.Greeter/Hello", headers: { "x-meta": "data" } });
    assert.equal(answer.httpStatus, 200);
    assert.equal(answer.status, 0);
    assert.equal(answer.statusMessage, "said by greeter");
    assert.deepEqual(answer.messages, ["greeter: hello"]);
    assert.equal(greeter.calls[0]?.headers["x-meta"], "data");
    assert.equal(greeter.calls[0].headers["te"], "trailers");
    const other = await callGrpc(client, { path: "/kit.Other/Anything" });
    assert.deepEqual(other.messages, ["other: hello"]);
  }),

  test("the status of a gRPC call is the backend's", "GRPCRoute", async (plane) => {
    const { client } = await serveGrpc(plane);
    const headers = { "x-want-status": "9" };
    const answer = await callGrpc(client, { path: "/kit.Greeter/Hello", headers });
    assert.equal(answer.status, 9);
    assert.equal(answer.statusMessage, "said by greeter");
  }),

  test("gRPC messages stream in both directions", "GRPCRoute", async (plane) => {
    const { client } = await serveGrpc(plane);
    const messages = ["one", "two", "three"];
    const answer = await callGrpc(client, { path: "/kit.Greeter/Hello", messages, inTurns: true });
    assert.deepEqual(
      answer.messages,
      messages.map((message) => `greeter: ${message}`),
    );
  }),

  test("the gateway's own answers to gRPC calls are gRPC statuses", "GRPCRoute", async (plane) => {
    const { client } = await serveGrpc(plane);
    const empty = await callGrpc(client, { path: "/kit.Empty/Call" });
    assert.deepEqual([empty.httpStatus, empty.status], [200, 14], "no endpoints: UNAVAILABLE");
    const error = await callGrpc(client, { path: "/kit.Error/Call" });
    assert.equal(error.httpStatus, 200);
    assert.ok(error.status !== undefined && error.status !== 0, `no backend: ${error.status}`);
    // What no rule takes is not known to be gRPC, but gRPC clients read 404 as UNIMPLEMENTED.
    const unknown = await callGrpc(client, { path: "/kit.Greeter/Unknown" });
    assert.ok(unknown.status === 12 || unknown.httpStatus === 404, JSON.stringify(unknown));
  }),

  test("gRPC headers match like others", "GRPCRoute", async (plane) => {
    const [one, two] = [await plane.grpc("one"), await plane.grpc("two")];
    const headers = [{ name: "x-version", type: "exact", value: "two" } as const];
    const { at } = await plane.serve([
      rule({ headers }, { protocol: "grpc", backends: [to(two)] }),
      rule("/", { protocol: "grpc", backends: [to(one)] }),
    ]);
    const client = await plane.http2(at);
    const path = "/kit.Any/Call";
    assert.deepEqual((await callGrpc(client, { path })).messages, ["one: hello"]);
    const chosen = await callGrpc(client, { path, headers: { "x-version": "two" } });
    assert.deepEqual(chosen.messages, ["two: hello"]);
  }),
];

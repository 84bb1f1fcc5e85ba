import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import { within } from "../traffic/deadline.ts";
import { callGrpc } from "../traffic/grpc.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";
import { openWebSocket } from "../traffic/websocket.ts";

const test = casesOf("body limits");
const feature = "RequestBodyLimit";

async function serveLimited(plane: Plane) {
  const web = await plane.http("web");
  const site = await plane.serve([
    rule("/limited", { maxBodySize: 1_000, backends: [to(web)] }),
    rule("/", web),
  ]);
  return { ...site, web };
}

export const bodyLimitCases = [
  test("a body of the largest size passes, a larger one is answered with 413", feature, async (plane) => {
    const { get, web } = await serveLimited(plane);
    const fits = await get("/limited", { method: "POST", body: "x".repeat(1_000) });
    assert.equal(fits.seen?.body.length, 1_000);
    assert.equal((await get("/limited", { method: "POST", body: "x".repeat(1_001) })).status, 413);
    assert.equal((await get("/limited")).from, "web");
    assert.equal(web.requests.length, 2, "the backend never saw what was too large");
  }),

  test("a declared length is enough for 413", feature, async (plane) => {
    const { at, web } = await serveLimited(plane);
    const received = await exchangeRaw(
      at,
      "POST /limited HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5000000000\r\n\r\nfirst bytes",
    );
    assert.equal(statusesIn(received)[0], 413);
    assert.equal(web.requests.length, 0);
  }),

  test("a body in chunks is counted as it comes", feature, async (plane) => {
    const { at, web } = await serveLimited(plane);
    const send = (...sizes: number[]) =>
      exchangeRaw(
        at,
        "POST /limited HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" +
          sizes.map((size) => `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`).join("") +
          "0\r\n\r\n",
      );
    assert.equal(statusesIn(await send(600, 400))[0], 200);
    assert.equal(web.requests[0]?.body.length, 1_000);
    assert.equal(statusesIn(await send(600, 401))[0], 413);
    assert.equal(statusesIn(await send(70_000))[0], 413);
    assert.equal(web.requests.length, 1, "the backend never saw a whole one");
  }),

  test("bodies over HTTP/2 are counted too", feature, async (plane) => {
    const { at, web } = await serveLimited(plane);
    const client = await plane.http2(at);
    const post = (body: string, headers = {}) =>
      client.request({ path: "/limited", method: "POST", body, headers });
    assert.equal((await post("x".repeat(1_000))).seen?.body.length, 1_000);
    assert.equal((await post("x".repeat(1_001))).status, 413);
    const stream = client.open({
      path: "/limited",
      method: "POST",
      headers: { "content-length": "1001" },
    });
    stream.on("error", () => {});
    const answered = new Promise<unknown>((resolve) =>
      stream.once("response", (head) => resolve(head[":status"])),
    );
    assert.equal(await within(plane.patience, "413 for a declared length", answered), 413);
    stream.close();
    assert.equal(web.requests.length, 1);
  }),

  test("the limit is its own rule's", feature, async (plane) => {
    const { get } = await serveLimited(plane);
    const body = "x".repeat(200_000);
    assert.equal((await get("/free", { method: "POST", body })).seen?.body.length, body.length);
  }),

  test("calls and upgraded connections go through a rule with a limit", feature, async (plane) => {
    const [web, greeter] = [await plane.http("web"), await plane.grpc("greeter")];
    const { at } = await plane.serve([
      rule("/kit.Greeter", { protocol: "grpc", maxBodySize: 1_000, backends: [to(greeter)] }),
      rule("/", { maxBodySize: 100, backends: [to(web)] }),
    ]);
    const socket = await openWebSocket(at, { host: "a.test", path: "/chat" });
    plane.atEnd(() => socket.close());
    for (let round = 0; round < 4; round++) {
      assert.equal(await socket.exchange("y".repeat(90)), `web: ${"y".repeat(90)}`);
    }
    const { status } = await callGrpc(await plane.http2(at), { path: "/kit.Greeter/Hello" });
    assert.equal(status, 0);
  }),
];

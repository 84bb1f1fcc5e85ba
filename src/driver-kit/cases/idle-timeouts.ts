import assert from "node:assert/strict";
import net from "node:net";
import { casesOf } from "../contract-case.ts";
import { rule, to } from "../items.ts";
import { pause, within } from "../traffic/deadline.ts";
import { exchangeRaw, statusesIn } from "../traffic/raw-client.ts";

const test = casesOf("idle time-outs");
const feature = "StreamIdleTimeout";

export const idleTimeoutCases = [
  test("a backend that keeps the answer waiting is given up with 504", feature, async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 20_000 }) });
    const { get } = await plane.serve([rule("/", { timeouts: { idle: 500 }, backends: [to(slow)] })]);
    assert.equal((await get("/")).status, 504);
  }),

  test("bytes that go on keep a request alive for any time", feature, async (plane) => {
    const drip = { pieces: Array.from({ length: 12 }, () => ({ after: 250, data: "drip" })) };
    const web = await plane.http("web", { answer: () => drip });
    const { get } = await plane.serve([rule("/", { timeouts: { idle: 1_500 }, backends: [to(web)] })]);
    assert.equal((await get("/")).body, "drip".repeat(12));
  }),

  test("an answer that falls silent is broken off", feature, async (plane) => {
    const halting = {
      pieces: [
        { after: 0, data: "begin" },
        { after: 20_000, data: "end" },
      ],
    };
    const web = await plane.http("web", { answer: () => halting });
    const { get } = await plane.serve([rule("/", { timeouts: { idle: 500 }, backends: [to(web)] })]);
    await assert.rejects(get("/"));
  }),

  test("a client that does not go on with its body is answered with 408", feature, async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", { timeouts: { idle: 500 }, backends: [to(web)] })]);
    const received = await exchangeRaw(
      at,
      "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 100\r\n\r\nthe first bytes",
      { patience: plane.patience },
    );
    assert.equal(statusesIn(received)[0], 408);
    assert.equal(web.requests.length, 0);
  }),

  test("a body that goes on is not given up", feature, async (plane) => {
    const web = await plane.http("web");
    const { at } = await plane.serve([rule("/", { timeouts: { idle: 1_500 }, backends: [to(web)] })]);
    const socket = net.connect(at.port, at.address);
    plane.atEnd(() => socket.destroy());
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.write("POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Length: 12\r\n\r\n");
    for (let byte = 0; byte < 12; byte++) {
      await pause(250);
      socket.write("x");
    }
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await within(plane.patience, "an answer", closed);
    assert.equal(statusesIn(Buffer.concat(chunks).toString("latin1"))[0], 200);
  }),

  test("the time-out is its own rule's", feature, async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 1_500 }) });
    const { get } = await plane.serve([
      rule("/short", { timeouts: { idle: 300 }, backends: [to(slow)] }),
      rule("/off", { timeouts: { idle: 0 }, backends: [to(slow)] }),
      rule("/", slow),
    ]);
    const [short, off, long] = await Promise.all([get("/short"), get("/off"), get("/long")]);
    assert.deepEqual([short.status, off.from, long.from], [504, "slow", "slow"]);
  }),
];

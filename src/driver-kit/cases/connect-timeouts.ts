import assert from "node:assert/strict";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, rule, to } from "../items.ts";
import { startDeafServer } from "../traffic/deaf-server.ts";
import { eventually } from "../traffic/deadline.ts";

const test = casesOf("connections to backends");
const feature = "ConnectTimeout";

export const connectTimeoutCases = [
  test("an endpoint that does not take connections is given up in time", feature, async (plane) => {
    const deaf = await startDeafServer();
    plane.atEnd(() => deaf.stop());
    const web = await plane.http("web", {}, { connectTimeout: 400 });
    const { get } = await plane.serve([rule("/", web)], {
      endpoints: [endpointsItem(web.backend, deaf.port)],
    });
    const begin = Date.now();
    const { status } = await get("/");
    assert.ok(status >= 502 && status <= 504, `status ${status}`);
    assert.ok(Date.now() - begin < 4_000, `given up after ${Date.now() - begin} ms`);
  }),

  test("a connection that carries no request is closed in time", feature, async (plane) => {
    const web = await plane.http("web", {}, { idleTimeout: 500 });
    const kept = await plane.http("kept");
    const { get } = await plane.serve([rule("/kept", kept), rule("/", web)]);
    assert.equal((await get("/")).from, "web");
    assert.equal((await get("/kept")).from, "kept");
    await eventually(plane.patience, "the connection to be closed", () => web.connections === 0);
    assert.equal(kept.connections, 1, "connections of other backends stay");
    assert.equal((await get("/")).from, "web");
  }),

  test("a request that takes longer is no idle connection", feature, async (plane) => {
    const slow = await plane.http("slow", { answer: () => ({ delay: 1_500 }) }, { idleTimeout: 300 });
    const { get } = await plane.serve([rule("/", { backends: [to(slow)] })]);
    assert.equal((await get("/")).from, "slow");
  }),

  test("settings that change hold for what comes", feature, async (plane) => {
    const web = await plane.http("web");
    const { get } = await plane.serve([rule("/", web)]);
    assert.equal((await get("/")).from, "web");
    await plane.apply({ backends: [{ ...web.backend, idleTimeout: 400, connectTimeout: 2_000 }] });
    assert.equal((await get("/")).from, "web");
    await eventually(plane.patience, "all connections to be closed", () => web.connections === 0);
  }),
];

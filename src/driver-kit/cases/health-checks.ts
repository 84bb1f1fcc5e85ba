import assert from "node:assert/strict";
import type { HealthCheck } from "../../model/index.ts";
import { makeCa, makeCertificate } from "../certificates.ts";
import { casesOf } from "../contract-case.ts";
import { endpointsItem, rule, streamRouteItem, to } from "../items.ts";
import type { Plane } from "../plane.ts";
import { eventually } from "../traffic/deadline.ts";
import { freePort } from "../traffic/free-port.ts";
import type { Answering } from "../traffic/http-backend.ts";

const test = casesOf("health checks");
const feature = "HealthCheck";

const check: HealthCheck = {
  path: "/healthy?deep=1",
  host: "health.test",
  interval: 200,
  timeout: 1_000,
  unhealthyThreshold: 2,
  healthyThreshold: 2,
  expectedStatuses: [],
};

/** Answers checks with a status that can be changed, and says what it saw to everybody else. */
function healthOf(state: { status: number }): Answering {
  return ({ target }) => (target.startsWith("/healthy") ? { status: state.status } : undefined);
}

async function serveChecked(plane: Plane, changes: Partial<HealthCheck> = {}) {
  const healthCheck = { ...check, ...changes };
  const states = [{ status: 200 }, { status: 200 }];
  const one = await plane.http("one", { answer: healthOf(states[0]!) }, { healthCheck });
  const two = await plane.http("two", { answer: healthOf(states[1]!) });
  const site = await plane.serve([rule("/", { backends: [to(one)] })], {
    backends: [one.backend],
    endpoints: [endpointsItem(one.backend, one.port, two.port)],
  });
  /** Who takes twelve requests in a row. */
  const takers = async () => {
    const from = new Set<string | number>();
    for (let request = 0; request < 12; request++) from.add((await site.get("/")).from);
    return [...from].map(String).toSorted().join(" ");
  };
  const until = (expected: string) =>
    eventually(plane.patience, `requests to go to ${expected}`, async () => (await takers()) === expected);
  return { ...site, one, two, states, until, takers };
}

export const healthCheckCases = [
  test("an endpoint that is not well gets nothing until it is well again", feature, async (plane) => {
    const { states, until } = await serveChecked(plane);
    await until("one two");
    states[0]!.status = 500;
    await until("two");
    states[0]!.status = 200;
    await until("one two");
  }),

  test("checks ask for the path and the host that are given", feature, async (plane) => {
    const { one, until } = await serveChecked(plane);
    await until("one two");
    const asked = one.requests.find(({ target }) => target.startsWith("/healthy"));
    assert.equal(asked?.target, "/healthy?deep=1");
    assert.equal(asked.host, "health.test");
    assert.equal(asked.method, "GET");
  }),

  test("no endpoint is well: 503", feature, async (plane) => {
    const { states, until, get } = await serveChecked(plane);
    await until("one two");
    for (const state of states) state.status = 503;
    await until("503");
    states[1]!.status = 200;
    await until("two");
    assert.equal((await get("/")).from, "two");
  }),

  test("an endpoint that was never well gets nothing", feature, async (plane) => {
    const down = await plane.http("down", { answer: healthOf({ status: 404 }) }, { healthCheck: check });
    const { get } = await plane.serve([rule("/", down)]);
    for (let request = 0; request < 5; request++) assert.equal((await get("/")).status, 503);
    assert.ok(down.requests.every(({ target }) => target.startsWith("/healthy")));
  }),

  test("the answers that mean well are those that are given", feature, async (plane) => {
    const { states, until } = await serveChecked(plane, {
      expectedStatuses: [
        { start: 200, end: 204 },
        { start: 418, end: 418 },
      ],
    });
    states[0]!.status = 204;
    states[1]!.status = 418;
    await until("one two");
    states[1]!.status = 205;
    await until("one");
  }),

  test("without a path, a connection is enough", feature, async (plane) => {
    const { path: _, host: __, ...connect } = check;
    const web = await plane.http("web", { answer: () => ({ status: 500 }) }, { healthCheck: connect });
    const port = await freePort();
    const { get } = await plane.serve([rule("/", web)], {
      endpoints: [endpointsItem(web.backend, web.port, port)],
    });
    await eventually(plane.patience, "the endpoint that listens to be the only one", async () => {
      const answers = [];
      for (let request = 0; request < 12; request++) answers.push((await get("/")).from);
      return answers.every((from) => from === "web");
    });
  }),

  test("endpoints that come are checked, too", feature, async (plane) => {
    const { one, two, until } = await serveChecked(plane);
    await until("one two");
    const three = await plane.http("three", { answer: healthOf({ status: 500 }) });
    const four = await plane.http("four", { answer: healthOf({ status: 200 }) });
    const ports = [one, two, three, four].map(({ port }) => port);
    await plane.apply({ endpoints: [endpointsItem(one.backend, ...ports)] });
    await until("four one two");
    await plane.apply({ endpoints: [endpointsItem(one.backend, four.port)] });
    await until("four");
  }),

  test("a backend that speaks HTTP/2 is asked in HTTP/2", feature, async (plane) => {
    const state = { status: 200 };
    const web = await plane.http("web", { http2: true, answer: healthOf(state) }, { healthCheck: check });
    const { get } = await plane.serve([rule("/", web)]);
    await eventually(plane.patience, "the backend to be well", async () => (await get("/")).from === "web");
    state.status = 500;
    await eventually(
      plane.patience,
      "the backend not to be well",
      async () => (await get("/")).status === 503,
    );
  }),

  test("a backend with TLS is asked over TLS", feature, async (plane) => {
    const ca = await makeCa();
    const tls = await makeCertificate({ names: ["web.test"], ca });
    const state = { status: 200 };
    const authority = "ConfigMap/kit/authority/ca.crt";
    const web = await plane.http(
      "web",
      { tls, answer: healthOf(state) },
      { healthCheck: check, tls: { hostname: "web.test", trusted: [authority], subjectAltNames: [] } },
    );
    const { get } = await plane.serve([rule("/", web)], {
      certificates: [{ key: authority, certificates: ca.certificate }],
    });
    await eventually(plane.patience, "the backend to be well", async () => (await get("/")).from === "web");
    state.status = 500;
    await eventually(
      plane.patience,
      "the backend not to be well",
      async () => (await get("/")).status === 503,
    );
  }),

  test("streams go to endpoints that are well", feature, async (plane) => {
    const { path: _, host: __, ...connect } = check;
    const echo = await plane.tcp("echo");
    const listener = await plane.listener("tcp");
    const backend = { ...echo.backend, healthCheck: connect };
    await plane.apply({
      backends: [backend],
      endpoints: [endpointsItem(backend, echo.port, await freePort())],
      listeners: [listener],
      streamRoutes: [streamRouteItem(listener, to(echo))],
    });
    await eventually(plane.patience, "every connection to be served", async () => {
      for (let round = 0; round < 6; round++) {
        const client = await plane.lines(plane.at(listener));
        const line = await client.readLine();
        client.close();
        if (line !== "echo") return false;
      }
      return true;
    });
  }),
];

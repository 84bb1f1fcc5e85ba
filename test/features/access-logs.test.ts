/* Records of requests: the same for the same requests, whichever driver serves them. */
import net from "node:net";
import { afterEach, describe, expect, it, type TestContext } from "vitest";
import { rule } from "../../src/driver-kit/items.ts";
import { Plane } from "../../src/driver-kit/plane.ts";
import { eventually } from "../../src/driver-kit/traffic/deadline.ts";
import { haproxyDriver } from "../../src/drivers/haproxy/index.ts";
import { embeddedDriver, nginxDriver, type BoundAddress, type Driver } from "../../src/drivers/index.ts";
import { hostedEnvoy } from "../../src/infrastructure/host/index.ts";
import { need } from "../components/need.ts";

type Records = Record<string, unknown>[];
type Make = (context: TestContext, accessLog: (record: object) => void) => Driver;

const grace = 20_000;
const drivers: Readonly<Record<string, Make>> = {
  embedded: (_, accessLog) => embeddedDriver({ accessLog, limits: { grace } }),
  envoy: (context, accessLog) =>
    hostedEnvoy({ accessLog, grace, concurrency: 1, binary: need(context, "envoy") }),
  nginx: (context, accessLog) => {
    need(context, "nginx");
    return nginxDriver({ accessLog, grace, workers: 1 });
  },
  haproxy: (context, accessLog) => {
    need(context, "haproxy");
    return haproxyDriver({ accessLog, limits: { grace } });
  },
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function started(context: TestContext, make: Make): Promise<{ plane: Plane; records: Records }> {
  const records: Records = [];
  const driver = make(context, (record) => void records.push(record as Record<string, unknown>));
  const plane = new Plane(driver, { createDriver: () => driver, patience: 30_000 });
  ends.push(() => plane.stop());
  await plane.start();
  return { plane, records };
}

/** A request that is answered when it is told to. */
async function underWay(plane: Plane) {
  let release: () => void = () => {};
  const released = new Promise<object>((resolve) => (release = () => resolve({})));
  const slow = await plane.http("slow", { answer: () => released });
  const site = await plane.serve([rule("/", slow)]);
  const answered = site.get("/slow", { timeout: 30_000 });
  await eventually(15_000, "the request at the backend", () => slow.requests.length === 1);
  return {
    ...site,
    end: async () => {
      release();
      expect((await answered).status).toBe(200);
    },
  };
}

function isRefused({ address, port }: BoundAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, address);
    const done = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.on("connect", () => done(false));
    socket.on("error", () => done(true));
  });
}

describe.each(Object.entries(drivers))("the access log of %s", (_, make) => {
  it("has the request that ends while the driver stops", { timeout: 60_000 }, async (context) => {
    const { plane, records } = await started(context, make);
    const { listener, at, end } = await underWay(plane);
    const stopped = plane.driver.stop();
    await eventually(15_000, "no more connections", () => isRefused(at));
    await end();
    await stopped;
    // A connection without a request may have its record, too.
    expect(records.filter(({ method }) => method !== "")).toMatchObject([
      { gateway: listener.gateway, listener: listener.key, path: "/slow", status: 200 },
    ]);
  });

  it("has the request that ends when its listener is gone", { timeout: 60_000 }, async (context) => {
    const { plane, records } = await started(context, make);
    const { listener, end } = await underWay(plane);
    await plane.apply({ listeners: [listener.key], virtualHosts: [`${listener.key}|*`] });
    await end();
    await eventually(15_000, "a record", () => records.length > 0);
    expect(records).toMatchObject([
      { gateway: listener.gateway, listener: listener.key, path: "/slow", status: 200 },
    ]);
  });

  it("is the same for the same requests", { timeout: 60_000 }, async (context) => {
    const { plane, records } = await started(context, make);
    const web = await plane.http("web", {
      answer: () => ({ headers: { "content-length": "11" }, body: "hello world" }),
    });
    const { get, at, listener } = await plane.serve([rule("/web", web)]);
    const client = await plane.http2(at);
    const requests = [
      () => get("/web/a?x=1", { host: "shop.test:8080", method: "POST", body: "12345" }),
      () => client.request({ path: "/web/b", host: "Shop.test:8080", method: "POST", body: "12345" }),
      () => client.request({ path: "/web/c", host: "shop.test", headers: { "x-request-id": "mine" } }),
      () => get("/none", { host: "shop.test:8080" }),
    ];
    const answers = [];
    for (const [index, ask] of requests.entries()) {
      answers.push(await ask());
      await eventually(15_000, "a record", () => records.length > index);
    }
    const both = {
      gateway: listener.gateway,
      listener: listener.key,
      host: "shop.test",
      clientAddress: at.address,
    };
    const served = {
      ...both,
      route: "HTTPRoute/kit/route",
      rule: expect.stringMatching(/^[0-9]+$/),
      status: 200,
      bytesOut: 11,
      backend: web.backend.key,
      endpoint: `127.0.0.1:${web.port}`,
    };
    const requestId = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const post = { ...served, method: "POST", bytesIn: 5, requestId };
    expect(records.map(({ time: _time, durationMs: _duration, ...rest }) => rest)).toEqual([
      { ...post, path: "/web/a", protocol: "HTTP/1.1" },
      { ...post, path: "/web/b", protocol: "HTTP/2" },
      { ...served, method: "GET", path: "/web/c", protocol: "HTTP/2", bytesIn: 0, requestId: "mine" },
      {
        ...both,
        method: "GET",
        path: "/none",
        protocol: "HTTP/1.1",
        status: 404,
        bytesIn: 0,
        bytesOut: answers[3]!.bytes.length,
        requestId,
      },
    ]);
    for (const { time, durationMs } of records) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(durationMs).toBeTypeOf("number");
    }
  });
});

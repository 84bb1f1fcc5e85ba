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
    expect(records).toMatchObject([
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
});

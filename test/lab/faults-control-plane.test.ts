/** The API server and etcd in trouble: requests go on, no status is lost, and all comes right by itself. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  acceptedRoutes,
  addressOf,
  answer,
  controllersOf,
  gatewayStatus,
  openShop,
  processesOf,
  routes,
  Traffic,
  types,
  useChart,
} from "./installed-chart.ts";
import { until, type Lab } from "./lab.ts";

const begin = useChart(["replicas=1", "proxies.driver=envoy", "proxyConfig.replicas=1"]);
const patience = { seconds: 90, every: 500 };
const long = 300_000;

/** Does something to a cluster in which requests are made all the time. What went wrong, and how the Gateway's status changed but for its counts. */
async function harmOf(lab: Lab, work: (address: string) => Promise<void>): Promise<object> {
  const address = await openShop(lab);
  const before = await gatewayStatus(lab);
  const traffic = new Traffic(`http://${address}/`);
  try {
    await work(address);
  } finally {
    lab.faults.normal();
  }
  const withoutCounts = ({ listeners, ...rest }: typeof before) =>
    JSON.stringify({ ...rest, listeners: listeners.map((listener) => ({ ...listener, attachedRoutes: 0 })) });
  const after = await gatewayStatus(lab);
  const { 200: good = 0, ...failed } = await traffic.stop();
  const isSame = withoutCounts(before) === withoutCounts(after);
  return { failed, hasServed: good > 100, status: isSame ? "the same" : { before, after } };
}

const noHarm = { failed: {}, hasServed: true, status: "the same" };

const serves = (address: string, host: string) =>
  until(
    `an answer for ${host}`,
    async () => (await answer(`http://${address}/`, undefined, host)) === "200",
    patience,
  );

describe("trouble with the control plane", () => {
  it(
    "the API server killed while statuses are written, and down for a minute",
    async (context) => {
      const lab = await begin(context);
      const harm = await harmOf(lab, async (address) => {
        await lab.apply(routes("down", 60));
        await lab.faults.killApiServer();
        await pause(60_000);
        await lab.faults.startApiServer();
        // As soon as it is back, whatever the controller has noticed of that.
        await lab.apply(routes("after-down", 5));
        await serves(address, "after-down-4.test");
        await until("all statuses", async () => (await acceptedRoutes(lab, "down-")) === 60, patience);
        await until("the new ones", async () => (await acceptedRoutes(lab, "after-down-")) === 5, patience);
        await until(
          "the count",
          async () => (await gatewayStatus(lab)).listeners[0]?.attachedRoutes === 66,
          patience,
        );
      });
      expect(harm).toEqual(noHarm);
    },
    long,
  );

  it(
    "the API server stopped in its tracks for 20 s: connections stay open, nothing answers",
    async (context) => {
      const lab = await begin(context);
      const harm = await harmOf(lab, async (address) => {
        lab.faults.pauseApiServer();
        await pause(20_000);
        lab.faults.resumeApiServer();
        await lab.apply(routes("paused", 5));
        await until("all statuses", async () => (await acceptedRoutes(lab, "paused-")) === 5, patience);
        await serves(address, "paused-4.test");
      });
      expect(harm).toEqual(noHarm);
    },
    long,
  );

  it(
    "an API server that runs only a fifth of the time",
    async (context) => {
      const lab = await begin(context);
      const harm = await harmOf(lab, async (address) => {
        lab.faults.slowApiServer(0.2);
        await lab.apply(routes("slow", 20));
        await until("all statuses", async () => (await acceptedRoutes(lab, "slow-")) === 20, patience);
        await serves(address, "slow-19.test");
      });
      expect(harm).toEqual(noHarm);
    },
    long,
  );

  it(
    "etcd compacted while the controller did not look: what was deleted meanwhile is deleted",
    async (context) => {
      const lab = await begin(context);
      const harm = await harmOf(lab, async (address) => {
        await lab.apply(routes("compacted", 2));
        await serves(address, "compacted-0.test");
        await serves(address, "compacted-1.test");
        const [controller] = await controllersOf(lab);
        const pids = processesOf(controller!.metadata.name);
        for (const pid of pids) process.kill(pid, "SIGSTOP");
        await lab.client.delete(types.httpRoutes, "compacted-0", "shop");
        await lab.apply(routes("fresh", 1));
        await lab.faults.compactEtcd();
        await lab.faults.restartApiServer();
        for (const pid of pids) process.kill(pid, "SIGCONT");
        await serves(address, "fresh-0.test");
        await serves(address, "compacted-1.test");
        expect(await addressOf(lab, "web")).toBe(address);
        // What takes all hosts answers now, and so the status of the route is gone with it.
        await until(
          "the count",
          async () => {
            const { items } = await lab.client.list(types.httpRoutes, { namespace: "shop" });
            return (await gatewayStatus(lab)).listeners[0]?.attachedRoutes === items.length;
          },
          patience,
        );
      });
      expect(harm).toEqual(noHarm);
    },
    long,
  );
});

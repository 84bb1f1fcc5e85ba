/** Several controllers: all of them program proxies, one writes; it knows what all proxies have. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/index.ts";
import {
  answer,
  controllersOf,
  crash,
  gatewayStatus,
  inNetworkOf,
  leaderOf,
  openShop,
  podsOf,
  processesOf,
  programmedOf,
  run,
  Traffic,
  types,
  useChart,
  watchProgrammed,
} from "./installed-chart.ts";
import { until } from "./lab.ts";

const begin = useChart(["replicas=2", "proxies.driver=envoy", "proxyConfig.replicas=2"]);

/** Much is waited for: Leases that run out, proxies that come back. */
const long = 300_000;

const addressIn = (pod: KubernetesObject) => (pod["status"] as { readonly podIP: string }).podIP;

/** Proxies that are connected to this controller. */
async function connectedTo(pod: string, proxies: readonly KubernetesObject[]): Promise<readonly string[]> {
  const { stdout } = await inNetworkOf(pod, "ss", "-Htn", "state", "established", "sport", "=", ":18000");
  return proxies
    .filter((proxy) => stdout.includes(`${addressIn(proxy)}`))
    .map(({ metadata }) => metadata.name);
}

describe("two controllers", () => {
  it(
    "a Gateway is programmed wherever its proxies are connected",
    async (context) => {
      const lab = await begin(context);
      await openShop(lab);
      expect(await controllersOf(lab)).toHaveLength(2);
      const leader = await until("a leader", () => leaderOf(lab));
      const controllers = await controllersOf(lab);
      const [leading] = controllers.filter(({ metadata }) => metadata.name === leader);
      const [other] = controllers.filter(({ metadata }) => metadata.name !== leader);
      // All proxies are kept away from the leader.
      const watched = watchProgrammed(lab);
      const isCut = `ip daddr ${addressIn(leading!)} tcp dport 18000 ip saddr != ${addressIn(other!)} reject with tcp reset`;
      await run("nft", [
        "add table inet keep_away; add chain inet keep_away forward { type filter hook forward priority -10; }",
      ]);
      await run("nft", [`add rule inet keep_away forward ${isCut}`]);
      const proxies = await podsOf(lab, "web");
      await until("all proxies on the other", async () => {
        return (await connectedTo(other!.metadata.name, proxies)).length === proxies.length;
      });
      await pause(15_000);
      expect(await connectedTo(leader, proxies)).toEqual([]);
      expect(await watched.stop()).toHaveLength(1);
      expect(programmedOf(await gatewayStatus(lab)).status).toBe("True");

      await lab.client.create(types.gateways, {
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "Gateway",
        metadata: { name: "elsewhere", namespace: "shop" },
        spec: { gatewayClassName: "gatewright", listeners: [{ name: "http", port: 80, protocol: "HTTP" }] },
      });
      await lab.kubectl(
        "wait",
        "-n",
        "shop",
        "--for=condition=Programmed",
        "gateway/elsewhere",
        "--timeout=60s",
      );
      await run("nft", ["delete table inet keep_away"]);
    },
    long,
  );

  it(
    "a listener that is added is programmed when all proxies have it",
    async (context) => {
      const lab = await begin(context);
      const listeners = [
        { name: "http", port: 80, protocol: "HTTP", allowedRoutes: { namespaces: { from: "All" } } },
        { name: "second", port: 8080, protocol: "HTTP" },
      ];
      const { metadata } = await lab.client.patch(types.gateways, "web", "shop", { spec: { listeners } });
      await until("the second listener", async () => {
        const status = await gatewayStatus(lab);
        const { observedGeneration, status: value } = programmedOf(status);
        return (
          observedGeneration === metadata.generation && value === "True" && status.listeners.length === 2
        );
      });
      const { addresses } = await gatewayStatus(lab);
      // The lab's Services need a moment for a new port.
      const url = `http://${addresses![0]!.value}:8080/`;
      await until("a port that is open", async () => !(await answer(url)).includes("REFUSED"), {
        seconds: 10,
      });
      expect(await answer(url)).toBe("200");
    },
    long,
  );

  it(
    "the leader killed under load: no request lost, no status changed, the other writes",
    async (context) => {
      const lab = await begin(context);
      const before = await gatewayStatus(lab);
      const traffic = new Traffic(`http://${before.addresses![0]!.value}/`);
      const watched = watchProgrammed(lab);
      const leader = await leaderOf(lab);
      const pods = await podsOf(lab, "web");
      crash(leader);
      // Its Pod starts it again, and it might be the first to see the Lease run out: it is gone until the other leads.
      const hasOther = async () => {
        if (processesOf(leader).length > 0) crash(leader);
        return (await leaderOf(lab)) !== leader;
      };
      await until("another leader", hasOther, { seconds: 60 });
      // Longer than anything is held back.
      await pause(20_000);
      expect(await watched.stop()).toHaveLength(1);
      expect(await gatewayStatus(lab)).toEqual(before);
      const podNames = (list: typeof pods) => list.map(({ metadata }) => metadata.name).toSorted();
      expect(podNames(await podsOf(lab, "web"))).toEqual(podNames(pods));

      await lab.apply(`
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: later, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [later.test]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`);
      const parents = await until("its status", async () => {
        const route = await lab.client.get(types.httpRoutes, "later", "shop");
        return (route?.["status"] as { readonly parents?: readonly unknown[] } | undefined)?.parents;
      });
      expect(parents).toHaveLength(1);
      const answers = await traffic.stop();
      expect(answers).toEqual({ 200: expect.any(Number) as number });
      expect(answers["200"]).toBeGreaterThan(500);
    },
    long,
  );

  it(
    "a leader that was stopped for a while finds another leading, and is not in its way",
    async (context) => {
      const lab = await begin(context);
      const before = await gatewayStatus(lab);
      const watched = watchProgrammed(lab);
      const traffic = new Traffic(`http://${before.addresses![0]!.value}/`);
      const leader = await until("a leader", () => leaderOf(lab));
      const pids = processesOf(leader);
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      const next = await until("another leader", async () => {
        const now = await leaderOf(lab);
        return now !== "" && now !== leader && now;
      });
      for (const pid of pids) process.kill(pid, "SIGCONT");
      await pause(10_000);
      expect(await leaderOf(lab)).toBe(next);
      expect(await watched.stop()).toHaveLength(1);
      expect((await gatewayStatus(lab)).conditions).toEqual(before.conditions);
      expect(await traffic.stop()).toEqual({ 200: expect.any(Number) as number });
    },
    long,
  );

  it(
    "a controller that is restarted takes nothing back",
    async (context) => {
      const lab = await begin(context);
      const before = await gatewayStatus(lab);
      const watched = watchProgrammed(lab);
      const traffic = new Traffic(`http://${before.addresses![0]!.value}/`);
      await lab.kubectl("rollout", "restart", "deployment/gatewright", "-n", "gatewright-system");
      await lab.kubectl(
        "rollout",
        "status",
        "deployment/gatewright",
        "-n",
        "gatewright-system",
        "--timeout=120s",
      );
      await pause(20_000);
      expect(await watched.stop()).toHaveLength(1);
      const after = await gatewayStatus(lab);
      expect(after.conditions).toEqual(before.conditions);
      expect(await traffic.stop()).toEqual({ 200: expect.any(Number) as number });
    },
    long,
  );
});

/** Proxies that die, are cut off or are tampered with: all of it heals, and nobody else notices. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { KubernetesObject, ResourceType } from "../../src/kubernetes/index.ts";
import {
  answer,
  crash,
  gatewayStatus,
  inNetworkOf,
  openShop,
  podsOf,
  programmedOf,
  routes,
  run,
  Traffic,
  types,
  useChart,
  type Condition,
} from "./installed-chart.ts";
import { until, type Lab } from "./lab.ts";

const begin = useChart(["replicas=1", "proxies.driver=envoy", "proxyConfig.replicas=1"]);
const onlyGood = { 200: expect.any(Number) as number };
const patience = { seconds: 90, every: 250 };
const long = 300_000;

/** Gateway `edge`, which gets into trouble, beside `web`, which does not. */
const edge = (replicas: number) => `---
apiVersion: gatewright.dev/v1alpha1
kind: ProxyConfig
metadata: { name: edge, namespace: shop }
spec: { driver: envoy, replicas: ${replicas}, drainSeconds: 15 }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: edge, namespace: shop }
spec:
  gatewayClassName: gatewright
  infrastructure: { parametersRef: { group: gatewright.dev, kind: ProxyConfig, name: edge } }
  listeners: [{ name: http, port: 80, protocol: HTTP }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: edge, namespace: shop }
spec:
  parentRefs: [{ name: edge }]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`;

async function openEdge(lab: Lab, replicas = 1): Promise<{ web: string; edge: string }> {
  const web = await openShop(lab, edge(replicas));
  await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", "gateway/edge", "--timeout=90s");
  const address = (await gatewayStatus(lab, "edge")).addresses![0]!.value;
  await serves(address);
  return { web, edge: address };
}

const serves = (address: string, host?: string) =>
  until("an answer", async () => (await answer(`http://${address}/`, undefined, host)) === "200", patience);

const isProgrammed = (lab: Lab, name: string) =>
  until(
    `${name} programmed`,
    async () => programmedOf(await gatewayStatus(lab, name)).status === "True",
    patience,
  );

/** The Gateway's Pods, once there are so many, all of them ready. */
const proxiesOf = (lab: Lab, gateway: string, count: number) =>
  until(
    `${count} proxies`,
    async () => {
      const pods = await podsOf(lab, gateway);
      const isComplete = pods.length === count && pods.every(isReady);
      return isComplete ? pods.map(({ metadata }) => metadata.name) : undefined;
    },
    patience,
  );

function isReady({ metadata, status }: KubernetesObject): boolean {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
  return (
    metadata.deletionTimestamp === undefined &&
    conditions.some(({ type, status: value }) => type === "Ready" && value === "True")
  );
}

/** The backend takes longer for it than a Pod that ends goes on as if nothing had happened. */
const longAnswer = (address: string) => answer(`http://${address}/?delay=12s`, undefined, undefined, 30_000);

/** Route `lettered` of Gateway `web`: by its path, or by a header that matches the expression. */
const lettered = (expression: string) => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: lettered, namespace: shop }
spec:
  parentRefs: [{ name: web }]
  hostnames: [lettered.test]
  rules:
    - matches: [{ path: { value: / } }, { headers: [{ name: letters, type: RegularExpression, value: '${expression}' }] }]
      backendRefs: [{ name: echo, port: 80 }]
`;

/** As many steps to Envoy as there are bytes; one to us. */
const everyOtherByte = Array.from(
  { length: 110 },
  (_, index) => `\\x${(0x21 + index * 2).toString(16)}`,
).join("");

/** Of a route with one parent. */
async function conditionOf(
  lab: Lab,
  route: string,
  isIt: (condition: Condition) => boolean,
): Promise<Condition | undefined> {
  const object = await lab.client.get(types.httpRoutes, route, "shop");
  const { parents = [] } = (object?.["status"] ?? {}) as {
    readonly parents?: readonly { readonly conditions: readonly Condition[] }[];
  };
  return parents[0]?.conditions.find(isIt);
}

/** Connections that clients have to it. */
async function connectionsOf(pod: string): Promise<number> {
  const filter = ["state", "established", "sport", "=", ":10080"];
  const { stdout } = await inNetworkOf(pod, "ss", "-Htn", ...filter);
  return stdout.split("\n").filter(Boolean).length;
}

describe("trouble with proxies", () => {
  it(
    "Envoy killed under load comes back with all it had; other Gateways' requests do not notice",
    async (context) => {
      const lab = await begin(context);
      const { web, edge: address } = await openEdge(lab);
      const traffic = new Traffic(`http://${web}/`);
      const harmed = new Traffic(`http://${address}/`);
      const [pod] = await podsOf(lab, "edge");
      crash(pod!.metadata.name);
      await until("the loss", async () => (await answer(`http://${address}/`)) !== "200", {
        seconds: 10,
        every: 10,
      });
      await serves(address);
      await isProgrammed(lab, "edge");
      await harmed.stop();
      expect(await traffic.stop()).toEqual(onlyGood);
      const again = new Traffic(`http://${address}/`);
      await pause(2_000);
      expect(await again.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "a stream that is cut: the proxy goes on with what it has, and gets what it missed afterwards",
    async (context) => {
      const lab = await begin(context);
      const { web } = await openEdge(lab);
      const [pod] = await podsOf(lab, "web");
      const { podIP } = pod!["status"] as { readonly podIP: string };
      const traffic = new Traffic(`http://${web}/`);
      const chain = "add chain inet cut forward { type filter hook forward priority -10; }";
      await run("nft", [`add table inet cut; ${chain}`]);
      await run("nft", [`add rule inet cut forward ip saddr ${podIP} tcp dport 18000 reject with tcp reset`]);
      await lab.apply(routes("missed", 3));
      // It is told when it has lasted.
      await until("pending", async () => programmedOf(await gatewayStatus(lab)).status === "False", patience);
      expect(programmedOf(await gatewayStatus(lab, "edge")).status).toBe("True");
      await run("nft", ["delete table inet cut"]);
      await serves(web, "missed-2.test");
      await isProgrammed(lab, "web");
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "a Pod that is deleted lets requests under way end, and another takes its place before: none is lost",
    async (context) => {
      const lab = await begin(context);
      const { edge: address } = await openEdge(lab);
      const [pod] = await proxiesOf(lab, "edge", 1);
      const underWay = longAnswer(address);
      await until("the long one", async () => (await connectionsOf(pod!)) > 0);
      const traffic = new Traffic(`http://${address}/`);
      await lab.kubectl("delete", "pod", "-n", "shop", pod!, "--wait=false");
      expect(await underWay).toBe("200");
      // While it still runs: the one that stays connected has been asked to leave.
      await until("no client", async () => (await connectionsOf(pod!)) === 0, { seconds: 5 });
      const [other] = await proxiesOf(lab, "edge", 1);
      expect(other).not.toBe(pod);
      await isProgrammed(lab, "edge");
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "a Pod that is not needed any more lets requests under way end, and no new one is lost",
    async (context) => {
      const lab = await begin(context);
      const { edge: address } = await openEdge(lab, 2);
      const pods = await proxiesOf(lab, "edge", 2);
      const underWay: Promise<string>[] = [];
      await until("a long one through each", async () => {
        underWay.push(longAnswer(address));
        await pause(50);
        return (await Promise.all(pods.map(connectionsOf))).every((count) => count > 0);
      });
      const traffic = new Traffic(`http://${address}/`);
      await lab.apply(edge(1));
      const answers = new Set(await Promise.all(underWay));
      // The answers came while one of the two was about to end.
      expect(await podsOf(lab, "edge")).toHaveLength(2);
      expect([...answers]).toEqual(["200"]);
      const [left] = await proxiesOf(lab, "edge", 1);
      expect(pods).toContain(left);
      await isProgrammed(lab, "edge");
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "a route that Envoy refuses is told so in Envoy's words, until it is mended; others do not notice",
    async (context) => {
      const lab = await begin(context);
      const { web } = await openEdge(lab);
      await lab.apply(routes("beside", 2));
      await serves(web, "beside-1.test");
      const traffic = new Traffic(`http://${web}/`);
      await lab.apply(lettered(`[${everyOtherByte}]{1000}`));
      const refusal = await until(
        "Envoy's words",
        () => conditionOf(lab, "lettered", ({ type }) => type === "Programmed"),
        patience,
      );
      expect(refusal).toMatchObject({ status: "False", reason: "Invalid" });
      expect(refusal.message).toMatch(/refused hostname lettered[.]test: .*max program size/s);
      expect(await conditionOf(lab, "lettered", ({ type }) => type === "Accepted")).toMatchObject({
        status: "True",
      });
      expect(await conditionOf(lab, "beside-1", ({ type }) => type === "Programmed")).toBeUndefined();
      // What comes after it is taken.
      await lab.apply(routes("behind", 1));
      await serves(web, "behind-0.test");
      await serves(web, "beside-1.test");
      expect(programmedOf(await gatewayStatus(lab)).status).toBe("True");

      await lab.apply(lettered("[a-z]+"));
      await serves(web, "lettered.test");
      await until(
        "no more words",
        async () => !(await conditionOf(lab, "lettered", ({ type }) => type === "Programmed")),
        patience,
      );
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "a fleet's objects that are tampered with or deleted are made as they should be, and no others are touched",
    async (context) => {
      const lab = await begin(context);
      const { web } = await openEdge(lab);
      const traffic = new Traffic(`http://${web}/`);
      const name = "edge-gatewright";
      const get = async (type: ResourceType, of = name) => (await lab.client.get(type, of, "shop"))!;
      const versions = await Promise.all([
        get(types.deployments, "web-gatewright"),
        get(types.services, "web-gatewright"),
      ]);

      const tampering: [ResourceType, string, object, (object: KubernetesObject) => unknown][] = [
        [
          types.deployments,
          name,
          { spec: { template: { spec: { serviceAccountName: "default" } } } },
          ({ spec }) =>
            (spec as { template: { spec: { serviceAccountName: string } } }).template.spec.serviceAccountName,
        ],
        [
          types.services,
          name,
          { spec: { selector: { app: "thief" } } },
          ({ spec }) => (spec as { selector: object }).selector,
        ],
        [
          types.services,
          name,
          { metadata: { labels: { "gateway.networking.k8s.io/gateway-name": null } } },
          ({ metadata }) => metadata.labels,
        ],
        [
          types.secrets,
          `${name}-channel`,
          { data: { "ca.crt": "eA==" } },
          ({ data }) => (data as Record<string, string>)["ca.crt"],
        ],
      ];
      for (const [type, of, patch, part] of tampering) {
        const before = part(await get(type, of));
        await lab.client.patch(type, of, "shop", patch);
        await until(`${type.kind} healed`, async () => {
          const object = await lab.client.get(type, of, "shop");
          return object !== undefined && JSON.stringify(part(object)) === JSON.stringify(before);
        });
      }
      for (const [type, of] of [
        [types.secrets, `${name}-channel`],
        [types.services, name],
        [types.deployments, name],
      ] as const) {
        const { uid } = (await get(type, of)).metadata;
        await lab.client.delete(type, of, "shop");
        await until(
          `another ${type.kind}`,
          async () => {
            const object = await lab.client.get(type, of, "shop");
            return object !== undefined && object.metadata.uid !== uid;
          },
          patience,
        );
      }
      await until(
        "an answer",
        async () => {
          const [address] = (await gatewayStatus(lab, "edge")).addresses ?? [];
          return address && (await answer(`http://${address.value}/`)) === "200";
        },
        patience,
      );
      await isProgrammed(lab, "edge");
      const after = await Promise.all([
        get(types.deployments, "web-gatewright"),
        get(types.services, "web-gatewright"),
      ]);
      expect(after.map(({ metadata }) => metadata.uid)).toEqual(versions.map(({ metadata }) => metadata.uid));
      expect(after.map(({ metadata }) => metadata.generation)).toEqual(
        versions.map(({ metadata }) => metadata.generation),
      );
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "1.1.13 a Gateway that is deleted leaves nothing, and the other Gateway stays as it is",
    async (context) => {
      const lab = await begin(context);
      const { web } = await openEdge(lab);
      const traffic = new Traffic(`http://${web}/`);
      const before = await gatewayStatus(lab);
      await lab.kubectl("delete", "gateway", "edge", "-n", "shop");
      const kinds =
        "deployment,replicaset,service,serviceaccount,configmap,secret,poddisruptionbudget,pod,endpointslice";
      const left = () =>
        lab.kubectl(
          "get",
          kinds,
          "-n",
          "shop",
          "-l",
          "gateway.networking.k8s.io/gateway-name=edge",
          "-o",
          "name",
        );
      await until("nothing", async () => (await left()).trim() === "", patience);
      const route = await until("the route's status", async () => {
        const found = await lab.client.get(types.httpRoutes, "edge", "shop");
        const { parents } = found!["status"] as { readonly parents: readonly unknown[] };
        return parents.length === 0 && found;
      });
      expect(route).toBeTruthy();
      expect(await gatewayStatus(lab)).toEqual(before);
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );
});

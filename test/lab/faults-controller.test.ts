/** What a controller that dies, or is born into trouble, does to traffic and statuses: nothing. */
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../certificates.ts";
import {
  acceptedRoutes,
  controllersOf,
  crash,
  gatewayStatus,
  leaderOf,
  logOf,
  openShop,
  programmedOf,
  routes,
  Traffic,
  tlsAnswer,
  TlsTraffic,
  types,
  useChart,
  watchProgrammed,
} from "./installed-chart.ts";
import { until, type Lab } from "./lab.ts";

const begin = useChart(["replicas=1", "proxies.driver=envoy", "proxyConfig.replicas=1"]);

const controllerOf = async (lab: Lab) => (await controllersOf(lab))[0]!.metadata.name;

/** Gateway `safe` with a certificate, of Envoy or of another driver. */
async function openSafe(lab: Lab, name: string, driver: string): Promise<string> {
  const { certificates, privateKey } = await makeCertificate({ names: ["safe.test"] });
  const data = { "tls.crt": certificates, "tls.key": privateKey };
  await lab.client.apply(types.secrets, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "shop" },
    type: "kubernetes.io/tls",
    stringData: data,
  });
  await lab.apply(`
apiVersion: gatewright.dev/v1alpha1
kind: ProxyConfig
metadata: { name: ${name}, namespace: shop }
spec: { driver: ${driver}, replicas: 1 }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: ${name}, namespace: shop }
spec:
  gatewayClassName: gatewright
  infrastructure: { parametersRef: { group: gatewright.dev, kind: ProxyConfig, name: ${name} } }
  listeners:
    - { name: https, port: 443, protocol: HTTPS, tls: { certificateRefs: [{ name: ${name} }] } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: shop }
spec:
  parentRefs: [{ name: ${name} }]
  rules: [{ backendRefs: [{ name: echo, port: 80 }] }]
`);
  await lab.kubectl("wait", "-n", "shop", "--for=condition=Programmed", `gateway/${name}`, "--timeout=90s");
  const address = (await gatewayStatus(lab, name)).addresses![0]!.value;
  // What the load balancer knows of the Pod's readiness comes a little later.
  await until(name, async () => (await tlsAnswer(address, "safe.test")) === "200", { seconds: 60 });
  return address;
}

const onlyGood = { 200: expect.any(Number) as number };

const timesLed = (lab: Lab, pod: string) => logOf(lab, pod).split("this replica leads").length;

async function crashAndWait(lab: Lab, pod: string): Promise<void> {
  const led = timesLed(lab, pod);
  crash(pod);
  await until("a leader again", () => timesLed(lab, pod) > led, { seconds: 90 });
}

/** A Lease that nobody gave back has to run out. */
const long = 300_000;

describe("a controller", () => {
  it(
    "killed and back: proxies keep all they have, certificates too, and no status moves",
    async (context) => {
      const lab = await begin(context);
      const web = await openShop(lab);
      const addresses = [
        await openSafe(lab, "safe-envoy", "envoy"),
        await openSafe(lab, "safe-embedded", "embedded"),
      ];
      const names = ["web", "safe-envoy", "safe-embedded"];
      const statuses = () => Promise.all(names.map((name) => gatewayStatus(lab, name)));
      const before = await statuses();
      const traffic = [
        new Traffic(`http://${web}/`),
        ...addresses.map((address) => new TlsTraffic(address, "safe.test")),
      ];
      const watched = names.map((name) => watchProgrammed(lab, name));
      const pod = await controllerOf(lab);
      await crashAndWait(lab, pod);
      await pause(18_000);
      for (const one of watched) expect(await one.stop()).toHaveLength(1);
      expect(await statuses()).toEqual(before);
      for (const one of traffic) expect(await one.stop()).toEqual(onlyGood);
    },
    long,
  );

  it(
    "killed while it writes hundreds of statuses: all of them are written",
    async (context) => {
      const lab = await begin(context);
      const web = await openShop(lab);
      const traffic = new Traffic(`http://${web}/`);
      const count = 500;
      const pod = await controllerOf(lab);
      const applied = lab.apply(routes("many", count));
      await until("the first statuses", async () => (await acceptedRoutes(lab, "many-")) > 20);
      crash(pod);
      await applied;
      await until("all statuses", async () => (await acceptedRoutes(lab, "many-")) === count, {
        seconds: 90,
        every: 1_000,
      });
      await until(
        "the count",
        async () => (await gatewayStatus(lab)).listeners[0]?.attachedRoutes === count + 1,
      );
      expect(await traffic.stop()).toEqual(onlyGood);
      await lab.kubectl(
        "delete",
        "httproutes",
        "-n",
        "shop",
        ...Array.from({ length: count }, (_, i) => `many-${i}`),
        "--wait=false",
      );
      await until("the count", async () => (await gatewayStatus(lab)).listeners[0]?.attachedRoutes === 1);
    },
    long,
  );

  it(
    "born while there is no API server: proxies go on, and it goes on when there is one",
    async (context) => {
      const lab = await begin(context);
      const web = await openShop(lab);
      const before = await gatewayStatus(lab);
      const traffic = new Traffic(`http://${web}/`);
      const pod = await controllerOf(lab);
      const leader = await leaderOf(lab);
      expect(leader).toBe(pod);
      const led = timesLed(lab, pod);
      await lab.faults.killApiServer();
      crash(pod);
      await pause(20_000);
      await lab.faults.startApiServer();
      await until("a leader again", () => timesLed(lab, pod) > led, { seconds: 90 });
      await pause(16_000);
      expect(programmedOf(await gatewayStatus(lab))).toEqual(programmedOf(before));
      expect(await traffic.stop()).toEqual(onlyGood);
    },
    long,
  );
});

/**
 * Fleets on a real API server, made with the rights that the chart gives and no others. The proxy is a stand-in that is ready at once: what is shown here
 * is what becomes of the objects.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { renderChart } from "../../scripts/manifests.mjs";
import { Graph, type Input } from "../../src/incremental/index.ts";
import { kubernetesInfrastructure, type KubernetesInfrastructure } from "../../src/infrastructure/index.ts";
import {
  kubernetesClient,
  loadCredentials,
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
} from "../../src/kubernetes/index.ts";
import type { Fleet, FleetState } from "../../src/translate/index.ts";
import { need } from "../components/need.ts";
import { fleetOf } from "../infrastructure/fleets.ts";
import { until, useLab, type Lab } from "./lab.ts";

const proxy =
  "require('http').createServer((_, a) => a.end('ok')).listen(19001); process.on('SIGTERM', () => process.exit(0))";
const useIt = useLab({
  crds: "experimental",
  components: ["helm"],
  images: {
    "stand-in-proxy": {
      // What follows is for the proxy, not for Node.
      entrypoint: ["/usr/local/bin/node", "-e", proxy, "--"],
      files: { "/usr/local/bin/node": process.execPath },
      user: 65_532,
    },
  },
});

interface Running {
  readonly lab: Lab;
  readonly infrastructure: KubernetesInfrastructure;
  readonly fleets: Input<Fleet>;
  readonly states: Map<string, FleetState | undefined>;
  /** `apply Service shop/web-gatewright`, and so on: what was written. */
  readonly writes: string[];
  readonly ending: string[];
}

let chartClient: Promise<KubernetesClient> | undefined;
const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

async function begin(context: TestContext): Promise<Running> {
  const lab = await useIt(context);
  chartClient ??= installChart(lab, need(context, "helm"));
  return run(lab, await chartClient);
}

/** A client with the rights of the chart's ServiceAccount. */
async function installChart(lab: Lab, helm: string): Promise<KubernetesClient> {
  await lab.kubectl("create", "namespace", "gatewright-system");
  await lab.apply(
    await renderChart(helm, ["--include-crds", "--set", "replicas=0", "--set", "gatewayClass.create=false"]),
  );
  const token = (await lab.kubectl("create", "token", "gatewright", "-n", "gatewright-system")).trim();
  const config = JSON.parse(await lab.kubectl("config", "view", "--raw", "-o", "json")) as {
    users: { user: object }[];
  };
  for (const user of config.users) user.user = { token };
  const kubeconfig = join(lab.folder, "chart.kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(config));
  const client = kubernetesClient({
    credentials: await loadCredentials({ kubeconfig }),
    userAgent: "gatewright-test",
    fieldManager: "gatewright",
  });
  stops.unshift(() => client.close());
  return client;
}

function run(lab: Lab, client: KubernetesClient): Running {
  const fleets = new Graph().input<Fleet>("fleets");
  const states = new Map<string, FleetState | undefined>();
  const writes: string[] = [];
  const ending: string[] = [];
  const infrastructure = kubernetesInfrastructure({
    client: {
      fieldManager: client.fieldManager,
      get: (...args) => client.get(...args),
      apply: (type, object, options) => {
        writes.push(`apply ${type.kind} ${object.metadata.namespace}/${object.metadata.name}`);
        return client.apply(type, object, options);
      },
      delete: (type, name, namespace, options) => {
        writes.push(`delete ${type.kind} ${namespace}/${name}`);
        return client.delete(type, name, namespace, options);
      },
    },
    watch: (selection, handler) => watchObjects(client, selection, handler),
    fleets,
    controllerNames: ["gatewright.dev/gateway-controller"],
    images: { envoy: "registry.test/stand-in-proxy:v1", gatewright: "registry.test/stand-in-proxy:v1" },
    channel: "gatewright.gatewright-system.svc:18000",
    networkPolicy: true,
    isLeader: () => true,
    report: (key, state) => states.set(key, state),
    issueCertificate: async (gateway) => ({
      certificate: `certificate of ${gateway}`,
      key: "key",
      authorities: "authorities",
      notBefore: new Date(),
      notAfter: new Date(Date.now() + 24 * 3600_000),
    }),
    authorities: () => "authorities",
    podsEnding: (key, pods) => ending.push(...Array.from(pods, (pod) => `${key} ${pod}`)),
  });
  stops.push(() => infrastructure.stop());
  infrastructure.start();
  return { lab, infrastructure, fleets, states, writes, ending };
}

/** A Gateway on the API server, and the fleet that the translation would make of it. */
async function gatewayOf(lab: Lab, namespace: string, fields: Parameters<typeof fleetOf>[0] = {}) {
  await lab.kubectl("create", "namespace", namespace).catch(() => undefined);
  const { name = "web" } = fields;
  const gateway = {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name, namespace },
    spec: { gatewayClassName: "gatewright", listeners: [{ name: "http", port: 80, protocol: "HTTP" }] },
  };
  await lab.apply(JSON.stringify(gateway));
  const uid = await lab.kubectl("get", "gateway", name, "-n", namespace, "-o", "jsonpath={.metadata.uid}");
  return (more: Parameters<typeof fleetOf>[0] = {}) => fleetOf({ ...fields, namespace, uid, ...more });
}

const kinds =
  "deployment,service,serviceaccount,configmap,secret,poddisruptionbudget,horizontalpodautoscaler,networkpolicy";

async function ours(lab: Lab, namespace: string): Promise<readonly string[]> {
  const args = ["-n", namespace, "-l", "app.kubernetes.io/managed-by=gatewright", "-o", "json"];
  const { items } = JSON.parse(await lab.kubectl("get", `${kinds},pod`, ...args)) as {
    items: KubernetesObject[];
  };
  return items.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
}

async function object(lab: Lab, kind: string, namespace: string, name = "web-gatewright") {
  return JSON.parse(await lab.kubectl("get", kind, name, "-n", namespace, "-o", "json")) as {
    metadata: KubernetesObject["metadata"];
    spec: Record<string, unknown>;
  };
}

/** Throws what is wrong: `until` tells it if it stays so. */
function served(state: FleetState | undefined): boolean {
  if (state?.problem) throw new Error(`${state.problem.reason}: ${state.problem.message}`);
  return state !== undefined;
}

describe("fleets on an API server", () => {
  it("1.6.1 become Pods behind a load balancer, and nothing is written twice", async (context) => {
    const { lab, infrastructure, fleets, states, writes } = await begin(context);
    const fleet = await gatewayOf(lab, "plain", {
      labels: { team: "shop" },
      settings: { replicas: 2, resources: { requests: { cpu: "0.05" }, limits: { memory: "128M" } } },
    });
    fleets.set("plain/web", fleet());
    await until("the fleet", () => served(states.get("plain/web")));
    expect(states.get("plain/web")?.addresses).toMatchObject([{ type: "IPAddress" }]);
    expect(await ours(lab, "plain")).toEqual([
      "ConfigMap web-gatewright",
      "Deployment web-gatewright",
      "NetworkPolicy web-gatewright",
      expect.stringMatching(/^Pod web-gatewright-/),
      expect.stringMatching(/^Pod web-gatewright-/),
      "PodDisruptionBudget web-gatewright",
      "Secret web-gatewright-channel",
      "Service web-gatewright",
      "ServiceAccount web-gatewright",
    ]);
    expect(writes).toHaveLength(7);
    infrastructure.leadershipChanged();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(writes).toHaveLength(7);

    const next = run(lab, await chartClient!);
    next.fleets.set("plain/web", fleet());
    await until("the next leader's word", () => served(next.states.get("plain/web")));
    await new Promise((resolve) => setTimeout(resolve, 500));
    // The API server writes the two quantities its own way: the next leader asks once what it makes of them.
    expect(next.writes).toEqual(["apply Deployment plain/web-gatewright"]);
    await next.infrastructure.stop();
    await infrastructure.stop();
  });

  it("are put right when somebody changes them, and keep what others add", async (context) => {
    const { lab, infrastructure, fleets, states } = await begin(context);
    const fleet = await gatewayOf(lab, "drift");
    fleets.set("drift/web", fleet());
    await until("the fleet", () => served(states.get("drift/web")));
    await lab.kubectl("scale", "deployment", "web-gatewright", "-n", "drift", "--replicas=3");
    await lab.kubectl("annotate", "service", "web-gatewright", "-n", "drift", "example.com/other=theirs");
    await lab.kubectl("label", "service", "web-gatewright", "-n", "drift", "app.kubernetes.io/managed-by-");
    await lab.kubectl("delete", "serviceaccount", "web-gatewright", "-n", "drift");
    await until("one replica", async () => (await object(lab, "deployment", "drift")).spec["replicas"] === 1);
    await until("the label", async () => (await ours(lab, "drift")).includes("Service web-gatewright"));
    await until("the ServiceAccount", async () =>
      (await ours(lab, "drift")).includes("ServiceAccount web-gatewright"),
    );
    const { metadata } = await object(lab, "service", "drift");
    expect(metadata.annotations).toMatchObject({ "example.com/other": "theirs" });
    await infrastructure.stop();
  });

  it("follow ports and replicas, and let an autoscaler take over without a dip", async (context) => {
    const { lab, infrastructure, fleets, states, writes } = await begin(context);
    const fleet = await gatewayOf(lab, "scaled", { settings: { replicas: 3 } });
    fleets.set("scaled/web", fleet());
    await until("the fleet", () => served(states.get("scaled/web")));
    const dns = { name: "dns", port: 53, targetPort: 10053, transport: "udp", appProtocol: "udp" } as const;
    writes.length = 0;
    fleets.set("scaled/web", fleet({ ports: [dns] }));
    await until("the port", async () => {
      const { spec } = await object(lab, "service", "scaled");
      const ports = spec["ports"] as { port: number; protocol: string }[];
      return ports.length === 1 && ports[0]?.port === 53 && ports[0].protocol === "UDP";
    });
    expect(writes.filter((write) => write.includes("Deployment"))).toEqual([]);

    const autoscaling = { minReplicas: 2, maxReplicas: 5, targetCPUUtilization: 80 };
    fleets.set("scaled/web", fleet({ settings: { autoscaling } }));
    await until("the autoscaler", async () =>
      (await ours(lab, "scaled")).includes("HorizontalPodAutoscaler web-gatewright"),
    );
    expect((await object(lab, "deployment", "scaled")).spec["replicas"]).toBe(3);
    // As the autoscaler does it.
    await lab.kubectl("scale", "deployment", "web-gatewright", "-n", "scaled", "--replicas=4");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await object(lab, "deployment", "scaled")).spec["replicas"]).toBe(4);

    fleets.set("scaled/web", fleet({ settings: { replicas: 1 } }));
    await until("no budget, no autoscaler", async () => {
      const left = await ours(lab, "scaled");
      return !left.some((one) => /Autoscaler|Budget/.test(one));
    });
    expect((await object(lab, "deployment", "scaled")).spec["replicas"]).toBe(1);
    await infrastructure.stop();
  });

  it("say which address could not be had", async (context) => {
    const { lab, infrastructure, fleets, states } = await begin(context);
    const fleet = await gatewayOf(lab, "static");
    const [unusable, usable] = [
      { type: "IPAddress", value: "203.0.113.9" },
      { type: "IPAddress", value: "10.200.0.201" },
    ] as const;
    fleets.set("static/web", fleet({ addresses: [unusable, usable] }));
    await until("the refusal", () => states.get("static/web")?.problem?.reason === "AddressNotUsable");
    fleets.set("static/web", fleet({ addresses: [usable] }));
    await until("the address", () => served(states.get("static/web")));
    expect(states.get("static/web")?.addresses).toEqual([usable]);
    await infrastructure.stop();
  });

  it("tell what the API server has against them, and go on when it has no longer", async (context) => {
    const { lab, infrastructure, fleets, states } = await begin(context);
    const fleet = await gatewayOf(lab, "quota");
    await lab.kubectl("create", "quota", "small", "-n", "quota", "--hard=services.loadbalancers=0");
    await until("the quota", async () =>
      (await lab.kubectl("get", "quota", "small", "-n", "quota", "-o", "jsonpath={.status.hard}")).includes(
        "0",
      ),
    );
    fleets.set("quota/web", fleet());
    await until("the refusal", () => states.get("quota/web")?.problem?.reason === "NoResources");
    expect(states.get("quota/web")?.problem?.message).toContain("exceeded quota: small");
    await lab.kubectl("delete", "quota", "small", "-n", "quota");
    await until("the fleet", () => served(states.get("quota/web")));
    await infrastructure.stop();
  });

  it("never take over what is not theirs", async (context) => {
    const { lab, infrastructure, fleets, states } = await begin(context);
    const fleet = await gatewayOf(lab, "foreign");
    await lab.kubectl("create", "service", "clusterip", "web-gatewright", "-n", "foreign", "--tcp=99:99");
    fleets.set("foreign/web", fleet());
    await until("the refusal", () => states.get("foreign/web")?.problem?.reason === "NoResources");
    expect(states.get("foreign/web")?.problem?.message).toContain("Service foreign/web-gatewright exists");
    expect((await object(lab, "service", "foreign")).spec["type"]).toBe("ClusterIP");
    await infrastructure.stop();
  });

  it("move with the class, and leave nothing behind when the Gateway goes", async (context) => {
    const { lab, infrastructure, fleets, states, ending } = await begin(context);
    const fleet = await gatewayOf(lab, "gone", { settings: { drainSeconds: 3 } });
    fleets.set("gone/web", fleet());
    await until("the fleet", () => served(states.get("gone/web")));
    fleets.set("gone/web", fleet({ className: "edge" }));
    await until("the move", async () => {
      const left = await ours(lab, "gone");
      return left.length > 0 && left.every((one) => one.includes("web-edge"));
    });
    expect(served(states.get("gone/web"))).toBe(true);
    // Pods of other tests are still about to end.
    const ended = () => ending.filter((one) => one.startsWith("gone/web "));
    await until("the word", () => ended().length > 0);
    expect(ended()).toEqual([expect.stringMatching(/^gone\/web web-gatewright-/)]);
    await lab.kubectl("delete", "gateway", "web", "-n", "gone");
    fleets.delete("gone/web");
    await until("nothing", async () => (await ours(lab, "gone")).length === 0);
    await infrastructure.stop();
  });
});

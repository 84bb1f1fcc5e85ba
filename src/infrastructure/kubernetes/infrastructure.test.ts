import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fleetOf } from "../../../test/infrastructure/fleets.ts";
import { refused, StandInCluster } from "../../../test/infrastructure/stand-in-cluster.ts";
import { Graph } from "../../incremental/index.ts";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet, FleetState } from "../../translate/index.ts";
import { kubernetesInfrastructure, type KubernetesInfrastructureOptions } from "./index.ts";

const day = 24 * 3600_000;
const allKinds = ["ConfigMap", "Deployment", "Secret", "Service", "ServiceAccount"];

let cluster: StandInCluster;
let stops: (() => Promise<void>)[];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") });
  cluster = new StandInCluster();
  stops = [];
});

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  vi.useRealTimers();
});

async function infrastructureWith(
  fleets: readonly Fleet[],
  options: Partial<KubernetesInfrastructureOptions> = {},
) {
  const input = new Graph().input<Fleet>("fleets");
  for (const fleet of fleets) input.set(fleet.key, fleet);
  const states = new Map<string, FleetState | undefined>();
  let issued = 0;
  const infrastructure = kubernetesInfrastructure({
    client: cluster.client,
    watch: cluster.watch,
    fleets: input,
    controllerNames: ["gatewright.dev/gateway-controller"],
    images: { envoy: "envoy:v1", gatewright: "gatewright:v1" },
    channel: "gatewright.system.svc:18000",
    isLeader: () => true,
    report: (key, state) => states.set(key, state),
    issueCertificate: async (gateway) => ({
      certificate: `certificate ${++issued} of ${gateway}`,
      key: `key ${issued}`,
      authorities: "ca",
      notBefore: new Date(Date.now()),
      notAfter: new Date(Date.now() + day),
    }),
    authorities: () => "ca",
    random: () => 1,
    ...options,
  });
  infrastructure.start();
  stops.push(() => infrastructure.stop());
  await settle();
  return { infrastructure, fleets: input, states };
}

/** Everything that needs no waiting has happened. */
const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

const kindsOf = (path: string) =>
  cluster.kinds().filter((key) => key.endsWith(`/${path}`) || key.includes(`/${path}-`));

function pod(name: string, fields: Record<string, unknown> = {}): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "shop",
      uid: name,
      labels: {
        "app.kubernetes.io/managed-by": "gatewright",
        "gateway.networking.k8s.io/gateway-name": "web",
        "gateway.networking.k8s.io/gateway-class-name": "gatewright",
      },
      annotations: { "gatewright.dev/gateway": "web" },
    },
    ...fields,
  };
}

const readyPod = (name: string) => pod(name, { status: { conditions: [{ type: "Ready", status: "True" }] } });

const gateway = (fields: { uid?: string; className?: string } = {}): KubernetesObject => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: { name: "web", namespace: "shop", uid: fields.uid ?? "uid-of-web" },
  spec: { gatewayClassName: fields.className ?? "gatewright" },
});

describe("objects of a fleet", () => {
  it("1.6.1 are made for each Gateway, what Pods need before the Deployment", async () => {
    await infrastructureWith([fleetOf()]);
    expect(cluster.kinds()).toEqual(
      allKinds.map((kind) => `${kind}/shop/web-gatewright${kind === "Secret" ? "-channel" : ""}`),
    );
    const applies = cluster.requests.filter((request) => request.startsWith("apply"));
    expect(applies.at(-1)).toBe("apply Deployment shop/web-gatewright");
    expect(applies).toHaveLength(5);
  });

  it("are left alone when nothing differs, by the same controller and by the next one", async () => {
    const { infrastructure } = await infrastructureWith([fleetOf()]);
    cluster.takeRequests();
    infrastructure.leadershipChanged();
    await settle();
    expect(cluster.takeRequests()).toEqual([]);
    await infrastructure.stop();
    await infrastructureWith([fleetOf()]);
    expect(cluster.takeRequests()).toEqual([]);
  });

  it("are applied once although the API server writes values its own way", async () => {
    cluster.admit = (object) =>
      JSON.parse(JSON.stringify(object).replaceAll('"1000m"', '"1"')) as KubernetesObject;
    const settings = { resources: { requests: { cpu: "1000m" }, limits: {} } };
    const { infrastructure } = await infrastructureWith([fleetOf({ settings })]);
    cluster.takeRequests();
    infrastructure.leadershipChanged();
    await settle(60_000);
    expect(cluster.takeRequests()).toEqual([]);
  });

  it("follow the fleet, each alone", async () => {
    const { fleets } = await infrastructureWith([fleetOf()]);
    cluster.takeRequests();
    const { ports } = fleetOf();
    const tls = {
      name: "tls",
      port: 443,
      targetPort: 10443,
      transport: "tcp",
      appProtocol: "https",
    } as const;
    fleets.set("shop/web", fleetOf({ ports: [...ports, tls] }));
    await settle();
    expect(cluster.takeRequests()).toEqual(["apply Service shop/web-gatewright"]);
  });

  it("come back when somebody deletes or changes them, with what others added", async () => {
    await infrastructureWith([fleetOf()]);
    cluster.takeRequests();
    cluster.change("Service", "shop/web-gatewright", { spec: { type: "NodePort", healthCheckNodePort: 7 } });
    cluster.remove(cluster.get("ServiceAccount", "shop/web-gatewright")!);
    await settle();
    expect(cluster.get("Service", "shop/web-gatewright")).toMatchObject({
      spec: { type: "LoadBalancer", healthCheckNodePort: 7 },
    });
    expect(cluster.get("ServiceAccount", "shop/web-gatewright")).toBeDefined();
    expect(cluster.takeRequests().filter((request) => request.startsWith("apply"))).toHaveLength(2);
  });

  it("come back under our label when somebody takes it away", async () => {
    await infrastructureWith([fleetOf()]);
    const service = cluster.get("Service", "shop/web-gatewright")!;
    cluster.write({ ...service, metadata: { ...service.metadata, labels: {} } });
    await settle();
    expect(cluster.get("Service", "shop/web-gatewright")?.metadata.labels).toEqual(service.metadata.labels);
  });

  it("do not fight over fields of others", async () => {
    await infrastructureWith([fleetOf()]);
    cluster.takeRequests();
    cluster.change("Deployment", "shop/web-gatewright", { metadata: { annotations: { other: "theirs" } } });
    await settle();
    expect(cluster.takeRequests()).toEqual([]);
  });

  it("go when they are no longer wanted", async () => {
    const { fleets } = await infrastructureWith([fleetOf({ settings: { replicas: 2 } })]);
    expect(cluster.kinds()).toContain("PodDisruptionBudget/shop/web-gatewright");
    fleets.set("shop/web", fleetOf({ settings: { replicas: 1 } }));
    await settle();
    expect(cluster.kinds()).not.toContain("PodDisruptionBudget/shop/web-gatewright");
  });

  it("move to another name when the class changes, and stay until the new Pods are ready", async () => {
    const { fleets } = await infrastructureWith([fleetOf()]);
    fleets.set("shop/web", fleetOf({ className: "edge" }));
    await settle();
    expect(kindsOf("shop/web-gatewright")).toHaveLength(5);
    expect(kindsOf("shop/web-edge")).toHaveLength(5);
    const ready = readyPod("pod-1");
    const labels = { ...ready.metadata.labels, "gateway.networking.k8s.io/gateway-class-name": "edge" };
    cluster.write({ ...ready, metadata: { ...ready.metadata, labels } });
    await settle();
    expect(kindsOf("shop/web-gatewright")).toEqual([]);
    expect(kindsOf("shop/web-edge")).toHaveLength(5);
  });

  it("keep the Service while there is no port for it", async () => {
    const { fleets } = await infrastructureWith([fleetOf()]);
    fleets.set("shop/web", fleetOf({ ports: [] }));
    await settle();
    expect(cluster.kinds()).toContain("Service/shop/web-gatewright");
  });

  it("keep the number of replicas when an autoscaler takes over, until it changes it", async () => {
    const { fleets } = await infrastructureWith([fleetOf({ settings: { replicas: 4 } })]);
    const managed = (owns: boolean) => ({
      metadata: {
        managedFields: [
          {
            manager: "gatewright",
            operation: "Apply",
            fieldsV1: { "f:spec": owns ? { "f:replicas": {} } : {} },
          },
        ],
      },
    });
    cluster.change("Deployment", "shop/web-gatewright", managed(true));
    const autoscaling = { minReplicas: 2, maxReplicas: 9, targetCPUUtilization: 80 };
    fleets.set("shop/web", fleetOf({ settings: { autoscaling } }));
    await settle();
    expect(cluster.get("Deployment", "shop/web-gatewright")).toMatchObject({ spec: { replicas: 4 } });
    cluster.change("Deployment", "shop/web-gatewright", { ...managed(false), spec: { replicas: 7 } });
    await settle();
    expect(cluster.get("HorizontalPodAutoscaler", "shop/web-gatewright")).toBeDefined();
  });
});

describe("only the leader", () => {
  it("writes; the others watch and report", async () => {
    let leads = false;
    const { infrastructure, states } = await infrastructureWith([fleetOf()], { isLeader: () => leads });
    expect(cluster.takeRequests()).toEqual([]);
    expect(states.get("shop/web")?.problem?.reason).toBe("Pending");
    leads = true;
    infrastructure.leadershipChanged();
    await settle();
    expect(cluster.kinds()).toHaveLength(5);
  });

  it("stops in the middle when it leads no longer", async () => {
    let leads = true;
    const { apply } = cluster.client;
    const client = {
      ...cluster.client,
      apply: async (...args: Parameters<typeof apply>) => {
        leads = false;
        return apply(...args);
      },
    };
    await infrastructureWith([fleetOf()], { client, isLeader: () => leads });
    expect(cluster.kinds()).toHaveLength(1);
  });
});

describe("what is not ours", () => {
  const foreign: KubernetesObject = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web-gatewright", namespace: "shop", labels: { app: "old" } },
    spec: { type: "ClusterIP" },
  };

  it("is never taken over, and the Gateway says what is in the way", async () => {
    const service = cluster.write(foreign);
    const { states } = await infrastructureWith([fleetOf()]);
    expect(cluster.get("Service", "shop/web-gatewright")).toEqual(service);
    expect(states.get("shop/web")?.problem).toEqual({
      reason: "NoResources",
      message:
        "Service shop/web-gatewright exists and was not made for this Gateway; it is left alone. Delete it, or rename the Gateway",
    });
    cluster.remove(service);
    await settle(60_000);
    expect(cluster.get("Service", "shop/web-gatewright")).toMatchObject({ spec: { type: "LoadBalancer" } });
    expect(states.get("shop/web")?.problem?.reason).toBe("Pending");
  });

  it("is not taken over because it has our label", async () => {
    const labels = { "app.kubernetes.io/managed-by": "gatewright" };
    const service = cluster.write({ ...foreign, metadata: { ...foreign.metadata, labels } });
    await infrastructureWith([fleetOf()]);
    expect(cluster.get("Service", "shop/web-gatewright")).toEqual(service);
  });

  it("1.1.2 is not deleted: objects of another controller", async () => {
    const { infrastructure } = await infrastructureWith([fleetOf()], {
      controllerNames: ["gatewright.dev/gateway-controller"],
    });
    await infrastructure.stop();
    await infrastructureWith([], { controllerNames: ["example.com/other"] });
    expect(cluster.kinds()).toHaveLength(5);
  });
});

describe("a Gateway that goes", () => {
  it("1.6.1 leaves nothing behind", async () => {
    const { fleets, states } = await infrastructureWith([fleetOf(), fleetOf({ name: "other" })]);
    fleets.delete("shop/web");
    await settle();
    expect(cluster.kinds()).toHaveLength(5);
    expect(kindsOf("shop/web-gatewright")).toEqual([]);
    expect(states.get("shop/web")).toBeUndefined();
  });

  it("leaves nothing behind that went while no controller was there", async () => {
    const { infrastructure } = await infrastructureWith([fleetOf()]);
    await infrastructure.stop();
    await infrastructureWith([]);
    expect(cluster.kinds()).toEqual([]);
  });

  it("keeps what serves it while it is merely not understood", async () => {
    cluster.write(gateway());
    const { fleets } = await infrastructureWith([fleetOf()]);
    fleets.delete("shop/web");
    await settle();
    expect(kindsOf("shop/web-gatewright")).toHaveLength(5);
    const gatewayClass = (controllerName: string): KubernetesObject => ({
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "GatewayClass",
      metadata: { name: "gatewright" },
      spec: { controllerName },
    });
    cluster.write(gatewayClass("example.com/other"));
    await settle(5 * 60_000);
    expect(kindsOf("shop/web-gatewright")).toEqual([]);
  });

  it("gets its objects back when it is made again", async () => {
    const { fleets } = await infrastructureWith([fleetOf()]);
    const before = cluster.get("Service", "shop/web-gatewright")?.metadata.uid;
    fleets.set("shop/web", fleetOf({ uid: "uid-2" }));
    await settle();
    const service = cluster.get("Service", "shop/web-gatewright");
    expect(service?.metadata.uid).toBe(before);
    expect(service?.metadata.ownerReferences).toMatchObject([{ uid: "uid-2" }]);
  });
});

describe("a Gateway that nobody wrote", () => {
  it("owns nothing, and leaves nothing behind", async () => {
    const { fleets } = await infrastructureWith([fleetOf({ uid: "" })]);
    expect(kindsOf("shop/web-gatewright")).toHaveLength(5);
    expect(cluster.get("Service", "shop/web-gatewright")?.metadata.ownerReferences ?? []).toEqual([]);
    cluster.takeRequests();
    await settle(60_000);
    expect(cluster.takeRequests().filter((request) => request.startsWith("apply"))).toEqual([]);
    fleets.delete("shop/web");
    await settle();
    expect(cluster.kinds()).toEqual([]);
  });

  it("hands its objects to one that somebody writes, and gets them back", async () => {
    const { fleets } = await infrastructureWith([fleetOf({ uid: "" })]);
    const before = cluster.get("Service", "shop/web-gatewright")?.metadata.uid;
    cluster.write(gateway());
    fleets.set("shop/web", fleetOf({ uid: "uid-of-web" }));
    await settle();
    const owned = cluster.get("Service", "shop/web-gatewright")?.metadata;
    expect(owned?.uid).toBe(before);
    expect(owned?.ownerReferences).toMatchObject([{ uid: "uid-of-web" }]);
    fleets.set("shop/web", fleetOf({ uid: "" }));
    await settle();
    const again = cluster.get("Service", "shop/web-gatewright")?.metadata;
    expect([again?.uid, again?.ownerReferences ?? []]).toEqual([before, []]);
  });
});

describe("failures", () => {
  const quota = refused(403, "Forbidden", 'services "web-gatewright" is forbidden: exceeded quota: small');

  it("are told in the API server's words, and tried again for ever, ever more slowly", async () => {
    cluster.refuse("apply Service", quota);
    const { states } = await infrastructureWith([fleetOf()]);
    expect(states.get("shop/web")?.problem).toEqual({
      reason: "NoResources",
      message: 'Service shop/web-gatewright: services "web-gatewright" is forbidden: exceeded quota: small',
    });
    expect(cluster.kinds()).toHaveLength(4);
    cluster.takeRequests();
    await settle(3600_000);
    const tries = cluster.takeRequests().filter((request) => request.startsWith("apply Service "));
    expect(tries.length).toBeGreaterThan(55);
    expect(tries.length).toBeLessThan(75);
    cluster.refuse("apply Service", undefined);
    await settle(60_000);
    expect(cluster.kinds()).toHaveLength(5);
    expect(states.get("shop/web")?.problem?.reason).toBe("Pending");
  });

  it("of a Gateway that went are not those of one that is made anew", async () => {
    cluster.refuse("apply Service", quota);
    const { fleets } = await infrastructureWith([fleetOf()]);
    await settle(600_000);
    // The garbage collector is faster than we are.
    for (const object of cluster.objects.values()) cluster.remove(object);
    fleets.delete("shop/web");
    await settle();
    cluster.refuse("apply Service", undefined);
    fleets.set("shop/web", fleetOf());
    await settle();
    expect(cluster.kinds()).toHaveLength(5);
  });

  it("of one fleet do not hold up another", async () => {
    cluster.refuse("apply ServiceAccount", refused(500, "InternalError", "etcd is away"));
    const { states } = await infrastructureWith([fleetOf(), fleetOf({ name: "other" })]);
    expect(states.get("shop/web")?.problem).toEqual({
      reason: "Pending",
      message: "ServiceAccount shop/web-gatewright: etcd is away",
    });
    expect(cluster.kinds().filter((kind) => kind.startsWith("Deployment"))).toHaveLength(2);
  });

  it("do not make Pods' news into requests", async () => {
    cluster.refuse("apply Service", quota);
    await infrastructureWith([fleetOf()]);
    cluster.takeRequests();
    for (let i = 0; i < 20; i++) cluster.write(pod(`web-${i}`));
    await settle();
    expect(cluster.takeRequests()).toEqual([]);
  });

  it("of the CA leave the rest as it is, and are tried again", async () => {
    let works = false;
    const { states } = await infrastructureWith([fleetOf()], {
      issueCertificate: async () => {
        if (!works) throw new Error("the CA is not there yet");
        const [notBefore, notAfter] = [new Date(Date.now()), new Date(Date.now() + day)];
        return { certificate: "c", key: "k", authorities: "ca", notBefore, notAfter };
      },
    });
    expect(cluster.kinds()).toHaveLength(4);
    expect(states.get("shop/web")?.problem?.message).toBe(
      "Secret shop/web-gatewright-channel: the CA is not there yet",
    );
    works = true;
    await settle(1000);
    expect(cluster.kinds()).toHaveLength(5);
  });

  it("many fleets at once are worked at a few at a time", async () => {
    let running = 0;
    let most = 0;
    const { apply } = cluster.client;
    const client = {
      ...cluster.client,
      apply: async (...args: Parameters<typeof apply>) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return apply(...args);
      },
    };
    const many = Array.from({ length: 50 }, (_, i) => fleetOf({ name: `g${i}` }));
    await infrastructureWith(many, { client, concurrency: 4 });
    await settle(10_000);
    expect(most).toBe(4);
    expect(cluster.kinds()).toHaveLength(250);
  });
});

describe("the channel's certificate", () => {
  const secretData = () =>
    cluster.get("Secret", "shop/web-gatewright-channel")?.["data"] as Record<string, string>;
  const text = (name: string) => Buffer.from(secretData()[name] ?? "", "base64").toString();

  it("is renewed at half of its time, and the session key stays", async () => {
    await infrastructureWith([fleetOf()]);
    expect(text("tls.crt")).toBe("certificate 1 of shop/web");
    const { "session.key": sessionKey } = secretData();
    expect(Buffer.from(sessionKey ?? "", "base64")).toHaveLength(32);
    await settle(day / 2 - 60_000);
    expect(text("tls.crt")).toBe("certificate 1 of shop/web");
    await settle(120_000);
    expect(text("tls.crt")).toBe("certificate 2 of shop/web");
    expect(secretData()["session.key"]).toBe(sessionKey);
    await settle(10 * day);
    expect(text("tls.crt")).toBe("certificate 22 of shop/web");
  });

  /** The channel's authority as it is now; `number` tells whose a certificate is. */
  const replaceableCa = () => {
    const ca = { number: 1, delay: 0 };
    const authorities = () => `CA ${ca.number}`;
    const issueCertificate = async () => {
      const own = authorities();
      if (ca.delay > 0) await new Promise((resolve) => setTimeout(resolve, ca.delay));
      const [notBefore, notAfter] = [new Date(Date.now()), new Date(Date.now() + day)];
      return { certificate: `of ${own}`, key: "key", authorities: own, notBefore, notAfter };
    };
    return { ca, authorities, issueCertificate };
  };

  it("is made anew when somebody changes it", async () => {
    await infrastructureWith([fleetOf()]);
    cluster.change("Secret", "shop/web-gatewright-channel", { data: { "tls.crt": "Zm9yZ2Vk" } });
    await settle();
    expect(text("tls.crt")).toBe("certificate 2 of shop/web");
  });

  it("is made anew when the CA is another one, and only then", async () => {
    const { ca, ...issuer } = replaceableCa();
    const { infrastructure } = await infrastructureWith([fleetOf()], issuer);
    cluster.takeRequests();
    infrastructure.renewCertificates();
    await settle();
    expect(cluster.takeRequests()).toEqual([]);
    ca.number = 2;
    infrastructure.renewCertificates();
    await settle();
    expect(text("tls.crt")).toBe("of CA 2");
    expect(text("ca.crt")).toBe("CA 2");
  });

  it("of a CA that is no more is made anew by who starts then, or becomes leader", async () => {
    const { ca, ...issuer } = replaceableCa();
    await infrastructureWith([fleetOf()], issuer);
    await stops.pop()?.();
    ca.number = 2;
    await infrastructureWith([fleetOf()], issuer);
    expect(text("tls.crt")).toBe("of CA 2");
  });

  it("of another CA is written in the end, if the first write fails", async () => {
    const { ca, ...issuer } = replaceableCa();
    const { infrastructure } = await infrastructureWith([fleetOf()], issuer);
    cluster.refuse("apply Secret", refused(500, "InternalError", "etcd is not there"));
    ca.number = 2;
    infrastructure.renewCertificates();
    await settle();
    expect(text("tls.crt")).toBe("of CA 1");
    cluster.refuse("apply Secret", undefined);
    await settle(60_000);
    expect(text("tls.crt")).toBe("of CA 2");
  });

  it("is issued again, if the CA changes once more while it is issued", async () => {
    const { ca, ...issuer } = replaceableCa();
    ca.delay = 1_000;
    const { infrastructure } = await infrastructureWith([fleetOf()], issuer);
    for (ca.number of [2, 3]) {
      infrastructure.renewCertificates();
      await settle(500);
    }
    await settle(5_000);
    expect(text("tls.crt")).toBe("of CA 3");
  });
});

describe("what is told of a fleet", () => {
  it("is its addresses once a Pod is ready, and the reason before", async () => {
    const { states } = await infrastructureWith([fleetOf()]);
    expect(states.get("shop/web")).toEqual({
      addresses: [],
      problem: { reason: "Pending", message: "no Pod has been started yet" },
    });
    const waiting = { reason: "ImagePullBackOff", message: "Back-off pulling image envoy:v1" };
    cluster.write(pod("web-1", { status: { containerStatuses: [{ name: "proxy", state: { waiting } }] } }));
    await settle();
    expect(states.get("shop/web")?.problem?.message).toBe(
      "Pod shop/web-1, container proxy: ImagePullBackOff: Back-off pulling image envoy:v1",
    );
    const crashed = {
      name: "proxy",
      state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 10s" } },
      lastState: { terminated: { exitCode: 1, message: "starting\nno such file: bootstrap.json\n" } },
    };
    cluster.write(pod("web-1", { status: { containerStatuses: [crashed] } }));
    await settle();
    expect(states.get("shop/web")?.problem?.message).toBe(
      "Pod shop/web-1, container proxy: CrashLoopBackOff: back-off 10s: it ended with exit code 1: no such file: bootstrap.json",
    );
    cluster.write(readyPod("web-1"));
    await settle();
    expect(states.get("shop/web")?.problem?.reason).toBe("AddressNotAssigned");
    const ingress = [{ ip: "192.0.2.1" }, { hostname: "lb.example.com" }];
    cluster.change("Service", "shop/web-gatewright", { status: { loadBalancer: { ingress } } });
    await settle();
    expect(states.get("shop/web")).toEqual({
      addresses: [
        { type: "IPAddress", value: "192.0.2.1" },
        { type: "Hostname", value: "lb.example.com" },
      ],
    });
  });

  it("is an address that could not be had", async () => {
    const addresses = [
      { type: "IPAddress", value: "192.0.2.7" },
      { type: "IPAddress", value: "192.0.2.8" },
    ] as const;
    const { fleets, states } = await infrastructureWith([fleetOf({ addresses })]);
    cluster.write(readyPod("web-1"));
    await settle();
    expect(states.get("shop/web")?.problem).toMatchObject({ reason: "AddressNotUsable" });
    fleets.set("shop/web", fleetOf({ addresses: addresses.slice(1) }));
    await settle();
    expect(cluster.get("Service", "shop/web-gatewright")).toMatchObject({
      spec: { loadBalancerIP: "192.0.2.8" },
    });
    expect(states.get("shop/web")?.problem?.message).toBe(
      "spec.addresses: the load balancer of Service shop/web-gatewright was asked for 192.0.2.8, and it gave none; is it free, and in a pool of the load balancer?",
    );
    const ingress = [{ ip: "192.0.2.8" }];
    cluster.change("Service", "shop/web-gatewright", { status: { loadBalancer: { ingress } } });
    await settle();
    expect(states.get("shop/web")).toEqual({ addresses: [{ type: "IPAddress", value: "192.0.2.8" }] });
  });

  it("is the Deployment's word that it may not make Pods", async () => {
    const { states } = await infrastructureWith([fleetOf()]);
    const conditions = [{ type: "ReplicaFailure", status: "True", message: "exceeded quota: pods" }];
    cluster.change("Deployment", "shop/web-gatewright", { status: { conditions } });
    await settle();
    expect(states.get("shop/web")?.problem).toEqual({
      reason: "NoResources",
      message: "Deployment shop/web-gatewright: exceeded quota: pods",
    });
  });

  it("is what of spec.infrastructure was left out, once", async () => {
    const note = vi.fn<(key: string, notes: readonly string[]) => void>();
    const labels = { "gateway.networking.k8s.io/gateway-name": "x", team: "shop" };
    const { infrastructure } = await infrastructureWith([fleetOf({ labels })], { note });
    infrastructure.leadershipChanged();
    await settle();
    expect(note.mock.calls).toEqual([
      [
        "shop/web",
        [
          "spec.infrastructure.labels: gateway.networking.k8s.io/gateway-name is reserved and was left out; use another key",
        ],
      ],
    ]);
  });

  it("is each Pod that has been told to end, once, when load balancers have noticed, until it is gone", async () => {
    const podsEnding = vi.fn<(key: string, pods: ReadonlySet<string>) => void>();
    await infrastructureWith([fleetOf()], { podsEnding, isLeader: () => false });
    cluster.write(readyPod("web-1"));
    cluster.write(readyPod("web-2"));
    await settle();
    const metadata = { deletionTimestamp: "2026-01-01T00:00:40Z", deletionGracePeriodSeconds: 40 };
    cluster.change("Pod", "shop/web-1", { metadata });
    await settle(4_000);
    expect(podsEnding.mock.calls).toEqual([]);
    await settle(1_000);
    cluster.change("Pod", "shop/web-1", { status: { phase: "Running" } });
    await settle();
    expect(podsEnding.mock.calls).toEqual([["shop/web", new Set(["web-1"])]]);
    cluster.change("Pod", "shop/web-2", { metadata });
    await settle(5_000);
    expect(podsEnding.mock.lastCall).toEqual(["shop/web", new Set(["web-1", "web-2"])]);
    cluster.remove(cluster.get("Pod", "shop/web-1")!);
    await settle();
    expect(podsEnding.mock.lastCall).toEqual(["shop/web", new Set(["web-2"])]);
    cluster.remove(cluster.get("Pod", "shop/web-2")!);
    await settle();
    expect(podsEnding.mock.lastCall).toEqual(["shop/web", new Set()]);
  });
});

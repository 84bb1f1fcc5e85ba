/** What Gateways say of their load balancers and names, on a stand-in for an API server. */
import { describe, expect, it } from "vitest";
import { DnsWorld, shipped, types, usualSettings } from "../../../test/dns/dns-world.ts";
import { until } from "../../../test/kubernetes/api-server.ts";
import type { Condition } from "../../status/index.ts";
import { kubernetesDialect } from "./dns-settings.ts";
import { judgeGatewayDns, judgeListenerDns, mergeGatewayStatus } from "./gateway-conditions.ts";
import { judgeLookup } from "./name-lookup.ts";
import { DnsError } from "./provider.ts";

const openshift = {
  dialect: shipped,
  settings: {
    namespaces: ["openshift-ingress"],
    alwaysHasRecords: true,
    publishable: "below-domain",
  },
} as const;
const key = "openshift-ingress/gw";

describe("LoadBalancerReady", () => {
  it("1.9.2, 1.9.1: in each state of the Service, in OpenShift's words", async () => {
    const world = await DnsWorld.start(openshift);
    const gateway = world.gateway("gw", ["a.example.com"], "openshift-ingress");
    const operator = world.operate();
    const says = (wanted: string) => until(() => world.said(key, "LoadBalancerReady") === wanted, wanted);
    const message = () => world.condition(key, "LoadBalancerReady")?.message;
    await says("False/ServiceNotFound");
    expect(message()).toBe("The LoadBalancer service resource is missing");
    const service = world.service(gateway, []);
    await says("False/LoadBalancerPending");
    expect(message()).toBe("The LoadBalancer service is pending");
    world.server.create(types.events, {
      metadata: { name: "e1", namespace: "openshift-ingress" },
      involvedObject: { uid: service.metadata.uid },
      reason: "SyncLoadBalancerFailed",
      message: "quota exceeded",
    });
    operator.lookAtAll();
    await says("False/SyncLoadBalancerFailed");
    expect(message()).toContain("quota exceeded");
    world.change(types.services, `${key}-ours`, {
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
    });
    await says("True/LoadBalancerProvisioned");
    expect(message()).toBe("The LoadBalancer service is provisioned");
  });

  it("1.9.7 a Service that goes moves its time of transition, and no time of another condition", async () => {
    const world = await DnsWorld.start(openshift);
    const gateway = world.gateway("gw", ["a.example.com"], "openshift-ingress");
    const accepted: Condition = {
      type: "Accepted",
      status: "True",
      reason: "Accepted",
      message: "",
      observedGeneration: 1,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    };
    world.change(types.gateways, key, {
      status: { conditions: [accepted], listeners: [{ name: "l0", conditions: [accepted] }] },
    });
    world.service(gateway);
    world.operate();
    await until(() => world.said(key, "DNSReady", "l0") === "True/NoFailedZones");
    const before = world.condition(key, "LoadBalancerReady")?.lastTransitionTime;
    world.server.store(types.services).delete(`${key}-ours`);
    await until(() => world.said(key, "LoadBalancerReady") === "False/ServiceNotFound");
    expect(world.condition(key, "LoadBalancerReady")?.lastTransitionTime).not.toBe(before);
    expect(world.condition(key, "Accepted")).toEqual(accepted);
    expect(world.condition(key, "Accepted", "l0")).toEqual(accepted);
  });
});

describe("DNSReady", () => {
  it("1.9.3 of a listener, in each state of its record", () => {
    const zone = (id: string, status: string) => ({
      dnsZone: { id },
      conditions: [{ type: "Published", status, reason: "r", message: "m" }],
    });
    const record = (zones: object[], policy = "Managed") => ({
      apiVersion: "v1",
      kind: "DNSRecord",
      metadata: { name: "r", namespace: "shop" },
      spec: { dnsName: "a.example.com", dnsManagementPolicy: policy },
      status: { zones },
    });
    const judge = (found: ReturnType<typeof record> | undefined, settings = usualSettings) => {
      const { type, status, reason } = judgeListenerDns("a.example.com", found, settings);
      return `${type}=${status}/${reason}`;
    };
    expect([
      judge(undefined, { ...usualSettings, zones: [] }),
      judge(undefined),
      judge(record([], "Unmanaged")),
      judge(record([])),
      judge(record([zone("a", "True"), zone("b", "False"), zone("c", "Unknown")])),
      judge(record([zone("a", "True"), zone("c", "Unknown")])),
      judge(record([zone("a", "True"), zone("b", "True")])),
    ]).toEqual([
      "DNSReady=False/NoDNSZones",
      "DNSReady=False/RecordNotFound",
      "DNSReady=Unknown/UnmanagedDNS",
      "DNSReady=False/NoZones",
      "DNSReady=False/FailedZones",
      "DNSReady=False/UnknownZones",
      "DNSReady=True/NoFailedZones",
    ]);
  });

  it("1.9.4, 1.9.6: of a Gateway, by its listeners, for its generation; gone when no listener has a hostname", async () => {
    const world = await DnsWorld.start(openshift);
    world.service(world.gateway("gw", ["a.example.com", "b.example.com"], "openshift-ingress"));
    world.operate();
    await until(() => world.said(key, "DNSReady") === "True/AllListenersReady");
    expect(world.condition(key, "DNSReady")).toMatchObject({
      message: "All the listeners have DNS ready",
      observedGeneration: 1,
    });
    world.hostnames(key, []);
    await until(() => world.said(key, "DNSReady") === undefined);
    expect(world.condition(key, "LoadBalancerReady")?.observedGeneration).toBe(2);
    expect(world.condition(key, "DNSReady", "l0")).toBeUndefined();
    const some = judgeGatewayDns(new Map([["l", judgeListenerDns("x", undefined, usualSettings)]]), shipped);
    expect(some).toMatchObject({
      status: "False",
      reason: "SomeListenersNotReady",
      message: "One or more listeners have DNS provisioning issues",
    });
    const more = judgeGatewayDns(
      new Map([["l", judgeListenerDns("x", undefined, usualSettings)]]),
      kubernetesDialect,
    );
    expect(more?.message).toBe("One or more listeners have DNS provisioning issues: l (RecordNotFound)");
  });

  it("1.9.5 a name outside of the base domain: the listener is unmanaged, the Gateway is not ready", async () => {
    const world = await DnsWorld.start(openshift);
    world.service(world.gateway("gw", ["a.example.org"], "openshift-ingress"));
    world.operate();
    await until(() => world.said(key, "DNSReady", "l0") === "Unknown/UnmanagedDNS");
    expect(world.said(key, "DNSReady")).toBe("False/SomeListenersNotReady");
  });

  it("1.9.8 the second Gateway of a hostname says so; the first is as it was", async () => {
    const world = await DnsWorld.start(openshift);
    world.service(world.gateway("gw", ["a.example.com"], "openshift-ingress"));
    world.operate();
    await until(() => world.said(key, "DNSReady") === "True/AllListenersReady");
    world.service(world.gateway("late", ["a.example.com"], "openshift-ingress"), [{ ip: "192.0.2.77" }]);
    const second = "openshift-ingress/late";
    await until(() => world.said(second, "DNSReady", "l0") === "False/FailedZones");
    expect(world.said(second, "DNSReady")).toBe("False/SomeListenersNotReady");
    expect(world.said(key, "DNSReady")).toBe("True/AllListenersReady");
    expect(world.provider.at("a.example.com")).toEqual(["A 192.0.2.10"]);
  });

  it("1.9.6 conditions of others stay, and there are never more than eight", () => {
    const condition = (type: string): Condition => ({
      type,
      status: "True",
      reason: "R",
      message: "",
      observedGeneration: 3,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    });
    const of = (count: number) => Array.from({ length: count }, (_one, i) => condition(`Other${i}`));
    const said = {
      conditions: ["LoadBalancerReady", "DNSReady"].map((type) => ({
        type,
        status: "True" as const,
        reason: "R",
        message: "",
      })),
      listeners: new Map(),
    };
    const at = { generation: 3, now: "2026-02-01T00:00:00Z" };
    const merged = (count: number) =>
      mergeGatewayStatus({ conditions: of(count) }, said, at)["conditions"] as Condition[];
    expect(merged(2).map(({ type }) => type)).toEqual(["Other0", "Other1", "LoadBalancerReady", "DNSReady"]);
    expect(merged(7).map(({ type }) => type)).toEqual([
      ...of(7).map(({ type }) => type),
      "LoadBalancerReady",
    ]);
    expect(merged(8)).toEqual(of(8));
    const status = { conditions: merged(2) };
    expect(mergeGatewayStatus(status, said, at)).toBe(status);
  });
});

describe("the provider", () => {
  it("1.8.10 is made anew when the platform or the Secret changes, and what failed is tried at once", async () => {
    const credentials = { name: "cloud-credentials", namespace: "shop" };
    const world = await DnsWorld.start({ settings: { credentials, providerSettings: { region: "a" } } });
    const { provider } = world;
    const data = (key: string) => ({ key: Buffer.from(key).toString("base64") });
    world.service(world.gateway("web", ["a.example.com"]));
    const operator = world.operate();
    const problem = () => world.condition("shop/web", "DNSReady", "l0")?.message ?? "";
    await until(() => problem().includes("Secret shop/cloud-credentials: there is no such Secret"));
    provider.refuse = () => {
      const key = provider.made.at(-1)?.credentials.get("key");
      if (key === "wrong-one") throw new DnsError(`the key ${key} is not known`, { isDenied: true });
    };
    world.server.create(types.secrets, { metadata: credentials, data: data("wrong-one") });
    await until(() => problem().includes("with the credentials of Secret shop/cloud-credentials: the key"));
    expect(problem()).not.toContain("wrong-one");
    world.change(types.secrets, "shop/cloud-credentials", { data: data("right-one") });
    await world.untilPublished("a.example.com");
    expect(provider.made.map((given) => given.credentials.get("key"))).toEqual(["wrong-one", "right-one"]);
    expect(provider.stopped).toBe(1);
    operator.use({ ...world.settings, providerSettings: { region: "b" } });
    await until(() => provider.made.length === 3);
    expect(provider.made[2]?.settings).toEqual({ region: "b" });
    expect(world.troubles.join()).not.toContain("wrong-one");
  });
});

describe("a Secret that may not be read", () => {
  it("is told of in the condition, keeps nothing from stopping, and is used as soon as it may be", async () => {
    const credentials = { name: "cloud-credentials", namespace: "shop" };
    const world = await DnsWorld.start({ settings: { credentials } });
    world.server.create(types.secrets, { metadata: credentials, data: {} });
    world.server.intercept = ({ path }, response) => {
      if (!path.endsWith("/secrets")) return false;
      response.writeHead(403, { "content-type": "application/json" });
      response.end(JSON.stringify({ kind: "Status", reason: "Forbidden", message: "secrets is forbidden" }));
      return true;
    };
    world.service(world.gateway("web", ["a.example.com"]));
    const first = world.operate();
    const problem = () => world.condition("shop/web", "DNSReady", "l0")?.message ?? "";
    await until(() => problem().includes("May not list secrets in namespace shop"));
    await world.stop(first);
    expect(world.provider.made).toEqual([]);
    world.server.intercept = undefined;
    world.operate();
    await world.untilPublished("a.example.com");
    expect(world.provider.made).toHaveLength(1);
  });
});

describe("6.5 beside external-dns", () => {
  const targets = { recordType: "A", targets: ["192.0.2.1", "2001:db8::1"] } as const;
  const lookup = (found: Readonly<Record<string, readonly string[]>>) => ({
    resolve: async (name: string, type: string) => found[`${name} ${type}`] ?? [],
  });
  const judge = async (...args: Parameters<typeof judgeLookup>) => {
    const { status, reason } = await judgeLookup(...args);
    return `${status}/${reason}`;
  };

  it("no DNSRecord is made; a listener says what its name resolves to", async () => {
    expect([
      await judge("a.example.com", undefined, lookup({})),
      await judge("a.example.com", targets, lookup({})),
      await judge("a.example.com", targets, lookup({ "a.example.com A": ["192.0.2.1"] })),
      await judge("a.example.com", targets, lookup({ "a.example.com AAAA": ["2001:DB8:0::1"] })),
      await judge("a.example.com", targets, lookup({ "a.example.com A": ["192.0.2.1", "192.0.2.9"] })),
      await judge(
        "a.example.com",
        { recordType: "CNAME", targets: ["lb.example.net"] },
        lookup({ "a.example.com A": ["192.0.2.5"], "lb.example.net A": ["192.0.2.5"] }),
      ),
      await judge("a.example.com", targets, {
        resolve: () => Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" })),
      }),
    ]).toEqual([
      "False/NoAddress",
      "False/NotResolved",
      "True/Resolved",
      "True/Resolved",
      "False/ResolvesElsewhere",
      "True/Resolved",
      "Unknown/LookupFailed",
    ]);
    const world = await DnsWorld.start({
      settings: { provider: "external-dns", zones: [], providerSettings: { server: "127.0.0.1:9" } },
    });
    world.service(world.gateway("web", ["a.example.com"]), []);
    world.operate();
    await until(() => world.said("shop/web", "DNSReady", "l0") === "False/NoAddress");
    expect(world.records()).toEqual([]);
    expect(world.provider.calls).toEqual([]);
  });

  it("none: nothing is asked, nothing is said; what was made before is let go of", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("web", ["a.example.com"]));
    const first = world.operate();
    await until(() => world.said("shop/web", "DNSReady") === "True/AllListenersReady");
    first.use(undefined);
    await until(() => world.said("shop/web", "DNSReady") === undefined);
    const [record] = world.records();
    world.server.store(world.dialect.records).delete(`shop/${record?.metadata.name}`);
    await until(() => world.records().length === 0);
    await world.stop(first);
    const second = await DnsWorld.start();
    second.service(second.gateway("web", ["a.example.com"]));
    second.operate().use(undefined);
    expect(second.records()).toEqual([]);
  });
});

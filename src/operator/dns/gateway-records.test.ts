/** Gateways, their load balancers, and the DNSRecords that follow from them, on a stand-in for an API server. */
import { describe, expect, it } from "vitest";
import { controllerName, DnsWorld, proposal, shipped, types } from "../../../test/dns/dns-world.ts";
import { until } from "../../../test/kubernetes/api-server.ts";
import { hashHostname } from "./record-name.ts";

const dnsNames = (world: DnsWorld) =>
  world.records().map(({ spec }) => (spec as { dnsName: string }).dnsName);
const openshift = { namespaces: ["openshift-ingress"], alwaysHasRecords: true } as const;

describe("the DNSRecords of a Gateway", () => {
  it("1.7.1 one for each hostname, however many listeners have it; 1.7.10 none without a hostname", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("web", ["a.example.com", "a.example.com", undefined, "*.b.example.com"]));
    world.operate();
    await until(() => world.records().length === 2);
    expect(dnsNames(world).toSorted()).toEqual(["*.b.example.com", "a.example.com"]);
    expect(world.records()[0]).toMatchObject({ apiVersion: "gatewright.dev/v1alpha1", kind: "DNSRecord" });
  });

  it("1.7.1 to 1.7.4, 0.2: in the design's names and labels, owned by the Service", async () => {
    const world = await DnsWorld.start({ dialect: proposal, settings: openshift });
    const gateway = world.gateway("gw", ["*.stage.example.com", "exact.example.com"], "openshift-ingress");
    const service = world.service(gateway, undefined, {
      "gateway.istio.io/managed": "openshift.io-gateway-controller",
      team: "a",
    });
    world.operate();
    await until(() => world.records().length === 2);
    const record = world.recordOf("*.stage.example.com");
    expect(record).toMatchObject({
      apiVersion: "ingress.operator.openshift.io/v1",
      metadata: {
        name: "gw-57b76476b6-wildcard",
        namespace: "openshift-ingress",
        labels: {
          "gateway.istio.io/managed": "openshift.io-gateway-controller",
          "istio.io/gateway-name": "gw",
        },
        ownerReferences: [{ apiVersion: "v1", kind: "Service", name: "gw-ours", uid: service.metadata.uid }],
      },
    });
    expect(Object.keys(record?.metadata.labels ?? {})).toHaveLength(2);
    expect(world.recordOf("exact.example.com")?.metadata.name).toBe(
      `gw-${hashHostname("exact.example.com")}-wildcard`,
    );
  });

  it("1.7.4, 1.7.6, 1.7.7, 0.3: in what was shipped, with dots and all of the Service's labels", async () => {
    const world = await DnsWorld.start({ dialect: shipped, settings: openshift });
    world.service(world.gateway("gw", ["*.prod.example.com"], "openshift-ingress"), undefined, { team: "a" });
    world.operate();
    await until(() => world.records().length === 1);
    expect(world.records()[0]).toMatchObject({
      metadata: {
        name: "gw-76456f8647-wildcard",
        labels: { team: "a", "gateway.networking.k8s.io/gateway-name": "gw" },
        finalizers: ["operator.openshift.io/ingress-dns"],
      },
      spec: {
        dnsName: "*.prod.example.com.",
        recordType: "A",
        targets: ["192.0.2.10"],
        recordTTL: 30,
        dnsManagementPolicy: "Managed",
      },
    });
  });

  it.each([
    [[{ ip: "192.0.2.1" }, { ip: "192.0.2.2" }], { recordType: "A", targets: ["192.0.2.1"] }],
    [[{ hostname: "lb.example.net" }], { recordType: "CNAME", targets: ["lb.example.net"] }],
  ])("1.7.5 OpenShift: the first entry of %j is what counts", async (ingress, wanted) => {
    const world = await DnsWorld.start({ dialect: shipped, settings: openshift });
    world.service(world.gateway("gw", ["a.example.com"], "openshift-ingress"), ingress);
    world.operate();
    await until(() => world.records().length === 1);
    expect(world.records()[0]).toMatchObject({ spec: wanted });
  });

  it("1.7.5 OpenShift: an entry with both an address and a name gives no record, and is told of", async () => {
    const world = await DnsWorld.start({ dialect: shipped, settings: openshift });
    world.service(world.gateway("gw", ["a.example.com"], "openshift-ingress"), [
      { ip: "192.0.2.1", hostname: "lb.example.net" },
    ]);
    world.operate();
    await until(() => world.troubles.length > 0);
    expect(world.troubles[0]).toContain(
      "DNSRecords of Gateway openshift-ingress/gw: Service openshift-ingress/gw-ours: the load balancer has both",
    );
    expect(world.records()).toEqual([]);
  });

  it("1.7.5 no address, no record yet; 1.7.15 another address changes the targets in place", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("web", ["a.example.com"]), []);
    world.operate();
    await until(() => world.said("shop/web", "LoadBalancerReady") === "False/LoadBalancerPending");
    expect(world.records()).toEqual([]);
    const address = (...ips: string[]) =>
      world.change(types.services, "shop/web-ours", {
        status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
      });
    address("192.0.2.1");
    await world.untilPublished("a.example.com");
    const { uid } = world.recordOf("a.example.com")?.metadata ?? {};
    address("192.0.2.2", "2001:DB8::1");
    await until(() => world.provider.at("a.example.com").length === 2);
    expect(world.provider.at("a.example.com")).toEqual(["A 192.0.2.2", "AAAA 2001:db8::1"]);
    expect(world.recordOf("a.example.com")?.metadata.uid).toBe(uid);
  });

  it("1.7.8 names outside of the base domain are claimed and not published", async () => {
    const settings = { ...openshift, publishable: "below-domain" } as const;
    const world = await DnsWorld.start({ dialect: shipped, settings });
    const hostnames = ["in.example.com", "example.com", "in.example.org", "notexample.com"];
    world.service(world.gateway("gw", hostnames, "openshift-ingress"));
    world.operate();
    await world.untilPublished("in.example.com.");
    const policies = world.records().map(({ spec }) => {
      const { dnsName, dnsManagementPolicy } = spec as { dnsName: string; dnsManagementPolicy: string };
      return `${dnsName} ${dnsManagementPolicy}`;
    });
    expect(policies.toSorted()).toEqual([
      "example.com. Unmanaged",
      "in.example.com. Managed",
      "in.example.org. Unmanaged",
      "notexample.com. Unmanaged",
    ]);
    expect(world.provider.all()).toEqual(["_gatewright.in.example.com TXT", "in.example.com A"]);
  });

  it("1.7.9, 1.1.2, 1.6.15: only in the namespaces that are asked for, and only of our classes", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("elsewhere", ["b.example.com"], "blog"));
    const foreign = world.gateway("foreign", ["c.example.com"]);
    world.change(types.gateways, "shop/foreign", {
      spec: { ...(foreign["spec"] as object), gatewayClassName: "theirs" },
    });
    world.service(foreign);
    world.service(world.gateway("web", ["a.example.com"]));
    world.operate();
    await world.untilPublished("a.example.com");
    await until(() => world.said("shop/web", "DNSReady") === "True/AllListenersReady");
    expect(dnsNames(world)).toEqual(["a.example.com"]);
    for (const key of ["blog/elsewhere", "shop/foreign"]) {
      expect([key, world.said(key, "DNSReady"), world.said(key, "LoadBalancerReady")]).toEqual([
        key,
        undefined,
        undefined,
      ]);
    }
  });

  it("1.1.2 records that another controller made for its own Gateway stay", async () => {
    const world = await DnsWorld.start();
    const foreign = world.gateway("foreign", ["c.example.com"]);
    world.change(types.gateways, "shop/foreign", {
      spec: { ...(foreign["spec"] as object), gatewayClassName: "theirs" },
    });
    const { metadata } = world.service(foreign);
    const theirs = world.server.create(world.dialect.records, {
      metadata: {
        name: "foreign-c",
        namespace: "shop",
        labels: { [world.dialect.gatewayLabel]: "foreign" },
        ownerReferences: [
          { apiVersion: "v1", kind: "Service", name: metadata.name, uid: metadata.uid ?? "" },
        ],
      },
      spec: { dnsName: "c.example.com", targets: ["192.0.2.7"], recordType: "A", recordTTL: 30 },
    });
    world.service(world.gateway("web", ["a.example.com"]));
    world.operate();
    await world.untilPublished("a.example.com");
    await world.untilPublished("c.example.com");
    expect(world.recordOf("c.example.com")?.["spec"]).toEqual(theirs["spec"]);
    expect(world.written.filter((what) => what.includes("deleted"))).toEqual([]);
  });

  it("a Gateway that is given to another controller takes the records with it that were made while it was ours", async () => {
    const world = await DnsWorld.start();
    const gateway = world.gateway("web", ["a.example.com"]);
    world.service(gateway);
    world.operate();
    await world.untilPublished("a.example.com");
    const spec = gateway["spec"] as object;
    world.change(types.gateways, "shop/web", { spec: { ...spec, gatewayClassName: "theirs" } });
    await until(() => world.records().length === 0);
    expect(world.provider.all()).toEqual([]);
  });

  it("1.7.11 another hostname brings its record and removes the stale one; a listener that goes takes its own; the Gateway all", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("web", ["a.example.com", "b.example.com"]));
    world.operate();
    await Promise.all(["a", "b"].map((name) => world.untilPublished(`${name}.example.com`)));
    world.hostnames("shop/web", ["c.example.com", "b.example.com"]);
    await world.untilPublished("c.example.com");
    await until(() => !world.recordOf("a.example.com"));
    expect(world.provider.at("a.example.com")).toEqual([]);
    world.hostnames("shop/web", ["c.example.com"]);
    await until(() => !world.recordOf("b.example.com"));
    world.server.store(types.gateways).delete("shop/web");
    await until(() => world.records().length === 0);
    expect([world.provider.all("public"), world.provider.all("private")]).toEqual([[], []]);
  });

  it("a Gateway whose class is gone for a moment keeps its names, as it keeps its load balancer", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("web", ["a.example.com"]));
    world.operate();
    await world.untilPublished("a.example.com");
    world.server.store(types.gatewayClasses).delete("ours");
    world.server.create(types.gatewayClasses, { metadata: { name: "unrelated" }, spec: { controllerName } });
    world.service(world.gateway("later", ["b.example.com"]));
    world.change(types.gateways, "shop/later", {
      spec: {
        gatewayClassName: "unrelated",
        listeners: [{ name: "l0", port: 80, protocol: "HTTP", hostname: "b.example.com" }],
      },
    });
    await world.untilPublished("b.example.com");
    expect(world.written.filter((what) => what.includes("deleted"))).toEqual([]);
    expect(dnsNames(world)).toEqual(["a.example.com", "b.example.com"]);
  });

  it("1.7.12 an edit of a port or protocol asks nothing of names", async () => {
    const world = await DnsWorld.start();
    const gateway = world.gateway("web", ["a.example.com"]);
    world.service(gateway);
    world.operate();
    await until(() => world.said("shop/web", "DNSReady") === "True/AllListenersReady");
    const [before, calls] = [world.records(), world.provider.calls.length];
    const requests = () => world.server.requests.filter(({ path }) => path.includes("dnsrecords")).length;
    const asked = requests();
    const spec = gateway["spec"] as { listeners: object[] };
    const listeners = spec.listeners.map((one) => ({ ...one, port: 443, protocol: "HTTPS" }));
    world.change(types.gateways, "shop/web", { spec: { ...spec, listeners } });
    await until(() => world.condition("shop/web", "DNSReady")?.observedGeneration === 2);
    expect(world.records()).toEqual(before);
    expect([world.provider.calls.length, requests()]).toEqual([calls, asked]);
  });

  it("1.7.13 what is stale is asked of the API server itself, not only of what was seen", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("web", ["a.example.com"]));
    world.operate();
    await world.untilPublished("a.example.com");
    world.server.requests.length = 0;
    world.hostnames("shop/web", ["b.example.com"]);
    await until(() => !world.recordOf("a.example.com"));
    const lists = world.server.requests.filter(
      ({ path, query }) =>
        path.endsWith("/namespaces/shop/dnsrecords") && query.get("labelSelector") !== null,
    );
    expect(lists.map(({ query }) => query.get("labelSelector"))).toEqual([
      "gateway.networking.k8s.io/gateway-name=web",
    ]);
  });

  it("1.7.13 of many Gateways at once they are asked for once", async () => {
    const world = await DnsWorld.start();
    const keys = Array.from({ length: 20 }, (_one, i) => `shop/g${i}`);
    for (const [i, key] of keys.entries()) world.service(world.gateway(key.slice(5), [`a${i}.example.com`]));
    world.operate();
    await until(() => world.records().length === 20);
    world.server.requests.length = 0;
    for (const [i, key] of keys.entries()) world.hostnames(key, [`b${i}.example.com`]);
    await until(() => dnsNames(world).every((name) => name.startsWith("b")));
    const lists = world.server.requests.filter(
      ({ path, query }) => path.endsWith("/dnsrecords") && query.get("labelSelector") !== null,
    );
    expect(lists.length).toBeLessThan(20);
    expect(world.records()).toHaveLength(20);
  });

  it("1.7.14 a Service without the label, or without a Gateway, is passed over without a word", async () => {
    const world = await DnsWorld.start();
    const { services } = types;
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } };
    world.server.create(services, { metadata: { name: "plain", namespace: "shop" }, status });
    world.server.create(services, {
      metadata: {
        name: "orphan",
        namespace: "shop",
        labels: { [world.dialect.gatewayLabel]: "gone" },
        ownerReferences: [
          { apiVersion: "gateway.networking.k8s.io/v1", kind: "Gateway", name: "gone", uid: "1" },
        ],
      },
      status,
    });
    world.service(world.gateway("web", ["a.example.com"]));
    world.operate();
    await world.untilPublished("a.example.com");
    expect(dnsNames(world)).toEqual(["a.example.com"]);
    expect([world.troubles, world.faults]).toEqual([[], []]);
  });

  it("somebody else's DNSRecord of the same name is not touched", async () => {
    const world = await DnsWorld.start();
    const name = `web-${hashHostname("a.example.com")}-wildcard`;
    const theirs = world.server.create(world.dialect.records, {
      metadata: { name, namespace: "shop" },
      spec: { dnsName: "x.example.com", targets: ["192.0.2.7"], recordType: "A", recordTTL: 30 },
    });
    world.service(world.gateway("web", ["a.example.com"]));
    world.operate();
    await until(() => world.troubles.some((one) => one.includes("is somebody else's")));
    expect(world.records().map(({ spec }) => spec)).toEqual([theirs["spec"]]);
  });

  it("listeners of a ListenerSet that was accepted have names too, and say how they are", async () => {
    const world = await DnsWorld.start();
    world.service(world.gateway("web", [undefined]));
    const condition = (type: string) => ({
      type,
      status: "True",
      reason: type,
      message: "",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    });
    world.server.create(types.listenerSets, {
      metadata: { name: "more", namespace: "team" },
      spec: {
        parentRef: { name: "web", namespace: "shop" },
        listeners: [{ name: "extra", hostname: "extra.example.com", port: 80, protocol: "HTTP" }],
      },
      status: {
        conditions: [condition("Accepted")],
        listeners: [{ name: "extra", conditions: [condition("Accepted")] }],
      },
    });
    world.operate();
    await world.untilPublished("extra.example.com");
    await until(() => world.said("shop/web", "DNSReady") === "True/AllListenersReady");
    // The two objects are written side by side: neither waits for the other.
    const set = () =>
      world.server.store(types.listenerSets).get("team/more")["status"] as {
        readonly listeners: readonly { readonly conditions: readonly { readonly status: string }[] }[];
      };
    await until(() => set().listeners[0]?.conditions[1]?.status === "True");
    expect(set()).toMatchObject({
      listeners: [{ conditions: [{ type: "Accepted" }, { type: "DNSReady", status: "True" }] }],
    });
  });

  it("attack 20: a ListenerSet that changes its Gateway, or its hostnames, gets no name before it is judged anew", async () => {
    const world = await DnsWorld.start();
    for (const name of ["web", "closed"]) world.service(world.gateway(name, [undefined]));
    const { listenerSets } = types;
    const accepted = (observedGeneration: number) => {
      const conditions = [
        { type: "Accepted", status: "True", reason: "Accepted", message: "", observedGeneration },
      ];
      return { conditions, listeners: ["a", "b"].map((name) => ({ name, conditions })) };
    };
    const spec = (parent: string, ...hostnames: string[]) => ({
      parentRef: { name: parent, namespace: "shop" },
      listeners: hostnames.map((name) => ({
        name,
        hostname: `${name}.example.com`,
        port: 80,
        protocol: "HTTP",
      })),
    });
    world.server.create(listenerSets, {
      metadata: { name: "more", namespace: "team" },
      spec: spec("web", "a"),
      status: accepted(1),
    });
    world.operate();
    await world.untilPublished("a.example.com");
    // What stands stays meanwhile, what is new waits.
    world.change(listenerSets, "team/more", { spec: spec("web", "a", "b") });
    world.service(world.gateway("third", ["third.example.com"]));
    await world.untilPublished("third.example.com");
    expect(dnsNames(world).toSorted()).toEqual(["a.example.com", "third.example.com"]);
    world.change(listenerSets, "team/more", { status: accepted(2) });
    await world.untilPublished("b.example.com");
    world.change(listenerSets, "team/more", { spec: spec("closed", "a", "b") });
    await until(() => dnsNames(world).length === 1);
    world.service(world.gateway("fourth", ["fourth.example.com"]));
    await world.untilPublished("fourth.example.com");
    expect(dnsNames(world).toSorted()).toEqual(["fourth.example.com", "third.example.com"]);
    expect(world.written.filter((what) => what.includes("closed"))).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCa } from "../../test/certificates.ts";
import {
  Content,
  configMap,
  endpointSlice,
  httpRoute,
  referenceGrant,
  service,
  tlsPolicy,
  trafficPolicy,
  toXBackend,
  xBackend,
} from "../../test/translate/content.ts";

const nodes = ["route translations", "backends", "endpoints"] as const;
const slice = (name: string, address: string) =>
  endpointSlice(name, { ports: [{ port: 8080 }], endpoints: [{ addresses: [address] }] });
const routeTo = (name: string, backend: string) =>
  httpRoute([{ backendRefs: [{ name: backend, port: 80 }] }], { name });

/** How often each node runs for a change. */
function costOf(content: Content, change: () => void): Record<string, number> {
  const before = nodes.map((node) => content.runs(node));
  change();
  return Object.fromEntries(nodes.map((node, i) => [node, content.runs(node) - (before[i] ?? 0)]));
}

describe("the cost of a change", () => {
  const many = 50;
  const setup = () => {
    const services = Array.from({ length: many }, (_, i) => service(`s${i}`));
    const slices = Array.from({ length: many }, (_, i) => slice(`s${i}`, `10.0.0.${i + 1}`));
    const routes = Array.from({ length: many }, (_, i) => routeTo(`r${i}`, `s${i}`));
    return new Content().set(...services, ...slices, ...routes);
  };

  it("of an endpoint is one endpoint set", () => {
    const content = setup();
    const cost = costOf(content, () => content.set(slice("s7", "10.1.1.1")));
    expect(cost).toEqual({ "route translations": 0, backends: 0, endpoints: 1 });
    expect(content.items.endpoints.get("Service/shop/s7/80")?.endpoints).toEqual([
      { address: "10.1.1.1", port: 8080 },
    ]);
  });

  it("of endpoints that nobody uses is nothing", () => {
    const content = setup();
    expect(costOf(content, () => content.set(slice("unused", "10.1.1.1")))).toEqual({
      "route translations": 0,
      backends: 0,
      endpoints: 0,
    });
  });

  it("of a route is that route, and its backend if that is new", () => {
    const content = setup();
    const same = httpRoute([{ backendRefs: [{ name: "s7", port: 80, weight: 3 }] }], { name: "r7" });
    expect(costOf(content, () => content.set(same))).toEqual({
      "route translations": 1,
      backends: 0,
      endpoints: 0,
    });
    content.set(service("new"));
    expect(costOf(content, () => content.set(routeTo("r7", "new")))).toEqual({
      "route translations": 1,
      backends: 1,
      endpoints: 1,
    });
    expect(content.items.backends.has("Service/shop/s7/80")).toBe(false);
    expect(content.items.endpoints.has("Service/shop/s7/80")).toBe(false);
    expect(content.items.backends.size).toBe(many);
  });

  it("of a Service is what uses it", () => {
    const content = setup();
    const cost = costOf(content, () => content.set(service("s7", [{ port: 80, appProtocol: "http" }])));
    expect(cost).toEqual({ "route translations": 1, backends: 1, endpoints: 1 });
  });

  it("of a CA certificate's contents is no route and no backend", async () => {
    const [one, two] = [await makeCa(), await makeCa()];
    const refs = { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }] };
    const content = setup().set(
      configMap("ca", { "ca.crt": one.certificate }),
      tlsPolicy("p", { name: "s7" }, refs),
    );
    const cost = costOf(content, () => content.set(configMap("ca", { "ca.crt": two.certificate })));
    expect(cost).toEqual({ "route translations": 0, backends: 0, endpoints: 0 });
    expect(content.items.certificates.get("ConfigMap/shop/ca/ca.crt")?.certificates.trim()).toBe(
      two.certificate.trim(),
    );
  });
});

describe("a backend of many routes", () => {
  it("is one item until the last route leaves it", () => {
    const routes = Array.from({ length: 1000 }, (_, i) => routeTo(`r${i}`, "web"));
    const content = new Content().set(service("web"), slice("web", "10.0.0.1"), ...routes);
    expect([...content.items.backends.keys()]).toEqual(["Service/shop/web/80"]);
    expect(content.runs("backends")).toBe(1);
    const told: unknown[] = [];
    content.items.backends.subscribe((changes) => told.push([...changes.keys()]));
    for (const route of routes.slice(1)) content.delete(route);
    expect(told).toEqual([]);
    content.delete(routes[0]!);
    expect(told).toEqual([["Service/shop/web/80"]]);
    expect(content.items.endpoints.size).toBe(0);
  });

  it("is one per way to speak to it", () => {
    const grpc = { ...routeTo("calls", "web"), kind: "GRPCRoute" };
    const content = new Content().set(
      service("web"),
      routeTo("pages", "web"),
      grpc,
      slice("web", "10.0.0.1"),
    );
    expect([...content.items.backends.entries()]).toEqual([
      ["Service/shop/web/80", { key: "Service/shop/web/80", protocol: "http" }],
      ["Service/shop/web/80|h2c", { key: "Service/shop/web/80|h2c", protocol: "h2c" }],
    ]);
    const sets = [...content.items.endpoints.entries()].map(([, { endpoints }]) => endpoints);
    expect(sets[0]).toEqual(sets[1]);
  });
});

describe("the result", () => {
  const system = { wellKnownCACertificates: "System" };
  const objects = [
    service("a"),
    service("b", [{ name: "x", port: 80, appProtocol: "https" }]),
    service("c", undefined, {}, { namespace: "other" }),
    slice("a", "10.0.0.1"),
    slice("b", "10.0.0.2"),
    routeTo("r1", "a"),
    routeTo("r2", "b"),
    httpRoute([{ backendRefs: [{ name: "c", namespace: "other", port: 80 }] }], { name: "r3" }),
    httpRoute([{ backendRefs: [{ ...toXBackend, name: "api" }] }], { name: "r4" }),
    referenceGrant({ kind: "HTTPRoute" }, { kind: "Service" }, "other"),
    tlsPolicy("t1", { name: "b" }, system, { creationTimestamp: "2021-01-01T00:00:00Z" }),
    tlsPolicy("t2", { name: "b", sectionName: "x" }, system),
    trafficPolicy("p1", { name: "a" }, { retryConstraint: {}, sessionPersistence: {} }),
    trafficPolicy("p2", { name: "a" }, {}, { creationTimestamp: "2021-01-01T00:00:00Z" }),
    xBackend("api", { tls: { mode: "ServerOnly" } }),
  ];
  const dump = ({ translations, items }: Content) =>
    [translations, items.backends, items.endpoints, items.certificates, items.policyStatuses].map(
      (collection) => [...collection.entries()],
    );

  it("does not depend on the order in which objects came and went", () => {
    const expected = dump(new Content().set(...objects));
    const orders = fc.shuffledSubarray(objects, { minLength: objects.length });
    fc.assert(
      fc.property(orders, fc.subarray(objects), (order, leaving) => {
        const content = new Content();
        for (const object of order) content.set(object);
        for (const object of leaving) content.delete(object);
        content.set(...leaving);
        expect(dump(content)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});

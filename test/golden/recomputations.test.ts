/*
 * The cost of a change must not grow with the number of unrelated objects. A world of 100 routes and one of 1,000 get the same
 * change; each node of the graph must compute as many items in the one as in the other. Where it does not, the node is named.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { parseResource, type Resource } from "../../src/resources/index.ts";
import { Translated } from "./translated.ts";

const few = 100;
const many = 1000;
const most = 30;

const worlds = new Map<number, Translated>();

beforeAll(() => {
  for (const size of [few, many]) {
    const world = new Translated({ infrastructure: true, mapPrivilegedPorts: true });
    world.setFleet("infra/web", "192.0.2.1");
    world.set(...gateway(), proxyConfig(2), secret(1), ...range(size).flatMap((number) => objectsOf(number)));
    worlds.set(size, world);
  }
});

interface Change {
  readonly title: string;
  /** So that the change is one. */
  readonly before?: (world: Translated) => void;
  readonly apply: (world: Translated) => void;
}

const changes: readonly Change[] = [
  { title: "a rule of a route", apply: (world) => world.set(route(7, { path: "/changed" })) },
  {
    title: "the hostname of a route",
    apply: (world) => world.set(route(8, { hostname: "moved.example.com" })),
  },
  { title: "a new route", apply: (world) => world.set(...objectsOf(5000)) },
  { title: "a route less", apply: (world) => world.delete(route(9)) },
  { title: "an EndpointSlice", apply: (world) => world.set(slice(10, "10.9.9.9")) },
  { title: "a Service less", apply: (world) => world.delete(service(11)) },
  { title: "a new certificate", apply: (world) => world.set(secret(2)) },
  {
    title: "a grant that a route waits for",
    before: (world) => world.set(route(12, { backendNamespace: "other" })),
    apply: (world) => world.set(grant()),
  },
  { title: "the number of proxies", apply: (world) => world.set(proxyConfig(3)) },
  { title: "the address of the Gateway", apply: (world) => world.setFleet("infra/web", "192.0.2.2") },
  {
    title: "a backend that the proxy refuses",
    apply: (world) => world.report("backends|Service/shop/service-13/80", { type: "refused", message: "no" }),
  },
  {
    title: "a certificate that the proxy refuses",
    apply: (world) => world.report("certificates|Secret/infra/web", { type: "refused", message: "no" }),
  },
  { title: "an object that nobody refers to", apply: (world) => world.set(service(9999)) },
];

describe("what a change costs does not depend on the number of routes", () => {
  it.each(changes.map((change) => [change.title, change] as const))("%s", (_title, { before, apply }) => {
    const [atFew, atMany] = [few, many].map((size) => {
      const world = worlds.get(size)!;
      before?.(world);
      return costOf(world, () => apply(world));
    });
    expect(atMany).toEqual(atFew);
    expect(sum(atMany!)).toBeLessThanOrEqual(most);
  });

  it("a namespace that no selector asks for costs nothing but itself", () => {
    const world = worlds.get(many)!;
    const cost = costOf(world, () => world.set(parsed({ ...named("v1", "Namespace", "", "shop") })));
    expect(cost).toEqual({});
  });
});

describe("what a change costs does not depend on the number of HTTPProxies", () => {
  const proxied = new Map<number, Translated>();

  beforeAll(() => {
    for (const size of [few, many]) {
      const world = new Translated({ infrastructure: true, mapPrivilegedPorts: true });
      world.setFleet("infra/ingress", "192.0.2.1");
      world.set(secret(1), ...range(size).flatMap(proxyObjects));
      proxied.set(size, world);
    }
  });

  it.each<readonly [string, (world: Translated) => void]>([
    ["a route of an HTTPProxy that is included", (world) => world.set(includedProxy(7, "/changed"))],
    ["the name of a root", (world) => world.set(rootProxy(8, "moved.example.com"))],
    ["a new root, and what it includes", (world) => world.set(...proxyObjects(5000))],
    ["a root less", (world) => world.delete(rootProxy(9))],
    ["what a root includes less", (world) => world.delete(includedProxy(10))],
    ["a delegation less", (world) => world.delete(delegation(11))],
    ["an EndpointSlice", (world) => world.set(slice(12, "10.9.9.9"))],
    ["a Service less", (world) => world.delete(service(13))],
  ])("%s", (_title, apply) => {
    const [atFew, atMany] = [few, many].map((size) => {
      const world = proxied.get(size)!;
      return costOf(world, () => apply(world));
    });
    expect(atMany).toEqual(atFew);
    expect(sum(atMany!)).toBeLessThanOrEqual(3 * most);
  });
});

/** Node → computations, without those that did nothing. */
function costOf({ graph }: Translated, change: () => void): Record<string, number> {
  const before = graph.recomputations;
  change();
  const costs = [...graph.recomputations].map(
    ([node, runs]) => [node, runs - (before.get(node) ?? 0)] as const,
  );
  return Object.fromEntries(costs.filter(([, cost]) => cost > 0));
}

const sum = (costs: Record<string, number>): number => Object.values(costs).reduce((a, b) => a + b, 0);
const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const gatewayApi = "gateway.networking.k8s.io/v1";

function named(apiVersion: string, kind: string, namespace: string, name: string) {
  return { apiVersion, kind, metadata: { name, ...(namespace !== "" && { namespace }) } };
}

function parsed(object: unknown): Resource {
  const result = parseResource(object);
  if (result.outcome !== "resource") throw new Error(JSON.stringify(result));
  return result.resource;
}

function gateway(): Resource[] {
  const allowedRoutes = { namespaces: { from: "All" } };
  const tls = { certificateRefs: [{ name: "web" }] };
  const listeners = [
    { name: "http", port: 80, protocol: "HTTP", allowedRoutes },
    { name: "https", port: 443, protocol: "HTTPS", tls, allowedRoutes },
  ];
  const parametersRef = { group: "gatewright.dev", kind: "ProxyConfig", name: "web" };
  const spec = { gatewayClassName: "gatewright", infrastructure: { parametersRef }, listeners };
  return [parsed({ ...named(gatewayApi, "Gateway", "infra", "web"), spec })];
}

function proxyConfig(replicas: number): Resource {
  return parsed({ ...named("gatewright.dev/v1alpha1", "ProxyConfig", "infra", "web"), spec: { replicas } });
}

function objectsOf(number: number): Resource[] {
  return [route(number), service(number), slice(number, `10.0.${number >> 8}.${number & 255}`)];
}

interface RouteChange {
  readonly path?: string;
  readonly hostname?: string;
  readonly backendNamespace?: string;
}

function route(number: number, { path = "/", hostname, backendNamespace }: RouteChange = {}): Resource {
  const backend = { name: `service-${number}`, port: 80 };
  return parsed({
    ...named(gatewayApi, "HTTPRoute", "shop", `route-${number}`),
    spec: {
      parentRefs: [{ name: "web", namespace: "infra" }],
      hostnames: [hostname ?? `host-${number}.example.com`],
      rules: [
        {
          matches: [{ path: { value: path } }],
          backendRefs: [backendNamespace ? { ...backend, namespace: backendNamespace } : backend],
        },
      ],
    },
  });
}

function service(number: number): Resource {
  return parsed({ ...named("v1", "Service", "shop", `service-${number}`), spec: { ports: [{ port: 80 }] } });
}

function slice(number: number, address: string): Resource {
  const { metadata, ...rest } = named("discovery.k8s.io/v1", "EndpointSlice", "shop", `service-${number}-1`);
  return parsed({
    ...rest,
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": `service-${number}` } },
    addressType: "IPv4",
    ports: [{ port: 8080 }],
    endpoints: [{ addresses: [address] }],
  });
}

function grant(): Resource {
  const from = [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: "shop" }];
  const to = [{ group: "", kind: "Service" }];
  return parsed({ ...named(gatewayApi, "ReferenceGrant", "other", "from-shop"), spec: { from, to } });
}

/** The test-only key pairs of the golden case about rotation. */
function secret(pair: 1 | 2): Resource {
  const file = pair === 1 ? "input.yaml" : "1-new-pair.yaml";
  const documents = loadAll(
    readFileSync(join(import.meta.dirname, "listener/certificate-rotates", file), "utf8"),
    undefined,
    { schema: CORE_SCHEMA },
  ) as { kind: string; type: string; data: object }[];
  const { type, data } = documents.find(({ kind }) => kind === "Secret")!;
  return parsed({ ...named("v1", "Secret", "infra", "web"), type, data });
}

/** A root with TLS, whose Secret is delegated to its namespace, and an HTTPProxy that it includes. */
function proxyObjects(number: number): Resource[] {
  const address = `10.0.${number >> 8}.${number & 255}`;
  return [
    rootProxy(number),
    includedProxy(number),
    delegation(number),
    service(number),
    slice(number, address),
  ];
}

const contour = "projectcontour.io/v1";

function rootProxy(number: number, fqdn = `proxy-${number}.example.com`): Resource {
  return parsed({
    ...named(contour, "HTTPProxy", `roots-${number}`, "root"),
    spec: {
      virtualhost: { fqdn, tls: { secretName: "infra/web" } },
      includes: [{ name: `part-${number}`, namespace: "shop", conditions: [{ prefix: "/part" }] }],
    },
  });
}

function includedProxy(number: number, prefix = "/"): Resource {
  const services = [{ name: `service-${number}`, port: 80 }];
  return parsed({
    ...named(contour, "HTTPProxy", "shop", `part-${number}`),
    spec: { routes: [{ conditions: [{ prefix }], services }] },
  });
}

function delegation(number: number): Resource {
  return parsed({
    ...named(contour, "TLSCertificateDelegation", "infra", `to-${number}`),
    spec: { delegations: [{ secretName: "web", targetNamespaces: [`roots-${number}`] }] },
  });
}

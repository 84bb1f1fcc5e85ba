import { beforeAll, describe, expect, it } from "vitest";
import { makeCertificate, type MadeCertificate } from "../../test/certificates.ts";
import { Graph, type Collection, type Input } from "../incremental/index.ts";
import { allFeatures } from "../model/index.ts";
import { parseResource, type HTTPRoute, type Resource } from "../resources/index.ts";
import type { FleetState } from "./fleets.ts";
import type { ItemState } from "./item-states.ts";
import type { LayerListener, LayerMaker, LayerOutcome, LayerRoute } from "./layers.ts";
import type { Resources } from "./resources.ts";
import { translate } from "./translation.ts";

let made: MadeCertificate;
beforeAll(async () => {
  made = await makeCertificate({ names: ["shop.example.com"] });
});

function secret(key: string) {
  const [namespace, name] = key.split("/");
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  return parsed("Secret", "v1", {
    metadata: { namespace, name },
    type: "kubernetes.io/tls",
    data: { "tls.crt": encoded(made.certificates), "tls.key": encoded(made.privateKey) },
  });
}

const source = { kind: "Ingress", namespace: "shop", name: "web" } as const;
const age = { createdAt: "", name: "shop/web" };

function parsed<K extends Resource["kind"]>(
  kind: K,
  apiVersion: string,
  rest: object,
): Extract<Resource, { kind: K }> {
  const result = parseResource({ apiVersion, kind, ...rest });
  if (result.outcome !== "resource") throw new Error(JSON.stringify(result));
  return result.resource as Extract<Resource, { kind: K }>;
}

function httpRoute(name: string, hostname: string, path: string, parent?: string): HTTPRoute {
  return parsed("HTTPRoute", "gateway.networking.k8s.io/v1", {
    metadata: { namespace: "shop", name },
    spec: {
      ...(parent !== undefined && { parentRefs: [{ name: parent, namespace: "infra" }] }),
      hostnames: [hostname],
      rules: [{ matches: [{ path: { value: path } }], backendRefs: [{ name: "web", port: 80 }] }],
    },
  });
}

/** A translation with one layer, whose listeners and routes the test sets itself. */
function layered() {
  const graph = new Graph();
  const listeners = graph.input<LayerListener>("test listeners");
  const routes = graph.input<LayerRoute>("test routes");
  let outcome: LayerOutcome | undefined;
  const layer: LayerMaker = (_graph, _inputs) => ({
    name: "Ingress",
    listeners,
    routes,
    conclude(given) {
      outcome = given;
      return { statuses: graph.input("test statuses") };
    },
  });
  const inputs = new Map<string, Input<unknown>>();
  const resources = new Proxy({} as Resources, {
    get(_target, name: string) {
      const known = inputs.get(name) ?? graph.input<unknown>(name);
      inputs.set(name, known);
      return known;
    },
  });
  const itemStates = graph.input<ItemState>("item states");
  const fleetStates = graph.input<FleetState>("fleet states");
  const translation = translate(graph, {
    resources,
    itemStates,
    fleetStates,
    layers: [layer],
    settings: {
      controllerNames: ["gatewright.dev/gateway-controller"],
      features: allFeatures,
      implicitClasses: true,
      allowExternalNames: false,
      allowLoopbackEndpoints: true,
      layers: { gateway: "infra/ingress", gatewayClass: "gatewright" },
    },
  });
  const set = (name: keyof Resources, key: string, value: unknown) =>
    (resources[name] as unknown as Input<unknown>).set(key, value);
  set(
    "services",
    "shop/web",
    parsed("Service", "v1", {
      metadata: { namespace: "shop", name: "web" },
      spec: { ports: [{ port: 80 }] },
    }),
  );
  return { graph, listeners, routes, translation, set, outcome: () => outcome! };
}

function route(hostname: string, path: string): LayerRoute {
  const key = "Ingress/shop/web";
  const protocols = ["HTTP", "HTTPS"] as const;
  return {
    key,
    layer: "Ingress",
    source,
    gateway: "infra/ingress",
    protocols,
    route: httpRoute("web", hostname, path),
  };
}

const values = <T>(collection: Collection<T>) => [...collection.entries()].map(([, value]) => value);

describe("a layer", () => {
  it("is served by a Gateway that is stood up for it, and has no status of its own", () => {
    const { routes, translation, outcome } = layered();
    expect(values(translation.fleets)).toEqual([]);
    routes.set("Ingress/shop/web", route("shop.example.com", "/"));
    expect(values(translation.fleets)).toMatchObject([{ key: "infra/ingress", ports: [{ port: 80 }] }]);
    expect(values(translation.statuses)).toEqual([]);
    expect(values(translation.model.virtualHosts)).toMatchObject([
      { hostname: "*", rules: [] },
      { hostname: "shop.example.com", rules: [{ key: "Ingress/shop/web/0/0" }] },
    ]);
    expect(outcome().routes.get("Ingress/shop/web")).toMatchObject([{ accepted: { status: "True" } }]);
    routes.delete("Ingress/shop/web");
    expect(values(translation.fleets)).toEqual([]);
  });

  it("yields to the Gateway API where both ask for the same (2.1.8)", () => {
    const { routes, translation, set } = layered();
    set("gateways", "infra/ingress", gateway([{ name: "http", port: 80, protocol: "HTTP" }]));
    routes.set("Ingress/shop/web", route("shop.example.com", "/cart"));
    set("routes", "HTTPRoute/shop/z-newer", httpRoute("z-newer", "shop.example.com", "/cart", "ingress"));
    set("routes", "HTTPRoute/shop/short", httpRoute("short", "shop.example.com", "/", "ingress"));
    const host = values(translation.model.virtualHosts).find(
      ({ hostname }) => hostname === "shop.example.com",
    );
    expect(host?.rules.map(({ key }) => key)).toEqual([
      "HTTPRoute/shop/z-newer/0/0",
      "Ingress/shop/web/0/0",
      "HTTPRoute/shop/short/0/0",
    ]);
  });
});

function gateway(listeners: readonly object[]) {
  return parsed("Gateway", "gateway.networking.k8s.io/v1", {
    metadata: { namespace: "infra", name: "ingress" },
    spec: {
      gatewayClassName: "gatewright",
      listeners: listeners.map((one) => ({ allowedRoutes: { namespaces: { from: "All" } }, ...one })),
    },
  });
}

describe("a hostname that a layer brings a certificate for", () => {
  it("is served by routes of the listener below it too, and falls through to its other hostnames", () => {
    const { listeners, routes, translation, set } = layered();
    const tls = { certificateRefs: [{ name: "own" }] };
    set(
      "gateways",
      "infra/ingress",
      gateway([{ name: "https", port: 443, protocol: "HTTPS", hostname: "*.example.com", tls }]),
    );
    for (const key of ["infra/own", "shop/cert"]) set("secrets", key, secret(key));
    set("routes", "HTTPRoute/shop/api", httpRoute("api", "shop.example.com", "/api", "ingress"));
    const certificates = [{ namespace: "shop", name: "cert" }];
    listeners.set("Ingress/shop/web/0", {
      layer: "Ingress",
      source,
      age,
      gateway: "infra/ingress",
      protocol: "HTTPS",
      hostname: "shop.example.com",
      certificates,
    });
    routes.set("Ingress/shop/web", route("shop.example.com", "/"));
    const section = "Gateway/infra/ingress/https";
    expect(values(translation.model.serverNames)).toMatchObject([
      { hostname: "*.example.com", section },
      { hostname: "shop.example.com", section, action: { certificates: ["Secret/shop/cert"] } },
    ]);
    expect(values(translation.model.virtualHosts)).toMatchObject([
      { hostname: "*.example.com", section },
      {
        hostname: "shop.example.com",
        section,
        rules: [{ key: "HTTPRoute/shop/api/0/0" }, { key: "Ingress/shop/web/0/0" }],
      },
    ]);
    expect(translation.references.get("Secret/shop/cert")).toBeDefined();
  });
});

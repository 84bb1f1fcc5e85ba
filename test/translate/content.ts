/** The content of routes without Gateways and listeners: every route is translated for one Gateway, or for those that a test names. */
import { ResourceInputs } from "../../src/controller/resource-inputs.ts";
import { Graph } from "../../src/incremental/index.ts";
import { allFeatures } from "../../src/model/index.ts";
import { formatPath, parseResource, resourceKey, type Resource } from "../../src/resources/index.ts";
import { backendItems } from "../../src/translate/backends.ts";
import { contentInputs } from "../../src/translate/content-inputs.ts";
import {
  translateRoute,
  type GatewayView,
  type RouteTranslation,
} from "../../src/translate/route-translation.ts";
import type { TranslateSettings } from "../../src/translate/settings.ts";

export interface ContentOptions {
  /** Features that the proxy lacks. */
  readonly without?: readonly string[];
  readonly settings?: Partial<TranslateSettings>;
  readonly gateways?: readonly Partial<GatewayView>[];
}

export class Content {
  readonly graph = new Graph();
  readonly translations;
  readonly items;
  readonly #inputs: ResourceInputs;

  constructor({ without = [], settings = {}, gateways = [{}] }: ContentOptions = {}) {
    const features = new Set([...allFeatures].filter((feature) => !without.includes(feature)));
    const all: TranslateSettings = {
      controllerNames: ["test.dev/controller"],
      features,
      implicitClasses: false,
      allowExternalNames: false,
      allowLoopbackEndpoints: false,
      ...settings,
    };
    const views = gateways.map((gateway): GatewayView => {
      const { namespace = "infra", name = "gw" } = gateway;
      const controllerName = "test.dev/controller";
      const key = `${namespace}/${name}`;
      return {
        namespace,
        name,
        key,
        controllerName,
        features,
        accepted: true,
        isDefault: false,
        ...gateway,
      };
    });
    this.#inputs = new ResourceInputs(this.graph);
    const inputs = contentInputs(this.graph, this.#inputs.resources, all);
    this.translations = this.graph.map("route translations", this.#inputs.resources.routes, (route, read) => {
      const translations = views.map((view) => translateRoute(route, view, read, inputs));
      return { translations, served: translations };
    });
    this.items = backendItems(this.graph, this.translations, inputs, this.graph.input("item states"));
  }

  set(...objects: readonly object[]): this {
    this.graph.batch(() => {
      for (const object of objects) {
        const resource = read(object);
        this.#inputs.apply({ kind: resource.kind, key: resourceKey(resource), resource });
      }
    });
    return this;
  }

  delete(object: object): this {
    const resource = read(object);
    this.graph.batch(() =>
      this.#inputs.apply({ kind: resource.kind, key: resourceKey(resource), resource: undefined }),
    );
    return this;
  }

  /** The one translation that there is. */
  get only(): RouteTranslation {
    const [first, ...more] = [...this.translations.entries()].flatMap(([, route]) => route.translations);
    if (!first || more.length > 0) throw new Error(`${more.length + (first ? 1 : 0)} translations`);
    return first;
  }

  /** How often a node has run since `before`. */
  runs(node: string): number {
    return this.graph.recomputations.get(node) ?? 0;
  }
}

/** Objects as people write them, in the namespace `shop`, unless they say otherwise. Wrong ones are a mistake of the test. */
function read(object: object): Resource {
  const parsed = parseResource(object, { defaultNamespace: "shop" });
  if (parsed.outcome === "resource") return parsed.resource;
  const problems = parsed.outcome === "invalid" ? parsed.problems : [];
  throw new Error(
    problems.map(({ path, message }) => `${formatPath(path)}: ${message}`).join("; ") || "unknown kind",
  );
}

type Fields = Readonly<Record<string, unknown>>;
interface Metadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly creationTimestamp?: string;
  readonly labels?: Fields;
}

const gatewayApi = "gateway.networking.k8s.io/v1";
const experimentalApi = "gateway.networking.x-k8s.io/v1alpha1";

export function httpRoute(rules: readonly Fields[], metadata: Metadata = {}) {
  return {
    apiVersion: gatewayApi,
    kind: "HTTPRoute",
    metadata: { name: "route", ...metadata },
    spec: { rules },
  };
}

export function grpcRoute(rules: readonly Fields[], metadata: Metadata = {}) {
  return {
    apiVersion: gatewayApi,
    kind: "GRPCRoute",
    metadata: { name: "route", ...metadata },
    spec: { rules },
  };
}

export function streamRoute(kind: "TLSRoute" | "TCPRoute" | "UDPRoute", backendRefs: readonly Fields[]) {
  const hostnames = kind === "TLSRoute" ? { hostnames: ["a.example.com"] } : {};
  return {
    apiVersion: gatewayApi,
    kind,
    metadata: { name: "route" },
    spec: { ...hostnames, rules: [{ backendRefs }] },
  };
}

export function service(
  name: string,
  ports: readonly Fields[] = [{ port: 80 }],
  spec: Fields = {},
  metadata: Metadata = {},
) {
  return { apiVersion: "v1", kind: "Service", metadata: { name, ...metadata }, spec: { ports, ...spec } };
}

export function endpointSlice(serviceName: string, fields: Fields, metadata: Metadata = {}) {
  const labels = { "kubernetes.io/service-name": serviceName };
  const named = { name: `${serviceName}-1`, labels, ...metadata };
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: named,
    addressType: "IPv4",
    ...fields,
  };
}

export function configMap(name: string, data: Fields) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

export function tlsSecret(
  name: string,
  pair: { readonly certificates: string; readonly privateKey: string },
  namespace = "shop",
) {
  const stringData = { "tls.crt": pair.certificates, "tls.key": pair.privateKey };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "kubernetes.io/tls",
    stringData,
  };
}

export function referenceGrant(from: Fields, to: Fields, namespace: string) {
  const group = "gateway.networking.k8s.io";
  const spec = { from: [{ group, namespace: "shop", ...from }], to: [{ group: "", ...to }] };
  return { apiVersion: gatewayApi, kind: "ReferenceGrant", metadata: { name: "grant", namespace }, spec };
}

export function tlsPolicy(name: string, target: Fields, validation: Fields, metadata: Metadata = {}) {
  const targetRefs = [{ group: "", kind: "Service", ...target }];
  const spec = { targetRefs, validation: { hostname: "web.example.com", ...validation } };
  return { apiVersion: gatewayApi, kind: "BackendTLSPolicy", metadata: { name, ...metadata }, spec };
}

export function trafficPolicy(name: string, target: Fields, spec: Fields, metadata: Metadata = {}) {
  const targetRefs = [{ group: "", kind: "Service", ...target }];
  return {
    apiVersion: experimentalApi,
    kind: "XBackendTrafficPolicy",
    metadata: { name, ...metadata },
    spec: { targetRefs, ...spec },
  };
}

export function xBackend(name: string, spec: Fields = {}, hostname = "api.example.com") {
  const all = { type: "ExternalHostname", externalHostname: { hostname }, port: { port: 443 }, ...spec };
  return { apiVersion: experimentalApi, kind: "XBackend", metadata: { name }, spec: all };
}

export const toXBackend = { group: "gateway.networking.x-k8s.io", kind: "XBackend" } as const;

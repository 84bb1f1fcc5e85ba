import type { Graph, Input } from "../incremental/index.ts";
import type { Resource, ResourceKind } from "../resources/index.ts";
import type { ResourceChange } from "../sources/index.ts";
import type { AnyRoute, Resources } from "../translate/index.ts";

const inputOfKind = {
  GatewayClass: "gatewayClasses",
  Gateway: "gateways",
  ListenerSet: "listenerSets",
  HTTPRoute: "routes",
  GRPCRoute: "routes",
  TLSRoute: "routes",
  TCPRoute: "routes",
  UDPRoute: "routes",
  ReferenceGrant: "referenceGrants",
  BackendTLSPolicy: "backendTlsPolicies",
  XBackend: "xBackends",
  XBackendTrafficPolicy: "xBackendTrafficPolicies",
  XMesh: "xMeshes",
  ProxyConfig: "proxyConfigs",
  RouteCertificate: "routeCertificates",
  IngressClass: "ingressClasses",
  Ingress: "ingresses",
  HTTPProxy: "httpProxies",
  TLSCertificateDelegation: "tlsCertificateDelegations",
  Service: "services",
  EndpointSlice: "endpointSlices",
  Secret: "secrets",
  ConfigMap: "configMaps",
  Namespace: "namespaces",
} as const satisfies Record<ResourceKind, keyof Resources>;

/** Where the objects enter the graph. */
export class ResourceInputs {
  readonly resources: Resources;
  readonly #inputs: ReadonlyMap<keyof Resources, Input<unknown>>;
  readonly #invalid: Input<string>;

  constructor(graph: Graph) {
    const names = [...new Set(Object.values(inputOfKind))];
    // Objects are replaced, never changed in place, so another object is another value: no need to compare them in depth.
    const equals = (a: unknown, b: unknown) => a === b;
    const inputs = new Map(names.map((name) => [name, graph.input<unknown>(name, { equals })] as const));
    this.#inputs = inputs;
    this.#invalid = graph.input<string>("invalid objects");
    this.resources = {
      ...(Object.fromEntries(inputs) as unknown as Resources),
      invalidObjects: this.#invalid,
    };
  }

  /** To be called within a batch. */
  apply({ kind, key, resource }: ResourceChange): void {
    const name = inputOfKind[kind];
    const input = this.#inputs.get(name);
    const inputKey = name === "routes" ? `${kind}/${key}` : key;
    if (resource) input?.set(inputKey, resource);
    else input?.delete(inputKey);
  }

  /** All objects that are there but cannot be read, by `Kind/namespace/name`, with what is wrong. To be called within a batch. */
  setInvalid(problems: ReadonlyMap<string, string>): void {
    for (const [key] of this.#invalid.entries()) if (!problems.has(key)) this.#invalid.delete(key);
    for (const [key, problem] of problems) this.#invalid.set(key, problem);
  }

  find(kind: ResourceKind, key: string): Resource | undefined {
    const name = inputOfKind[kind];
    const inputKey = name === "routes" ? `${kind}/${key}` : key;
    return this.#inputs.get(name)?.get(inputKey) as Resource | undefined;
  }

  /** All objects, by kind and then by key. */
  *all(): Iterable<Resource> {
    for (const input of this.#inputs.values()) {
      for (const [, resource] of input.entries()) yield resource as Resource;
    }
  }

  routes(): Iterable<readonly [string, AnyRoute]> {
    return this.resources.routes.entries();
  }
}

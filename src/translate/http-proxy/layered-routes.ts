// What a root becomes in the Gateway API's words: a listener for its name, and for each HTTPProxy in its tree a route.
//
// Spec: without TLS a virtual host is there on HTTP only. With TLS its routes are there on HTTPS, and on HTTP each sends clients to HTTPS unless it permits otherwise. With
// a TCP proxy the name's TLS connections go there, and routes are there on HTTP only.

import type { HTTPProxy, HTTPRoute, TLSRoute } from "../../resources/index.ts";
import type { LayerListener, LayerRoute } from "../layers.ts";
import { ageOf } from "../object-age.ts";
import { keyOf } from "./inclusion-tree.ts";
import { secureRule, type PlacedRule } from "./placed-routes.ts";
import type { JudgedRoot, ServedRoot } from "./roots.ts";
import type { StreamTarget } from "./tcp-proxies.ts";

export function listenerOf({ root, served }: JudgedRoot, gateway: string): LayerListener | undefined {
  if (!served?.tls) return undefined;
  const { certificate } = served.tls;
  return {
    layer: "HTTPProxy",
    source: sourceOf(root),
    age: ageOf(root.metadata),
    gateway,
    protocol: served.stream ? "TLS" : "HTTPS",
    hostname: served.hostname,
    certificates: certificate ? [certificate] : [],
  };
}

export function layeredRoutes(
  { root, served }: JudgedRoot,
  gateway: string,
  proxyOf: (key: string) => HTTPProxy | undefined,
): readonly LayerRoute[] {
  if (!served) return [];
  const routes: LayerRoute[] = [];
  const redirects = served.tls !== undefined && !served.tls.passthrough;
  for (const [key, rules] of served.rules) {
    const proxy = key === keyOf(root) ? root : proxyOf(key);
    if (!proxy || rules.length === 0) continue;
    const make = (part: "http" | "https", given: readonly PlacedRule[]) =>
      httpRoute({ root, proxy, gateway, hostname: served.hostname, part, rules: given });
    if (!redirects) routes.push(make("http", rules));
    else {
      routes.push(
        make(
          "http",
          rules.map((rule) => (rule.permitInsecure ? rule : secureRule(rule))),
        ),
      );
      if (!served.stream) routes.push(make("https", rules));
    }
  }
  if (served.stream) routes.push(tlsRoute(root, gateway, served, served.stream));
  return routes;
}

function sourceOf({ metadata }: HTTPProxy) {
  return { kind: "HTTPProxy", namespace: metadata.namespace, name: metadata.name };
}

interface HttpRouteParts {
  readonly root: HTTPProxy;
  readonly proxy: HTTPProxy;
  readonly gateway: string;
  readonly hostname: string;
  readonly part: "http" | "https";
  readonly rules: readonly PlacedRule[];
}

function httpRoute({ root, proxy, gateway, hostname, part, rules }: HttpRouteParts): LayerRoute {
  const route: HTTPRoute = {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: proxy.metadata,
    spec: { hostnames: [hostname], rules: rules.map(({ rule }) => rule) },
  };
  return {
    key: `HTTPProxy/${keyOf(proxy)}/${part}/${keyOf(root)}`,
    layer: "HTTPProxy",
    source: sourceOf(proxy),
    gateway,
    protocols: [part === "http" ? "HTTP" : "HTTPS"],
    route,
    oneLabel: true,
    extras: rules.map(({ extras }) => (Object.keys(extras).length > 0 ? extras : undefined)),
    fields: rules.map(({ field, serviceIndexes }) => ({
      rule: field,
      backends: serviceIndexes.map((index) => `${field}.services[${index}]`),
    })),
  };
}

function tlsRoute(
  root: HTTPProxy,
  gateway: string,
  { hostname }: ServedRoot,
  stream: StreamTarget,
): LayerRoute {
  const { proxy, backendRefs, backends } = stream;
  const route: TLSRoute = {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "TLSRoute",
    metadata: proxy.metadata,
    spec: { hostnames: [hostname], rules: [{ backendRefs }] },
  };
  return {
    key: `HTTPProxy/${keyOf(proxy)}/tcp/${keyOf(root)}`,
    layer: "HTTPProxy",
    source: sourceOf(proxy),
    gateway,
    protocols: ["TLS"],
    route,
    ...(backends.some((one) => one !== undefined) && { extras: [{ backends }] }),
    fields: [
      {
        rule: "spec.tcpproxy",
        backends: backendRefs.map((_ref, index) => `spec.tcpproxy.services[${index}]`),
      },
    ],
  };
}

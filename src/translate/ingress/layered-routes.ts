// What an Ingress becomes in the Gateway API's words: a listener for each host with a certificate, and for each host a route, or two where plain HTTP is sent to HTTPS.

import type { HTTPRoute, HTTPRouteRule, Ingress } from "../../resources/index.ts";
import type { LayerListener, LayerRoute, RuleFields } from "../layers.ts";
import { ageOf } from "../object-age.ts";
import type { JudgedHost, JudgedIngress, PlacedRule } from "./judged-ingress.ts";

/** Where the rules of a route came from. */
export type IngressRoute = LayerRoute & {
  readonly route: HTTPRoute;
  readonly fields: readonly RuleFields[];
};

export function listenersOf({ ingress, gateway, tls }: JudgedIngress): readonly LayerListener[] {
  return tls.listeners.map(({ hostname, certificates }) => ({
    layer: "Ingress",
    source: sourceOf(ingress),
    age: ageOf(ingress.metadata),
    gateway,
    protocol: "HTTPS",
    hostname,
    certificates,
  }));
}

export function layeredRoutes(judged: JudgedIngress): readonly IngressRoute[] {
  return judged.hosts.flatMap((host) => {
    if (host.rules.length === 0) return [];
    if (!host.redirectsToHttps) return [routeOf(judged, host, ["HTTP", "HTTPS"], host.rules)];
    return [
      routeOf(judged, host, ["HTTP"], secureRules(host.rules)),
      routeOf(judged, host, ["HTTPS"], host.rules),
    ];
  });
}

/** One redirect for each path; who may not come in is told so before. */
function secureRules(rules: readonly PlacedRule[]): readonly PlacedRule[] {
  const seen = new Set<string>();
  return rules.flatMap(({ field, rule, extras }) => {
    const [match] = rule.matches;
    const key = JSON.stringify(match?.path);
    if (!match || seen.has(key)) return [];
    seen.add(key);
    const secure: HTTPRouteRule = {
      matches: [{ path: match.path }],
      filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 308 } }],
    };
    const { clientAddresses } = extras;
    return [
      { field, rule: secure, extras: { toSecurePort: true, ...(clientAddresses && { clientAddresses }) } },
    ];
  });
}

export function sourceOf({ metadata }: Ingress) {
  return { kind: "Ingress", namespace: metadata.namespace, name: metadata.name };
}

function routeOf(
  { ingress, gateway }: JudgedIngress,
  { hostname }: JudgedHost,
  protocols: readonly ("HTTP" | "HTTPS")[],
  rules: readonly PlacedRule[],
): IngressRoute {
  const { namespace, name } = ingress.metadata;
  return {
    key: `Ingress/${namespace}/${name}/${hostname}/${protocols.join("+").toLowerCase()}`,
    layer: "Ingress",
    source: sourceOf(ingress),
    gateway,
    protocols,
    route: {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "HTTPRoute",
      metadata: ingress.metadata,
      spec: {
        ...(hostname !== "*" && { hostnames: [hostname] }),
        rules: rules.map(({ rule }) => rule),
      },
    },
    ...(hostname.startsWith("*.") && { oneLabel: true }),
    ...(rules.some(({ extras }) => Object.keys(extras).length > 0) && {
      extras: rules.map(({ extras }) => (Object.keys(extras).length > 0 ? extras : undefined)),
    }),
    fields: rules.map(({ field, rule }) => ({
      rule: field,
      backends: (rule.backendRefs ?? []).map(() =>
        field === "spec.defaultBackend" ? field : `${field}.backend`,
      ),
    })),
  };
}

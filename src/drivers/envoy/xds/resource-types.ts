import { typeUrlOf } from "../messages/index.ts";
import type { ResourceType } from "../rendered-resource.ts";

export const cluster = "envoy.config.cluster.v3.Cluster" satisfies ResourceType;
export const endpoints = "envoy.config.endpoint.v3.ClusterLoadAssignment" satisfies ResourceType;
export const secret = "envoy.extensions.transport_sockets.tls.v3.Secret" satisfies ResourceType;
export const scope = "envoy.config.route.v3.ScopedRouteConfiguration" satisfies ResourceType;
export const routes = "envoy.config.route.v3.RouteConfiguration" satisfies ResourceType;
export const listener = "envoy.config.listener.v3.Listener" satisfies ResourceType;

export const resourceTypes = [cluster, endpoints, secret, scope, routes, listener] as const;

const byUrl = new Map<string, ResourceType>(resourceTypes.map((type) => [typeUrlOf(type), type]));

export function resourceTypeOf(typeUrl: string): ResourceType | undefined {
  return byUrl.get(typeUrl);
}

/**
 * The order in which one set of changes is sent, so that no request falls in between: what is referred to comes before
 * what refers to it, and goes after it. Each step waits until Envoy has taken the one before. Envoy withholds its yes to a
 * cluster until the cluster is warm, so a route never leads to a cluster that isn't.
 */
export const steps: readonly { readonly mode: "set" | "remove"; readonly types: readonly ResourceType[] }[] =
  [
    { mode: "set", types: [cluster, endpoints, secret] },
    { mode: "set", types: [scope, routes] },
    { mode: "set", types: [listener] },
    { mode: "remove", types: [listener] },
    { mode: "remove", types: [scope, routes] },
    { mode: "remove", types: [cluster, endpoints, secret] },
  ];

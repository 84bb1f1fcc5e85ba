/*
 * UDP. Envoy sends a listener's sessions to one cluster, so a listener has one of its own: with the endpoints of all backends of its
 * route, weighted so that each backend gets its share. The listener never changes with its route. The share of a backend that
 * cannot be used, or has no endpoints, goes to an endpoint that nobody listens on.
 */
import type { Endpoint, Listener, WeightedBackend } from "../../../model/index.ts";
import type { Cluster, ClusterLoadAssignment, LbEndpoint, ListenerFilter } from "../generated/messages.ts";
import { ads } from "./config-source.ts";
import { assignment, hasNames, renderEndpoint } from "./endpoints.ts";
import { datagramCluster } from "./names.ts";

const idleTimeout = 60_000;
/** The discard port of the proxy's own loopback. */
const nowhere: Endpoint = { address: "127.0.0.1", port: 9 };
/** Weights are shared out among endpoints in whole numbers. */
const scale = 1_000;

export function renderUdpProxy({ key }: Listener): ListenerFilter {
  return {
    name: "envoy.filters.udp_listener.udp_proxy",
    typedConfig: {
      type: "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig",
      value: {
        statPrefix: "udp",
        idleTimeout,
        matcher: {
          onNoMatch: {
            action: {
              name: "route",
              typedConfig: {
                type: "envoy.extensions.filters.udp.udp_proxy.v3.Route",
                value: { cluster: datagramCluster(key) },
              },
            },
          },
        },
      },
    },
  };
}

export interface DatagramBackend extends WeightedBackend {
  readonly endpoints: readonly Endpoint[];
}

export function renderDatagramCluster(
  listener: string,
  backends: readonly DatagramBackend[],
): { readonly cluster: Cluster; readonly endpoints: ClusterLoadAssignment | undefined } {
  const name = datagramCluster(listener);
  const endpoints = assignment(name, backends.flatMap(renderShare));
  const isNamed = backends.some((backend) => hasNames(backend.endpoints));
  const cluster: Cluster = { name, connectTimeout: 5_000, lbPolicy: "ROUND_ROBIN" };
  return isNamed
    ? {
        cluster: {
          ...cluster,
          type: "STRICT_DNS",
          dnsLookupFamily: "V4_PREFERRED",
          loadAssignment: endpoints,
        },
        endpoints: undefined,
      }
    : { cluster: { ...cluster, type: "EDS", edsClusterConfig: { edsConfig: ads } }, endpoints };
}

function renderShare({ weight, endpoints }: DatagramBackend): readonly LbEndpoint[] {
  const usable = endpoints.length > 0 ? endpoints : [nowhere];
  const each = Math.max(1, Math.round((weight * scale) / usable.length));
  return usable.map((endpoint) => renderEndpoint(endpoint, "UDP", each));
}

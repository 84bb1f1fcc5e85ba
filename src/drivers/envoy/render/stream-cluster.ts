/*
 * Streams and datagrams. What takes them (a TCP or UDP listener, a server name that is no HTTP) has one cluster of its own, with the endpoints
 * of all backends of its route, weighted so that each backend gets its share. So a changed route changes endpoints, and never the
 * listener: Envoy would end the connections of a listener that changed, after a while.
 *
 * The share of a backend that cannot be used, or has no endpoints, goes to an endpoint that nobody listens on.
 */
import type { Endpoint, HealthCheck, WeightedBackend } from "../../../model/index.ts";
import type { Cluster, ClusterLoadAssignment, LbEndpoint } from "../generated/messages.ts";
import { boundedSessions, noBounds } from "./circuit-breakers.ts";
import { ads } from "./config-source.ts";
import { renderHealthCheck } from "./health-check.ts";
import { assignment, hasNames, renderEndpoint } from "./endpoints.ts";
import { streamCluster } from "./names.ts";

/** Weights are shared out among endpoints in whole numbers. */
const scale = 1_000;

/** A listener inside of Envoy that there is not; for datagrams, the discard port of the proxy's own loopback. */
const nowhere = {
  TCP: { endpoint: { address: { envoyInternalAddress: { serverListenerName: "nowhere" } } } },
  UDP: renderEndpoint({ address: "127.0.0.1", port: 9 }, "UDP"),
} as const satisfies Record<string, LbEndpoint>;

export interface StreamShare extends WeightedBackend {
  readonly endpoints: readonly Endpoint[];
  readonly healthCheck?: HealthCheck;
}

/** `key` of the listener or the server name. */
export function renderStreamCluster(
  key: string,
  shares: readonly StreamShare[],
  protocol: "TCP" | "UDP",
): { readonly cluster: Cluster; readonly endpoints: ClusterLoadAssignment | undefined } {
  const name = streamCluster(key);
  const endpoints = assignment(
    name,
    shares.flatMap((share) => renderShare(share, protocol)),
  );
  const cluster: Cluster = {
    name,
    connectTimeout: 5_000,
    lbPolicy: "ROUND_ROBIN",
    circuitBreakers: protocol === "TCP" ? noBounds : boundedSessions,
    ...(protocol === "TCP" ? sharedCheck(shares) : {}),
  };
  return shares.some((share) => hasNames(share.endpoints))
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

/** A cluster has one kind of check: that of its backends, if it is the same for all of them. */
function sharedCheck(shares: readonly StreamShare[]): Partial<Cluster> {
  const [first, ...others] = shares;
  const healthCheck = first?.healthCheck;
  const text = JSON.stringify(healthCheck);
  return healthCheck && others.every((other) => JSON.stringify(other.healthCheck) === text)
    ? renderHealthCheck({ protocol: "tcp", healthCheck })
    : {};
}

function renderShare({ weight, endpoints }: StreamShare, protocol: "TCP" | "UDP"): readonly LbEndpoint[] {
  const each = Math.max(1, Math.round((weight * scale) / Math.max(1, endpoints.length)));
  if (endpoints.length === 0) return [{ ...nowhere[protocol], loadBalancingWeight: each }];
  return endpoints.map((endpoint) => renderEndpoint(endpoint, protocol, each));
}

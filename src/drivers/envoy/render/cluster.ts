/*
 * A backend as a cluster. Its endpoints come by endpoint discovery, so that they change alone, except where one is a name that Envoy has to
 * resolve: then they are part of the cluster.
 */
import type { Backend, Endpoint, RetryBudget } from "../../../model/index.ts";
import type { CircuitBreakers, Cluster, HttpProtocolOptions } from "../generated/messages.ts";
import { renderBackendTls } from "./backend-tls.ts";
import { ads } from "./config-source.ts";
import { hasNames, renderEndpoints } from "./endpoints.ts";

const connectTimeout = 5_000;
/** Load is the business of whoever sizes the backend: Envoy's own bounds are for meshes, and answer 503 at 1,024 connections. */
const unbounded = 1_000_000;

export function renderCluster(
  backend: Backend,
  endpoints: readonly Endpoint[],
  systemRoots: string,
): Cluster {
  const { key, protocol, tls } = backend;
  const isHttp = protocol === "http" || protocol === "h2c";
  return {
    name: key,
    connectTimeout,
    lbPolicy: "ROUND_ROBIN",
    circuitBreakers: renderCircuitBreakers(backend.retryBudget),
    ...discovery(key, endpoints),
    ...(tls ? { transportSocket: renderBackendTls(tls, isHttp, systemRoots, protocol === "h2c") } : {}),
    ...(isHttp ? { typedExtensionProtocolOptions: httpOptions(backend) } : {}),
  };
}

export function discovery(
  name: string,
  endpoints: readonly Endpoint[],
): Pick<Cluster, "type" | "edsClusterConfig" | "loadAssignment" | "dnsLookupFamily"> {
  return hasNames(endpoints)
    ? {
        type: "STRICT_DNS",
        dnsLookupFamily: "V4_PREFERRED",
        loadAssignment: renderEndpoints(name, endpoints),
      }
    : { type: "EDS", edsClusterConfig: { edsConfig: ads } };
}

function renderCircuitBreakers(budget: RetryBudget | undefined): CircuitBreakers {
  return {
    thresholds: [
      {
        maxConnections: unbounded,
        maxPendingRequests: unbounded,
        maxRequests: unbounded,
        ...(budget
          ? {
              retryBudget: {
                budgetPercent: { value: budget.percent },
                budgetInterval: budget.interval,
                minRetryConcurrency: minRetries(budget),
              },
            }
          : { maxRetries: unbounded }),
      },
    ],
  };
}

/** Envoy counts both within one interval: what is always allowed in `minInterval` is as much more or less in `interval`. */
function minRetries({ minRetries: count, minInterval, interval }: RetryBudget): number {
  return Math.max(1, Math.round((count * interval) / Math.max(1, minInterval)));
}

function httpOptions({ protocol, tls }: Backend): Cluster["typedExtensionProtocolOptions"] & {} {
  // HTTP/1.1 to a TLS backend that does not choose by ALPN; HTTP/2 where it was asked for.
  const value: HttpProtocolOptions =
    protocol === "h2c"
      ? { explicitHttpConfig: { http2ProtocolOptions: {} } }
      : tls
        ? { autoConfig: { httpProtocolOptions: http1, http2ProtocolOptions: {} } }
        : { explicitHttpConfig: { httpProtocolOptions: http1 } };
  return new Map([
    [
      "envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
      {
        type: "envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
        value: { commonHttpProtocolOptions: { idleTimeout: 60_000 }, ...value },
      },
    ],
  ]);
}

const http1 = { enableTrailers: true } as const;

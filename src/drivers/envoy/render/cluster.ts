/*
 * A backend as a cluster. Its endpoints come by endpoint discovery, so that they change alone, except where one is a name that Envoy has to
 * resolve: then they are part of the cluster.
 */
import type { Backend, Endpoint, LoadBalancing } from "../../../model/index.ts";
import type { Any, Cluster, HttpProtocolOptions } from "../generated/messages.ts";
import { constant } from "../messages/index.ts";
import { renderBackendTls } from "./backend-tls.ts";
import { noBounds, renderCircuitBreakers } from "./circuit-breakers.ts";
import { ads } from "./config-source.ts";
import { hasNames, renderEndpoints } from "./endpoints.ts";
import { renderHealthCheck } from "./health-check.ts";
import { renderUpstreamFilters } from "./retry.ts";

const defaultConnectTimeout = 5_000;
const defaultIdleTimeout = 60_000;

/** Streams go to the cluster of what takes them (`stream-cluster.ts`), unless the backend alone knows how it is spoken to. */
export function hasOwnCluster({ protocol, tls }: Backend): boolean {
  return protocol === "http" || protocol === "h2c" || (protocol === "tcp" && tls !== undefined);
}

export function renderCluster(
  backend: Backend,
  endpoints: readonly Endpoint[],
  systemRoots: string,
): Cluster {
  const { key, protocol, tls } = backend;
  const isHttp = protocol === "http" || protocol === "h2c";
  return {
    name: key,
    connectTimeout: backend.connectTimeout ?? defaultConnectTimeout,
    ...renderLoadBalancing(backend.loadBalancing),
    ...renderHealthCheck(backend),
    circuitBreakers: backend.retryBudget ? renderCircuitBreakers(backend.retryBudget) : noBounds,
    ...discovery(backend, endpoints),
    ...(tls ? { transportSocket: renderBackendTls(tls, isHttp, systemRoots, protocol === "h2c") } : {}),
    ...(isHttp
      ? { typedExtensionProtocolOptions: isPlain(backend) ? plainOptions : httpOptions(backend) }
      : {}),
  };
}

function renderLoadBalancing(
  loadBalancing: LoadBalancing | undefined,
): Pick<Cluster, "lbPolicy" | "leastRequestLbConfig"> {
  switch (loadBalancing?.type) {
    case "least-request":
      // Of two that are drawn, both may be the same busy one.
      return { lbPolicy: "LEAST_REQUEST", leastRequestLbConfig: { choiceCount: 8 } };
    case "random":
      return { lbPolicy: "RANDOM" };
    case "hash":
      return { lbPolicy: "RING_HASH" };
    case "round-robin":
    case undefined:
      return { lbPolicy: "ROUND_ROBIN" };
  }
}

function discovery(
  backend: Backend,
  endpoints: readonly Endpoint[],
): Pick<Cluster, "type" | "edsClusterConfig" | "loadAssignment" | "dnsLookupFamily"> {
  return hasNames(endpoints)
    ? {
        type: "STRICT_DNS",
        dnsLookupFamily: "V4_PREFERRED",
        loadAssignment: renderEndpoints(backend, endpoints),
      }
    : discovered;
}

const discovered = { type: "EDS", edsClusterConfig: constant({ edsConfig: ads }) } as const;

function httpOptions({
  protocol,
  tls,
  retryBudget,
  idleTimeout = defaultIdleTimeout,
}: Pick<Backend, "protocol" | "tls" | "retryBudget" | "idleTimeout">): ReadonlyMap<string, Any> {
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
        value: {
          commonHttpProtocolOptions: { idleTimeout },
          ...(retryBudget ? { httpFilters: renderUpstreamFilters(retryBudget) } : {}),
          ...value,
        },
      },
    ],
  ]);
}

/**
 * A trailer may have any name, that of a header which a filter or an authorization server has decided among them, and Envoy would pass it on behind the body. gRPC, which
 * lives by trailers, speaks HTTP/2.
 */
const http1 = { enableTrailers: false } as const;

/** Most backends are. */
function isPlain({ protocol, tls, retryBudget, idleTimeout }: Backend): boolean {
  return protocol === "http" && !tls && !retryBudget && idleTimeout === undefined;
}

const plainOptions = constant(httpOptions({ protocol: "http" }));

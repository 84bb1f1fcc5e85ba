import type { WeightedBackend } from "../../../model/index.ts";
import type { Filter, TcpProxy } from "../generated/messages.ts";
import { noCluster, streamCluster } from "./names.ts";

const idleTimeout = 3_600_000;
const connectAttempts = 3;

export interface StreamTarget {
  /** Of the listener or the server name, whose cluster takes the connections. */
  readonly key: string;
  readonly backends: readonly WeightedBackend[];
  /** Some backend is spoken to with TLS: its cluster knows how, so connections are shared out among the clusters of the backends. */
  readonly hasTls: boolean;
}

/** Copies bytes. Without a backend, or to one that cannot be used, the connection is closed. */
export function renderTcpProxy(target: StreamTarget): Filter {
  const value: TcpProxy = {
    statPrefix: "tcp",
    idleTimeout,
    // With several backends another try could be with another one, and the shares would not be what they should.
    maxConnectAttempts: target.backends.length > 1 ? 1 : connectAttempts,
    ...(target.hasTls
      ? { weightedClusters: { clusters: clustersOf(target) } }
      : { cluster: streamCluster(target.key) }),
  };
  return {
    name: "envoy.filters.network.tcp_proxy",
    typedConfig: { type: "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy", value },
  };
}

function clustersOf({ backends }: StreamTarget) {
  return backends.map(({ target, weight }) => ({
    name: target.type === "backend" ? target.backend : noCluster,
    weight,
  }));
}

/** Closes every connection. */
export const refuseConnections: Filter = {
  name: "envoy.filters.network.tcp_proxy",
  typedConfig: {
    type: "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy",
    value: { statPrefix: "tcp", cluster: noCluster },
  },
};

import type { WeightedBackend } from "../../../model/index.ts";
import type { Filter } from "../generated/messages.ts";
import { noCluster } from "./names.ts";

const idleTimeout = 3_600_000;
const connectAttempts = 3;

/** Copies bytes. Without a backend, or to one that cannot be used, the connection is closed. */
export function renderTcpProxy(statPrefix: string, backends: readonly WeightedBackend[]): Filter {
  const clusters = backends.map(({ target, weight }) => ({
    name: target.type === "backend" ? target.backend : noCluster,
    weight,
  }));
  return {
    name: "envoy.filters.network.tcp_proxy",
    typedConfig: {
      type: "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy",
      value: {
        statPrefix,
        idleTimeout,
        maxConnectAttempts: connectAttempts,
        ...(clusters.length > 1
          ? { weightedClusters: { clusters } }
          : { cluster: clusters[0]?.name ?? noCluster }),
      },
    },
  };
}

import type { Listener } from "../../../model/index.ts";
import type { ListenerFilter } from "../generated/messages.ts";
import { streamCluster } from "./names.ts";

const idleTimeout = 60_000;

/** Sends a client's datagrams to one endpoint of the listener's cluster, for as long as the session lasts. */
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
                value: { cluster: streamCluster(key) },
              },
            },
          },
        },
      },
    },
  };
}

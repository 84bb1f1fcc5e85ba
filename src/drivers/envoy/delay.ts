/*
 * A way for scripts to wait: they can call a server, so there is one that answers after the time it is told. It listens inside of Envoy only.
 */

/** The cluster that scripts call, with the header `delayHeader` in milliseconds. */
export const delayClusterName = "gatewright-delay";
export const delayHeader = "x-envoy-fault-delay-request";

const types = "type.googleapis.com/envoy.extensions";

export const internalListeners = {
  name: "envoy.bootstrap.internal_listener",
  typed_config: { "@type": `${types}.bootstrap.internal_listener.v3.InternalListener` },
} as const;

export const delayCluster = {
  name: delayClusterName,
  type: "STATIC",
  connect_timeout: "1s",
  circuit_breakers: {
    thresholds: [{ max_connections: 100_000, max_pending_requests: 100_000, max_requests: 100_000 }],
  },
  load_assignment: {
    cluster_name: delayClusterName,
    endpoints: [
      {
        lb_endpoints: [
          { endpoint: { address: { envoy_internal_address: { server_listener_name: delayClusterName } } } },
        ],
      },
    ],
  },
} as const;

export const delayListener = {
  name: delayClusterName,
  internal_listener: {},
  filter_chains: [
    {
      filters: [
        {
          name: "envoy.filters.network.http_connection_manager",
          typed_config: {
            "@type": `${types}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
            stat_prefix: "gatewright_delay",
            codec_type: "HTTP1",
            http_filters: [
              {
                name: "envoy.filters.http.fault",
                typed_config: {
                  "@type": `${types}.filters.http.fault.v3.HTTPFault`,
                  delay: { header_delay: {}, percentage: { numerator: 100 } },
                },
              },
              {
                name: "envoy.filters.http.router",
                typed_config: { "@type": `${types}.filters.http.router.v3.Router` },
              },
            ],
            route_config: {
              name: "gatewright-delay",
              virtual_hosts: [
                {
                  name: "gatewright-delay",
                  domains: ["*"],
                  routes: [{ match: { prefix: "/" }, direct_response: { status: 200 } }],
                },
              ],
            },
          },
        },
      ],
    },
  ],
} as const;

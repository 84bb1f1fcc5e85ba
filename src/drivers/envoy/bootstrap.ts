/*
 * The files that Envoy starts with. They say how to find the channel, and nothing of what is served: that comes by the channel.
 *
 * The admin interface is a socket in the file system that only Envoy's own user may open: it can end the process and shows the whole configuration. What
 * may be asked from outside has listeners of its own, which know paths that are compared in full with their query: whether the proxy is ready, and
 * on one of them its metrics. Envoy opens no listener before it has its first full configuration, these included.
 */
import { isIP } from "node:net";
import { channelServerName } from "../../channel/server-name.ts";
import { delayCluster, delayListener, internalListeners } from "./delay.ts";

export interface BootstrapOptions {
  /** `host:port` of the channel. */
  readonly channel: { readonly host: string; readonly port: number };
  /** The folder where these files will be. */
  readonly folder: string;
  /** The folder with `tls.crt`, `tls.key` and `ca.crt`, which are replaced as they are renewed. */
  readonly certificates: string;
  /** Where the socket of the admin interface is made. */
  readonly adminSocket: string;
  /** Where `/ready` and `/metrics` are answered. Absent: nowhere. */
  readonly status?: { readonly address: string; readonly port: number };
  /** Where `/healthz/ready` is answered, and nothing else: for load balancers. Absent: nowhere. */
  readonly readiness?: { readonly address: string; readonly port: number };
  /** Who it is, for people: `--service-node` and `--service-cluster` say it, too. */
  readonly node?: { readonly id: string; readonly cluster: string };
  /** Counters of each backend. They cost memory and time for each, so the default is without. */
  readonly statisticsPerBackend?: boolean;
  /** Connections from clients that are open at a time. */
  readonly maxConnections?: number;
  /** Bytes that Envoy may use; near them it turns requests away rather than be ended by the system. */
  readonly maxHeapSize?: number;
}

export const bootstrapFileNames = {
  bootstrap: "bootstrap.json",
  certificate: "channel-certificate.json",
  authorities: "channel-authorities.json",
} as const;

/** Name of file → content. */
export function renderBootstrapFiles(options: BootstrapOptions): ReadonlyMap<string, string> {
  const { bootstrap, certificate, authorities } = bootstrapFileNames;
  return new Map([
    [bootstrap, write(renderBootstrap(options))],
    [certificate, write(renderSecretFile(certificateSecret(options.certificates)))],
    [authorities, write(renderSecretFile(authoritiesSecret(options.certificates)))],
  ]);
}

const write = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

function renderBootstrap(options: BootstrapOptions): object {
  const { status, readiness, node } = options;
  const telling = [
    ...(status
      ? [renderTelling("gatewright-status", status, { "/ready": "/ready", "/metrics": "/stats/prometheus" })]
      : []),
    ...(readiness ? [renderTelling("gatewright-readiness", readiness, { "/healthz/ready": "/ready" })] : []),
  ];
  return {
    ...(node && { node: { id: node.id, cluster: node.cluster } }),
    admin: { address: { pipe: { path: options.adminSocket, mode: 0o600 } } },
    dynamic_resources: {
      ads_config: {
        api_type: "DELTA_GRPC",
        transport_api_version: "V3",
        set_node_on_first_message_only: true,
        grpc_services: [
          {
            envoy_grpc: {
              cluster_name: channelCluster,
              retry_policy: { retry_back_off: { base_interval: "0.25s", max_interval: "5s" } },
            },
          },
        ],
      },
      cds_config: byChannel,
      lds_config: byChannel,
    },
    static_resources: {
      clusters: [
        renderChannelCluster(options),
        delayCluster,
        ...(telling.length > 0 ? [renderAdminCluster(options.adminSocket)] : []),
      ],
      listeners: [delayListener, ...telling],
    },
    bootstrap_extensions: [internalListeners],
    layered_runtime: { layers: [{ name: "gatewright", static_layer: runtime }] },
    overload_manager: renderOverloadManager(options),
    stats_flush_on_admin: true,
    deferred_stat_options: { enable_deferred_creation_stats: true },
    ...(!options.statisticsPerBackend && {
      stats_config: {
        stats_matcher: { exclusion_list: { patterns: [{ prefix: "cluster." }, { prefix: "vhost." }] } },
      },
    }),
    application_log_config: {
      log_format: {
        json_format: { time: "%Y-%m-%dT%T.%e%z", level: "%l", logger: "%n", message: "%j" },
      },
    },
  };
}

const channelCluster = "gatewright-channel";
const adminCluster = "gatewright-admin";

/** The first configuration is waited for, however long it takes. */
const byChannel = { ads: {}, resource_api_version: "V3", initial_fetch_timeout: "0s" };

const runtime = {
  // The regular expressions of the API may be larger than what Envoy takes for a mistake.
  "re2.max_program_size.error_level": 65_536,
  "re2.max_program_size.warn_level": 65_536,
  // Dots with a path parameter are no dot segment by any RFC: such paths are refused, not read in one of two ways.
  "envoy.reloadable_features.strip_dotdot_segments_with_parameters": false,
  // The lines of a repeated header are one value (RFC 9110 5.3), as they are to the other drivers.
  "envoy.reloadable_features.match_headers_individually": false,
  // A chunk ends where its size says, or the request is refused.
  "envoy.reloadable_features.strict_chunk_parsing": true,
};

function renderChannelCluster({ channel, folder }: BootstrapOptions): object {
  const { host, port } = channel;
  return {
    name: channelCluster,
    type: isIP(host) === 0 ? "STRICT_DNS" : "STATIC",
    connect_timeout: "5s",
    typed_extension_protocol_options: {
      "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
        "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
        explicit_http_config: {
          http2_protocol_options: { connection_keepalive: { interval: "30s", timeout: "10s" } },
        },
      },
    },
    load_assignment: {
      cluster_name: channelCluster,
      endpoints: [
        {
          lb_endpoints: [{ endpoint: { address: { socket_address: { address: host, port_value: port } } } }],
        },
      ],
    },
    transport_socket: {
      name: "envoy.transport_sockets.tls",
      typed_config: {
        "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
        sni: channelServerName,
        common_tls_context: {
          tls_params: { tls_minimum_protocol_version: "TLSv1_2" },
          tls_certificate_sds_secret_configs: [
            { name: certificateName, sds_config: byFile(folder, bootstrapFileNames.certificate) },
          ],
          combined_validation_context: {
            default_validation_context: {
              match_typed_subject_alt_names: [{ san_type: "DNS", matcher: { exact: channelServerName } }],
            },
            validation_context_sds_secret_config: {
              name: authoritiesName,
              sds_config: byFile(folder, bootstrapFileNames.authorities),
            },
          },
        },
      },
    },
  };
}

const certificateName = "channel-certificate";
const authoritiesName = "channel-authorities";

function byFile(folder: string, name: string): object {
  return { path_config_source: { path: `${folder}/${name}` }, resource_api_version: "V3" };
}

function renderSecretFile(secret: object): object {
  const type = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret";
  return { resources: [{ "@type": type, ...secret }] };
}

function certificateSecret(folder: string): object {
  return {
    name: certificateName,
    tls_certificate: {
      certificate_chain: { filename: `${folder}/tls.crt` },
      private_key: { filename: `${folder}/tls.key` },
      watched_directory: { path: folder },
    },
  };
}

function authoritiesSecret(folder: string): object {
  return {
    name: authoritiesName,
    validation_context: { trusted_ca: { filename: `${folder}/ca.crt` }, watched_directory: { path: folder } },
  };
}

function renderAdminCluster(socket: string): object {
  return {
    name: adminCluster,
    type: "STATIC",
    connect_timeout: "1s",
    load_assignment: {
      cluster_name: adminCluster,
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { pipe: { path: socket } } } }] }],
    },
  };
}

/** `paths`: what may be asked for → where the admin interface has it. */
function renderTelling(
  name: string,
  { address, port }: { readonly address: string; readonly port: number },
  paths: Readonly<Record<string, string>>,
): object {
  const get = (path: string, rewrite: string) => ({
    match: {
      path,
      headers: [
        { name: ":method", string_match: { exact: "GET" } },
        // Without a query: what is asked for is never more than what stands here.
        { name: ":path", string_match: { exact: path } },
      ],
    },
    route: { cluster: adminCluster, prefix_rewrite: rewrite, timeout: "10s" },
  });
  return {
    name,
    address: { socket_address: { address, port_value: port } },
    bypass_overload_manager: true,
    filter_chains: [
      {
        filters: [
          {
            name: "envoy.filters.network.http_connection_manager",
            typed_config: {
              "@type":
                "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
              stat_prefix: name.replaceAll("-", "_"),
              codec_type: "HTTP1",
              http_filters: [
                {
                  name: "envoy.filters.http.router",
                  typed_config: {
                    "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router",
                  },
                },
              ],
              route_config: {
                name,
                virtual_hosts: [
                  {
                    name,
                    domains: ["*"],
                    routes: [
                      ...Object.entries(paths).map(([path, rewrite]) => get(path, rewrite)),
                      { match: { prefix: "/" }, direct_response: { status: 404 } },
                    ],
                  },
                ],
              },
            },
          },
        ],
      },
    ],
  };
}

function renderOverloadManager({ maxConnections = 50_000, maxHeapSize }: BootstrapOptions): object {
  const monitors = "type.googleapis.com/envoy.extensions.resource_monitors";
  return {
    refresh_interval: "0.25s",
    resource_monitors: [
      {
        name: "envoy.resource_monitors.global_downstream_max_connections",
        typed_config: {
          "@type": `${monitors}.downstream_connections.v3.DownstreamConnectionsConfig`,
          max_active_downstream_connections: maxConnections,
        },
      },
      ...(maxHeapSize === undefined
        ? []
        : [
            {
              name: fixedHeap,
              typed_config: {
                "@type": `${monitors}.fixed_heap.v3.FixedHeapConfig`,
                max_heap_size_bytes: maxHeapSize,
              },
            },
          ]),
    ],
    ...(maxHeapSize !== undefined && {
      actions: [
        { name: "envoy.overload_actions.shrink_heap", triggers: [atHeap(0.9)] },
        { name: "envoy.overload_actions.stop_accepting_requests", triggers: [atHeap(0.97)] },
      ],
    }),
  };
}

const fixedHeap = "envoy.resource_monitors.fixed_heap";

function atHeap(value: number): object {
  return { name: fixedHeap, threshold: { value } };
}

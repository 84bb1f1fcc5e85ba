// Envoy without a controller: one static route, no filter but the router, no statistics, nothing normalised or said about the client. No gateway could be this, since it
// does next to nothing; it tells how many requests per second the same Envoy passes on here at best, in a Pod behind a load balancer like the others.

import { until } from "../../test/lab/processes.mjs";
import { backendAddresses, backendPort, namespace, services } from "./objects.mjs";

const name = "envoy-alone";
const port = 8080;
const typed = (type, value) => ({ "@type": `type.googleapis.com/${type}`, ...value });

const connectionManager = typed(
  "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
  {
    stat_prefix: "http",
    codec_type: "HTTP1",
    generate_request_id: false,
    stream_idle_timeout: "0s",
    http_filters: [
      {
        name: "envoy.filters.http.router",
        typed_config: typed("envoy.extensions.filters.http.router.v3.Router", {
          dynamic_stats: false,
          suppress_envoy_headers: true,
        }),
      },
    ],
    route_config: {
      virtual_hosts: [
        {
          name: "all",
          domains: ["*"],
          routes: [{ match: { prefix: "/" }, route: { cluster: "backend", timeout: "0s" } }],
        },
      ],
    },
  },
);

const socket = (address, number) => ({ socket_address: { address, port_value: number } });

const bootstrap = {
  static_resources: {
    listeners: [
      {
        name: "http",
        address: socket("0.0.0.0", port),
        filter_chains: [
          {
            filters: [
              { name: "envoy.filters.network.http_connection_manager", typed_config: connectionManager },
            ],
          },
        ],
      },
    ],
    clusters: [
      {
        name: "backend",
        type: "STATIC",
        load_assignment: {
          cluster_name: "backend",
          endpoints: [
            { lb_endpoints: [{ endpoint: { address: socket(backendAddresses[0], backendPort) } }] },
          ],
        },
      },
    ],
  },
  stats_config: { stats_matcher: { reject_all: true } },
};

const labels = { app: name };
const metadata = { name, namespace };
const pod = {
  containers: [
    {
      name: "envoy",
      image: "envoy",
      args: ["--config-path", "/config/bootstrap.json", "--service-cluster", `${namespace}/${name}`],
      volumeMounts: [{ name: "config", mountPath: "/config" }],
    },
  ],
  volumes: [{ name: "config", configMap: { name } }],
};
const manifests = [
  { apiVersion: "v1", kind: "ConfigMap", metadata, data: { "bootstrap.json": JSON.stringify(bootstrap) } },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 80, targetPort: port }] },
  },
];

/** `address`: asks for the one of its load balancer, once it has one. */
export const bareEnvoy = {
  contestant: "Envoy alone",
  name,
  settings: ["one static route"],
  async install(cluster) {
    for (const manifest of manifests) await cluster.apply(JSON.stringify(manifest));
  },
  address: (client) =>
    until(
      "the address of Envoy alone",
      async () => (await client.get(services, name, namespace))?.status?.loadBalancer?.ingress?.[0]?.ip,
      { seconds: 120, every: 100 },
    ),
};

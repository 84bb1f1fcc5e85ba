import type { NginxDescription, NginxListenerDescription } from "../drivers/index.ts";
import type { Metric } from "./admin/index.ts";

/** What the NGINX driver knows of its processes, for Prometheus. */
export function nginxMetrics({ listeners }: NginxDescription): readonly Metric[] {
  const each = (
    name: string,
    type: Metric["type"],
    help: string,
    valueOf: (listener: NginxListenerDescription) => number,
  ): Metric => ({
    name: `gatewright_${name}`,
    help,
    type,
    samples: listeners.map((listener) => ({
      labels: { gateway: listener.gateway, port: String(listener.port), protocol: listener.protocol },
      value: valueOf(listener),
    })),
  });
  return [
    each("listener_open", "gauge", "Whether the listener's port is open", ({ state }) =>
      state.type === "programmed" ? 1 : 0,
    ),
    each("connections", "gauge", "Connections that are open now", ({ connections }) => connections.active),
    each(
      "requests_total",
      "counter",
      "Requests that NGINX counted",
      ({ connections }) => connections.requests,
    ),
    each(
      "nginx_reloads_total",
      "counter",
      "Configurations that were loaded after the first",
      ({ reloads }) => reloads,
    ),
    each(
      "nginx_reload_successful",
      "gauge",
      "Whether NGINX took the last configuration",
      ({ lastRefusal }) => (lastRefusal === undefined ? 1 : 0),
    ),
    each(
      "nginx_restarts_total",
      "counter",
      "How often NGINX had died and was started again",
      ({ restarts }) => restarts,
    ),
  ];
}

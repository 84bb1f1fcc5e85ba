import type { HaproxyDescription } from "../drivers/index.ts";
import type { Metric } from "./admin/index.ts";

/** What the HAProxy driver knows of its processes, for Prometheus. */
export function haproxyMetrics(description: HaproxyDescription): readonly Metric[] {
  const { listeners, pid, starts, draining, connections } = description;
  const single = (name: string, type: Metric["type"], help: string, value: number): Metric => ({
    name: `gatewright_${name}`,
    help,
    type,
    samples: [{ value }],
  });
  return [
    single("haproxy_up", "gauge", "Whether HAProxy is running", pid === undefined ? 0 : 1),
    single(
      "haproxy_starts_total",
      "counter",
      "HAProxy processes that were started: the first, those that took over, and those after one had died",
      starts,
    ),
    single("haproxy_draining", "gauge", "Replaced processes that still have connections", draining),
    single("connections", "gauge", "Connections that are open now", connections),
    {
      name: "gatewright_listener_open",
      help: "Whether the listener's port is open",
      type: "gauge",
      samples: listeners.map(({ gateway, port, protocol, state }) => ({
        labels: { gateway, port: String(port), protocol },
        value: state.type === "programmed" ? 1 : 0,
      })),
    },
  ];
}

import type { EmbeddedDescription, ListenerDescription } from "../drivers/index.ts";
import type { Metric } from "./admin/index.ts";

/** What the embedded driver counts, for Prometheus. */
export function embeddedMetrics({ listeners }: EmbeddedDescription): readonly Metric[] {
  const perListener = (
    name: string,
    type: Metric["type"],
    help: string,
    valueOf: (listener: ListenerDescription) => number,
  ): Metric => ({
    name: `gatewright_${name}`,
    help,
    type,
    samples: listeners.map((listener) => ({ labels: labelsOf(listener), value: valueOf(listener) })),
  });
  return [
    perListener("listener_open", "gauge", "Whether the listener's port is open", ({ state }) =>
      state.type === "programmed" ? 1 : 0,
    ),
    perListener(
      "connections_total",
      "counter",
      "Connections accepted, or UDP sessions begun",
      ({ counters }) => counters.connections,
    ),
    perListener("connections", "gauge", "Connections that are open now", ({ counters }) => counters.active),
    perListener(
      "connections_refused_total",
      "counter",
      "Connections turned away at the limit",
      ({ counters }) => counters.refused,
    ),
    perListener(
      "handshake_failures_total",
      "counter",
      "TLS handshakes that failed, and server names that nobody serves",
      ({ counters }) => counters.handshakeFailures,
    ),
    perListener("received_bytes_total", "counter", "Bytes from clients", ({ counters }) => counters.bytesIn),
    perListener("sent_bytes_total", "counter", "Bytes to clients", ({ counters }) => counters.bytesOut),
  ];
}

function labelsOf({ gateway, port, protocol }: ListenerDescription): Record<string, string> {
  return { gateway, port: String(port), protocol };
}

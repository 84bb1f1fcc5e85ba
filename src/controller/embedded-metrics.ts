import type { EmbeddedDescription, ListenerDescription } from "../drivers/index.ts";
import type { Metric, Sample } from "./admin/index.ts";

/** What the embedded driver counts, for Prometheus. */
export function embeddedMetrics({ listeners, http }: EmbeddedDescription): readonly Metric[] {
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
  const single = (name: string, type: Metric["type"], help: string, value: number): Metric => ({
    name: `gatewright_${name}`,
    help,
    type,
    samples: [{ value }],
  });
  return [
    {
      name: "gatewright_requests_total",
      help: "Requests, by listener, route and class of the answer (none: the client was gone before there was one)",
      type: "counter",
      samples: requestSamples(http, new Map(listeners.map((listener) => [listener.key, labelsOf(listener)]))),
    },
    single("requests", "gauge", "Requests that are served now", http.activeRequests),
    single("retries_total", "counter", "Requests to backends that were tried again", http.retries),
    single("mirrored_requests_total", "counter", "Requests that were mirrored", http.mirrored),
    single(
      "abusive_connections_total",
      "counter",
      "Connections closed because of what the client did",
      http.abusiveConnections,
    ),
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

function requestSamples(
  { requests }: EmbeddedDescription["http"],
  labels: ReadonlyMap<string, Record<string, string>>,
): Sample[] {
  const samples: Sample[] = [];
  for (const [listener, routes] of requests) {
    for (const [route, counts] of routes) {
      for (const [digit, value] of counts.entries()) {
        const status = digit === 0 ? "none" : `${digit}xx`;
        if (value > 0) samples.push({ labels: { ...labels.get(listener), route, status }, value });
      }
    }
  }
  return samples;
}

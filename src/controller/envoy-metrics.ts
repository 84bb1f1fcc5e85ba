import type { FleetDescription } from "../drivers/envoy/index.ts";
import type { Metric, Sample } from "./admin/index.ts";

/** What is known of Envoys that are programmed from here, for Prometheus. Of requests they tell themselves. */
export function envoyMetrics(
  fleets: Iterable<readonly [labels: Readonly<Record<string, string>>, fleet: FleetDescription]>,
): readonly Metric[] {
  const all = [...fleets];
  const metric = (
    name: string,
    type: Metric["type"],
    help: string,
    samplesOf: (fleet: FleetDescription) => readonly Sample[],
  ): Metric => ({
    name: `gatewright_envoy_${name}`,
    help,
    type,
    samples: all.flatMap(([own, fleet]) =>
      samplesOf(fleet).map(({ labels, value }) => ({ labels: { ...own, ...labels }, value })),
    ),
  });
  const single = (
    name: string,
    type: Metric["type"],
    help: string,
    valueOf: (fleet: FleetDescription) => number,
  ) => metric(name, type, help, (fleet) => [{ value: valueOf(fleet) }]);
  return [
    metric(
      "proxies",
      "gauge",
      "Proxies that are connected: with their first full configuration, on their way to it, or about to end",
      ({ proxies, joining, draining }) => [
        { labels: { state: "programmed" }, value: proxies.length },
        { labels: { state: "joining" }, value: joining },
        { labels: { state: "draining" }, value: draining },
      ],
    ),
    metric("resources", "gauge", "Resources that proxies are to have, by type", ({ resources }) =>
      Object.entries(resources).map(([type, value]) => ({
        labels: { type: type.slice(type.lastIndexOf(".") + 1) },
        value,
      })),
    ),
    single("responses_total", "counter", "Responses that were sent to proxies", ({ sent }) => sent.responses),
    single("response_bytes_total", "counter", "Bytes of these responses", ({ sent }) => sent.bytes),
    single("sent_resources_total", "counter", "Resources in these responses", ({ sent }) => sent.resources),
    single("refusals_total", "counter", "Resources that a proxy has refused", ({ sent }) => sent.refusals),
    single(
      "refused_items",
      "gauge",
      "Items of the model that are refused at present",
      ({ refused }) => refused,
    ),
  ];
}

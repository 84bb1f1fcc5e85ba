import type { FleetDescription } from "../drivers/envoy/index.ts";
import type { Metric } from "./admin/index.ts";

/** What is known of Envoys that are programmed from here, for Prometheus. Of requests they tell themselves. */
export function envoyMetrics({
  proxies,
  joining,
  resources,
  sent,
  refused,
}: FleetDescription): readonly Metric[] {
  const single = (name: string, type: Metric["type"], help: string, value: number): Metric => ({
    name: `gatewright_envoy_${name}`,
    help,
    type,
    samples: [{ value }],
  });
  return [
    {
      name: "gatewright_envoy_proxies",
      help: "Proxies that are connected, by whether they have had their first full configuration",
      type: "gauge",
      samples: [
        { labels: { state: "programmed" }, value: proxies.length },
        { labels: { state: "joining" }, value: joining },
      ],
    },
    {
      name: "gatewright_envoy_resources",
      help: "Resources that proxies are to have, by type",
      type: "gauge",
      samples: Object.entries(resources).map(([type, value]) => ({
        labels: { type: type.slice(type.lastIndexOf(".") + 1) },
        value,
      })),
    },
    single("responses_total", "counter", "Responses that were sent to proxies", sent.responses),
    single("response_bytes_total", "counter", "Bytes of these responses", sent.bytes),
    single("sent_resources_total", "counter", "Resources in these responses", sent.resources),
    single("refusals_total", "counter", "Resources that a proxy has refused", sent.refusals),
    single("refused_items", "gauge", "Items of the model that are refused at present", refused),
  ];
}

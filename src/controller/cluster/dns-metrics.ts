/** What the operator counts of names. */
import type { DnsCounts } from "../../operator/index.ts";
import type { Metric } from "../admin/index.ts";

export function dnsMetrics(counts: DnsCounts | undefined): readonly Metric[] {
  if (!counts) return [];
  return [
    {
      name: "gatewright_dns_provider_calls_total",
      help: "Calls of the DNS provider, by what was asked and what came of it",
      type: "counter",
      samples: counts.calls.map(({ call, count }) => ({ labels: { ...call }, value: count })),
    },
    {
      name: "gatewright_dns_record_zones",
      help: "DNSRecords in zones, by the reason of Published",
      type: "gauge",
      samples: Array.from(counts.zones, ([reason, value]) => ({ labels: { reason }, value })),
    },
  ];
}

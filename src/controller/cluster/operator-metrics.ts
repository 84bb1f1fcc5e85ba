/** The operator's numbers for Prometheus. */
import { telemetryMetrics, type OperatorNumbers } from "../../operator/index.ts";
import type { Metric } from "../admin/index.ts";

export function operatorMetrics({
  isLeader,
  conditions,
  written,
  failures,
  gateways,
  hasOrphan,
}: OperatorNumbers): readonly Metric[] {
  const leads: Metric = {
    name: "gatewright_operator_leads",
    help: "1 if this replica looks after the platform",
    type: "gauge",
    samples: [{ value: isLeader ? 1 : 0 }],
  };
  if (!isLeader) return [leads];
  const statuses = ["True", "False", "Unknown"] as const;
  return [
    leads,
    {
      name: "gatewright_operator_condition",
      help: "1 for the status that a condition of the platform has",
      type: "gauge",
      samples: conditions.flatMap(({ type, status }) =>
        statuses.map((one) => ({ labels: { type, status: one }, value: status === one ? 1 : 0 })),
      ),
    },
    {
      name: "gatewright_operator_written_total",
      help: "Objects that were made or put right, by kind",
      type: "counter",
      samples: Array.from(written, ([kind, value]) => ({ labels: { kind }, value })),
    },
    {
      name: "gatewright_operator_failures_total",
      help: "Objects that could not be made or put right",
      type: "counter",
      samples: [{ value: failures }],
    },
    ...(gateways
      ? [
          {
            name: telemetryMetrics.gateways,
            help: "Gateways, by whose class it is",
            type: "gauge" as const,
            samples: Object.entries(gateways).map(([type, value]) => ({
              labels: { gateway_class_type: type },
              value,
            })),
          },
        ]
      : []),
    ...(hasOrphan === undefined
      ? []
      : [
          {
            name: telemetryMetrics.orphan,
            help: "1 if a mesh that is installed without OLM has left its Subscription behind",
            type: "gauge" as const,
            samples: [{ value: hasOrphan ? 1 : 0 }],
          },
        ]),
  ];
}

import { describe, expect, it } from "vitest";
import { operatorMetrics } from "./operator-metrics.ts";

const numbers = {
  isLeader: true,
  conditions: [{ type: "Degraded", status: "False", reason: "AsExpected", message: "" }],
  written: new Map([["ClusterRole", 2]]),
  failures: 1,
} as const;
const samplesOf = (name: string, given: Parameters<typeof operatorMetrics>[0]) =>
  operatorMetrics(given).find((metric) => metric.name === name)?.samples;

describe("the operator's metrics", () => {
  it("are those of the replica that leads", () => {
    expect(operatorMetrics({ ...numbers, isLeader: false }).map(({ name }) => name)).toEqual([
      "gatewright_operator_leads",
    ]);
    expect(samplesOf("gatewright_operator_condition", numbers)).toContainEqual({
      labels: { type: "Degraded", status: "False" },
      value: 1,
    });
    expect(samplesOf("gatewright_operator_written_total", numbers)).toEqual([
      { labels: { kind: "ClusterRole" }, value: 2 },
    ]);
    expect(samplesOf("gatewright_operator_failures_total", numbers)).toEqual([{ value: 1 }]);
  });

  it("1.5.9, 1.11.4: of a mesh and its Gateways are there where there may be one", () => {
    const orphan = "ingress_operator_orphaned_ossm_subscription";
    expect(samplesOf(orphan, numbers)).toBeUndefined();
    expect(samplesOf(orphan, { ...numbers, hasOrphan: true })).toEqual([{ value: 1 }]);
    const gateways = { openshift: 2, "not-openshift": 1 };
    expect(samplesOf("gatewright_operator_gateways", { ...numbers, gateways })).toEqual([
      { labels: { gateway_class_type: "openshift" }, value: 2 },
      { labels: { gateway_class_type: "not-openshift" }, value: 1 },
    ]);
  });
});

/** What OpenShift's monitoring makes of our numbers: a rule for its telemetry, and an alert. */
import type { KubernetesObject } from "../kubernetes/index.ts";
import type { KeptObject } from "./kept-objects.ts";
import { prometheusRules } from "./resource-types.ts";

export const telemetryMetrics = {
  gateways: "gatewright_operator_gateways",
  orphan: "ingress_operator_orphaned_ossm_subscription",
} as const;

/** By whose class it is. */
export type GatewayUsage = Readonly<Record<"openshift" | "not-openshift", number>>;

export function countGateways(
  gateways: readonly KubernetesObject[],
  classes: ReadonlyMap<string, KubernetesObject>,
  controllerName: string,
): GatewayUsage {
  const own = gateways.filter(({ spec }) => {
    const { gatewayClassName = "" } = (spec ?? {}) as { readonly gatewayClassName?: string };
    const ofClass = classes.get(gatewayClassName)?.["spec"] as
      { readonly controllerName?: string } | undefined;
    return ofClass?.controllerName === controllerName;
  });
  return { openshift: own.length, "not-openshift": gateways.length - own.length };
}

/** Only the replica that leads has numbers; the one before it may be asked once more. */
export const telemetryRules: KeptObject = {
  type: prometheusRules,
  fields: ["spec"],
  // A cluster may be without monitoring.
  comesLater: true,
  object: {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "gateway-api", namespace: "openshift-ingress-operator" },
    spec: {
      groups: [
        {
          name: "openshift-gateway-api.rules",
          rules: [
            {
              record: "openshift:gateway_api_usage:count",
              expr: `max by (gateway_class_type) (${telemetryMetrics.gateways})`,
            },
            {
              alert: "OrphanedOSSMSubscription",
              expr: `max(${telemetryMetrics.orphan}) > 0`,
              for: "1h",
              labels: { severity: "info" },
              annotations: {
                summary: "The Subscription of a service mesh is left over.",
                description:
                  "The mesh of the Gateway API is installed without OLM, and the Subscription that installed it before is still there. Delete it if nobody else needs its operator; ClusterOperator ingress names it.",
              },
            },
          ],
        },
      ],
    },
  },
};

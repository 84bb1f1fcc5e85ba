import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { apiVersion, autoscalers, deployments } from "./resource-types.ts";

export function renderAutoscaler(fleet: Fleet, names: FleetNames): KubernetesObject | undefined {
  const { autoscaling } = fleet.settings;
  if (!autoscaling) return undefined;
  return renderObject(autoscalers, fleet, names, {
    spec: {
      scaleTargetRef: {
        apiVersion: apiVersion(deployments),
        kind: deployments.kind,
        name: names.name(fleet),
      },
      minReplicas: autoscaling.minReplicas,
      maxReplicas: autoscaling.maxReplicas,
      metrics: [
        {
          type: "Resource",
          resource: {
            name: "cpu",
            target: { type: "Utilization", averageUtilization: autoscaling.targetCPUUtilization },
          },
        },
      ],
    },
  });
}

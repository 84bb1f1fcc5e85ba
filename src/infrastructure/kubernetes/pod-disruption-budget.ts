import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { disruptionBudgets } from "./resource-types.ts";

/** One Pod at a time may be evicted. With a single one a budget would only block the draining of its node. */
export function renderPodDisruptionBudget(fleet: Fleet, names: FleetNames): KubernetesObject | undefined {
  const { replicas, autoscaling } = fleet.settings;
  if ((autoscaling?.minReplicas ?? replicas ?? 1) < 2) return undefined;
  return renderObject(disruptionBudgets, fleet, names, {
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: names.selector(fleet) },
      // A Pod that never became ready serves nobody and must not block a drain.
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  });
}

import type { KubernetesObject, ResourceType } from "../../kubernetes/index.ts";
import { renderBootstrapConfigMap } from "./bootstrap-config-map.ts";
import { renderDeployment } from "./deployment.ts";
import { renderEnvoyFiles } from "./envoy-files.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderAutoscaler } from "./horizontal-pod-autoscaler.ts";
import { renderNetworkPolicy } from "./network-policy.ts";
import { renderPodDisruptionBudget } from "./pod-disruption-budget.ts";
import type { ContainerContext } from "./proxy-container.ts";
import {
  autoscalers,
  configMaps,
  deployments,
  disruptionBudgets,
  networkPolicies,
  serviceAccounts,
  services,
} from "./resource-types.ts";
import { renderServiceAccount } from "./service-account.ts";
import { renderService } from "./service.ts";

export interface RenderContext extends ContainerContext {
  readonly names: FleetNames;
  readonly networkPolicy: boolean;
}

export interface WantedObject {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

/** All objects of a fleet but the channel's Secret, in the order in which to make them. */
export function renderFleet(
  fleet: Fleet,
  context: RenderContext,
  heldReplicas?: number,
): readonly WantedObject[] {
  const { names } = context;
  const { channel } = context;
  const tellsReadiness = names.readiness !== undefined;
  const bootstrap =
    fleet.driver === "envoy" ? renderEnvoyFiles(fleet, { channel, tellsReadiness }) : undefined;
  const wanted: readonly (readonly [ResourceType, KubernetesObject | undefined])[] = [
    [serviceAccounts, renderServiceAccount(fleet, names)],
    [configMaps, bootstrap === undefined ? undefined : renderBootstrapConfigMap(fleet, names, bootstrap)],
    [networkPolicies, context.networkPolicy ? renderNetworkPolicy(fleet, names) : undefined],
    [services, renderService(fleet, names)],
    [deployments, renderDeployment(fleet, names, { ...context, bootstrap, heldReplicas })],
    [disruptionBudgets, renderPodDisruptionBudget(fleet, names)],
    [autoscalers, renderAutoscaler(fleet, names)],
  ];
  return wanted.flatMap(([type, object]) => (object ? [{ type, object }] : []));
}

import type { ResourceType } from "../../kubernetes/index.ts";

const type = (group: string, version: string, kind: string, plural: string): ResourceType => ({
  group,
  version,
  kind,
  plural,
  namespaced: true,
});

export const serviceAccounts = type("", "v1", "ServiceAccount", "serviceaccounts");
export const configMaps = type("", "v1", "ConfigMap", "configmaps");
export const secrets = type("", "v1", "Secret", "secrets");
export const services = type("", "v1", "Service", "services");
export const pods = type("", "v1", "Pod", "pods");
export const deployments = type("apps", "v1", "Deployment", "deployments");
export const disruptionBudgets = type("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets");
export const autoscalers = type("autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers");
export const networkPolicies = type("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies");
export const gateways = type("gateway.networking.k8s.io", "v1", "Gateway", "gateways");
export const gatewayClasses: ResourceType = {
  ...type("gateway.networking.k8s.io", "v1", "GatewayClass", "gatewayclasses"),
  namespaced: false,
};

/** What a fleet may consist of, in the order in which it is made: what a Pod needs comes before the Deployment. */
export const fleetTypes: readonly ResourceType[] = [
  serviceAccounts,
  configMaps,
  secrets,
  networkPolicies,
  services,
  deployments,
  disruptionBudgets,
  autoscalers,
];

export const apiVersion = ({ group, version }: ResourceType) =>
  group === "" ? version : `${group}/${version}`;

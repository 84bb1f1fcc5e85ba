/** The kinds that the operator reads and writes. */
import type { ResourceType } from "../kubernetes/index.ts";
import { platformKind } from "../resources/index.ts";

const cluster = (group: string, version: string, plural: string, kind: string): ResourceType => ({
  group,
  version,
  plural,
  kind,
  namespaced: false,
});

const inNamespaces = (group: string, version: string, plural: string, kind: string): ResourceType => ({
  ...cluster(group, version, plural, kind),
  namespaced: true,
});

export const platforms: ResourceType = platformKind;
export const customResourceDefinitions = cluster(
  "apiextensions.k8s.io",
  "v1",
  "customresourcedefinitions",
  "CustomResourceDefinition",
);
export const admissionPolicies = cluster(
  "admissionregistration.k8s.io",
  "v1",
  "validatingadmissionpolicies",
  "ValidatingAdmissionPolicy",
);
export const admissionPolicyBindings = cluster(
  "admissionregistration.k8s.io",
  "v1",
  "validatingadmissionpolicybindings",
  "ValidatingAdmissionPolicyBinding",
);
export const clusterRoles = cluster("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole");
export const configMaps: ResourceType = {
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};
export const featureGates = cluster("config.openshift.io", "v1", "featuregates", "FeatureGate");
export const clusterOperators = cluster("config.openshift.io", "v1", "clusteroperators", "ClusterOperator");
export const ingressOperators = cluster("operator.openshift.io", "v1alpha1", "ingresses", "Ingress");
export const gatewayClasses = cluster("gateway.networking.k8s.io", "v1", "gatewayclasses", "GatewayClass");
export const clusterProxies = cluster("config.openshift.io", "v1", "proxies", "Proxy");
export const clusterInfrastructures = cluster(
  "config.openshift.io",
  "v1",
  "infrastructures",
  "Infrastructure",
);
export const istios = cluster("sailoperator.io", "v1", "istios", "Istio");
export const serviceMeshControlPlanes = inNamespaces(
  "maistra.io",
  "v2",
  "servicemeshcontrolplanes",
  "ServiceMeshControlPlane",
);
export const subscriptions = inNamespaces(
  "operators.coreos.com",
  "v1alpha1",
  "subscriptions",
  "Subscription",
);
export const installPlans = inNamespaces("operators.coreos.com", "v1alpha1", "installplans", "InstallPlan");

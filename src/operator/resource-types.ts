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
export const secrets: ResourceType = { ...configMaps, plural: "secrets", kind: "Secret" };
export const services: ResourceType = { ...configMaps, plural: "services", kind: "Service" };
export const events: ResourceType = { ...configMaps, plural: "events", kind: "Event" };
export const namespaces: ResourceType = {
  ...configMaps,
  plural: "namespaces",
  kind: "Namespace",
  namespaced: false,
};
export const gateways = inNamespaces("gateway.networking.k8s.io", "v1", "gateways", "Gateway");
export const listenerSets = inNamespaces("gateway.networking.k8s.io", "v1", "listenersets", "ListenerSet");
export const clusterDnses = cluster("config.openshift.io", "v1", "dnses", "DNS");
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
export const networkPolicies = inNamespaces("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy");
export const prometheusRules = inNamespaces(
  "monitoring.coreos.com",
  "v1",
  "prometheusrules",
  "PrometheusRule",
);
export const istios = cluster("sailoperator.io", "v1", "istios", "Istio");
export const istioRevisions = cluster("sailoperator.io", "v1", "istiorevisions", "IstioRevision");
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

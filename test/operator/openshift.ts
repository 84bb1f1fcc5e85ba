// The kinds of OpenShift, OLM and its mesh, as far as they matter to the operator. None of their schemas is to be had here, so that they take everything.

import type { KubernetesObject, ResourceType } from "../../src/kubernetes/index.ts";
import type { Condition } from "../../src/status/index.ts";
import { until, type Lab } from "../lab/lab.ts";
import { crdType, shortly } from "./platform.ts";

export const kindOf = (
  group: string,
  version: string,
  plural: string,
  kind: string,
  namespaced = false,
): ResourceType => ({ group, version, plural, kind, namespaced });

const config = (plural: string, kind: string) => kindOf("config.openshift.io", "v1", plural, kind);
const olm = (plural: string, kind: string) => kindOf("operators.coreos.com", "v1alpha1", plural, kind, true);

export const openshift = {
  featureGates: config("featuregates", "FeatureGate"),
  clusterOperators: config("clusteroperators", "ClusterOperator"),
  ingresses: kindOf("operator.openshift.io", "v1alpha1", "ingresses", "Ingress"),
  proxies: config("proxies", "Proxy"),
  infrastructures: config("infrastructures", "Infrastructure"),
  subscriptions: olm("subscriptions", "Subscription"),
  installPlans: olm("installplans", "InstallPlan"),
  controlPlanes: kindOf("maistra.io", "v2", "servicemeshcontrolplanes", "ServiceMeshControlPlane", true),
  istios: kindOf("sailoperator.io", "v1", "istios", "Istio"),
  istioRevisions: kindOf("sailoperator.io", "v1", "istiorevisions", "IstioRevision"),
  prometheusRules: kindOf("monitoring.coreos.com", "v1", "prometheusrules", "PrometheusRule", true),
  classes: kindOf("gateway.networking.k8s.io", "v1", "gatewayclasses", "GatewayClass"),
};

export const controllerNames = {
  proposal: "openshift.io/gateway-controller",
  shipped: "openshift.io/gateway-controller/v1",
} as const;

/** A CRD that takes everything. */
export function openCrd(
  { group, version, plural, kind, namespaced }: ResourceType,
  hasStatus = false,
): KubernetesObject {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: { "api-approved.kubernetes.io": "https://example.com" },
    },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { plural, kind },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(hasStatus && { subresources: { status: {} } }),
          schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
        },
      ],
    },
  };
}

/** Those of the platform, with a status of their own, and those that are named, which anybody may write as a whole. */
export async function installOpenshift(lab: Lab, more: readonly ResourceType[] = []): Promise<void> {
  const { featureGates, clusterOperators, ingresses } = openshift;
  for (const type of [featureGates, clusterOperators, ingresses]) {
    await lab.client.create(crdType, openCrd(type, true));
  }
  for (const type of more) await lab.client.create(crdType, openCrd(type));
  await lab.kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
}

/** In FeatureGate cluster, as the platform lists them. */
export async function setGates(
  lab: Lab,
  gates: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] },
): Promise<void> {
  const { featureGates } = openshift;
  const named = (names: readonly string[] = []) => names.map((name) => ({ name }));
  await lab.client.apply(featureGates, {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
    spec: { featureSet: "" },
  });
  const lists = { version: "4.19", enabled: named(gates.enabled), disabled: named(gates.disabled) };
  const status = { featureGates: [lists] };
  await lab.client.patch(featureGates, "cluster", undefined, { status }, { subresource: "status" });
}

/** ClusterOperator ingress says so; resolves to the message. */
export async function operatorSays(lab: Lab, wanted: string): Promise<string> {
  const [type] = wanted.split("=");
  const found = await until(wanted, async () => {
    const status = (await lab.client.get(openshift.clusterOperators, "ingress"))?.["status"] as
      { conditions?: Condition[] } | undefined;
    const conditions = status?.conditions ?? [];
    return shortly(conditions, type ?? "") === wanted
      ? conditions.find((condition) => condition.type === type)
      : undefined;
  });
  return found.message;
}

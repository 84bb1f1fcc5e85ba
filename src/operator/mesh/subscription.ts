/** The OLM Subscription that brings the mesh's operator, which of those in the cluster is ours, and which plan of it may be carried out. */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { KeptObject } from "../kept-objects.ts";
import type { Compat } from "../profile-names.ts";
import { subscriptions } from "../resource-types.ts";
import type { MeshSettings } from "./mesh-settings.ts";

export const olmNamespace = "openshift-operators";
const owned = "ingress.operator.openshift.io/owned";

interface SubscriptionFields {
  readonly spec?: { readonly name?: string; readonly startingCSV?: string };
  readonly status?: { readonly installedCSV?: string };
}

export function packageOf(compat: Compat): string {
  return compat === "shipped" ? "servicemeshoperator3" : "servicemeshoperator";
}

export function meshSubscription(compat: Compat, { catalog, channel, version }: MeshSettings): KeptObject {
  const name = packageOf(compat);
  return {
    type: subscriptions,
    fields: ["spec"],
    object: {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "Subscription",
      metadata: { name, namespace: olmNamespace, annotations: { [owned]: "" } },
      spec: {
        channel,
        name,
        source: catalog,
        sourceNamespace: "openshift-marketplace",
        config: {
          resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: {} },
          annotations: {
            "openshift.io/required-scc": "restricted-v2",
            "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}',
          },
        },
        ...(compat === "shipped"
          ? { installPlanApproval: "Manual", startingCSV: version }
          : { installPlanApproval: "Automatic" }),
      },
    },
  };
}

/** Ours has its own name and place, and says so: what says so elsewhere is not. */
export function isOurs({ metadata }: KubernetesObject, compat: Compat): boolean {
  return (
    metadata.name === packageOf(compat) &&
    metadata.namespace === olmNamespace &&
    Object.hasOwn(metadata.annotations ?? {}, owned)
  );
}

export interface ForeignInstalls {
  /** The package is there already, by somebody else's Subscription. */
  readonly isThere: boolean;
  readonly conflicts: readonly string[];
  readonly warnings: readonly string[];
}

export function judgeForeign(
  all: readonly KubernetesObject[],
  compat: Compat,
  { version }: MeshSettings,
): ForeignInstalls {
  const foreign = all.filter((one) => !isOurs(one, compat));
  const found = (one: KubernetesObject) =>
    `package ${packageIn(one)} is subscribed to by ${one.metadata.namespace}/${one.metadata.name}`;
  const ours = foreign.filter((one) => packageIn(one) === packageOf(compat));
  const rivals = foreign.filter((one) => rivalsOf[compat].includes(packageIn(one)));
  const isOlder = (one: KubernetesObject) => compat === "shipped" && compareVersions(csvOf(one), version) < 0;
  return {
    isThere: ours.length > 0,
    conflicts: [...rivals, ...ours.filter(isOlder)].map(found).toSorted(),
    warnings:
      compat === "shipped"
        ? ours
            .filter((one) => !isOlder(one))
            .map(found)
            .toSorted()
        : [],
  };
}

const rivalsOf: Readonly<Record<Compat, readonly string[]>> = {
  proposal: ["sailoperator"],
  shipped: ["servicemeshoperator", "sailoperator"],
};

function packageIn(subscription: KubernetesObject): string {
  return (subscription as SubscriptionFields).spec?.name ?? "";
}

function csvOf(subscription: KubernetesObject): string {
  const { spec, status } = subscription as SubscriptionFields;
  return status?.installedCSV ?? spec?.startingCSV ?? "";
}

/** Of `name.v3.4.1`; one without a version is older than all. */
function compareVersions(a: string, b: string): number {
  const parts = (csv: string) => (/[.]v(\d+)[.](\d+)[.](\d+)/.exec(csv) ?? []).slice(1).map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? -1) - (right[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface PlanFields {
  readonly spec?: { readonly approved?: boolean; readonly clusterServiceVersionNames?: readonly string[] };
  readonly status?: { readonly phase?: string };
}

/** The newest plan of our own Subscription that waits and brings what we want. */
export function planToApprove(
  plans: readonly KubernetesObject[],
  subscriptionUid: string,
  version: string,
): KubernetesObject | undefined {
  return plans
    .filter((plan) => {
      const { spec, status } = plan as PlanFields;
      return (
        (plan.metadata.ownerReferences ?? []).some(({ uid }) => uid === subscriptionUid) &&
        status?.phase === "RequiresApproval" &&
        spec?.approved !== true &&
        (spec?.clusterServiceVersionNames ?? []).includes(version)
      );
    })
    .toSorted((a, b) => (time(a) < time(b) ? 1 : -1))[0];
}

const time = ({ metadata }: KubernetesObject) => `${metadata.creationTimestamp ?? ""} ${metadata.name}`;

import type { KubernetesObject, ObjectMeta, ResourceType } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import { managedByLabel, managedByValue, type FleetNames } from "./fleet-names.ts";
import { apiVersion, gateways } from "./resource-types.ts";

/** Name of the Gateway, whole; a label has no room for every name. */
export const gatewayAnnotation = "gatewright.dev/gateway";
/** Which controller made the object: several may share a cluster. */
export const controllerAnnotation = "gatewright.dev/controller";

/** The object's beginning: names, labels, and the Gateway as the owner, so that nothing outlives it. One that nobody wrote owns nothing. */
export function renderObject(
  type: ResourceType,
  fleet: Fleet,
  names: FleetNames,
  more: {
    readonly name?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  } = {},
): KubernetesObject {
  const { name = names.name(fleet), annotations = {}, ...content } = more;
  const metadata: ObjectMeta = {
    name,
    namespace: fleet.namespace,
    labels: renderLabels(fleet, names),
    annotations: renderAnnotations(fleet, annotations),
    ...(fleet.uid !== "" && {
      ownerReferences: [
        {
          apiVersion: apiVersion(gateways),
          kind: gateways.kind,
          name: fleet.name,
          uid: fleet.uid,
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    }),
  };
  return { apiVersion: apiVersion(type), kind: type.kind, metadata, ...content };
}

/** The Gateway's own wishes give way to what the objects are found by. */
export function renderLabels(fleet: Fleet, names: FleetNames): Readonly<Record<string, string>> {
  return sorted({
    ...permitted(fleet.labels, reservedLabel),
    ...names.labels(fleet),
    ...names.selector(fleet),
    [managedByLabel]: managedByValue,
  });
}

export function renderAnnotations(
  fleet: Fleet,
  less: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return sorted({
    ...permitted(less, reservedAnnotation),
    ...permitted(fleet.annotations, reservedAnnotation),
    [gatewayAnnotation]: fleet.name,
    [controllerAnnotation]: fleet.controllerName,
  });
}

/** Sentences about labels and annotations of `spec.infrastructure` that are not carried over. */
export function infrastructureNotes(fleet: Fleet): readonly string[] {
  const left = (field: string, entries: object, reserved: RegExp) =>
    Object.keys(entries)
      .filter((key) => reserved.test(key))
      .toSorted()
      .map((key) => `spec.infrastructure.${field}: ${key} is reserved and was left out; use another key`);
  return [
    ...left("labels", fleet.labels, reservedLabel),
    ...left("annotations", fleet.annotations, reservedAnnotation),
  ];
}

// What the objects are found by, what belongs to the cluster, and what gets a Pod an identity at a cloud.
const reservedLabel = startingWith(
  String.raw`([a-z0-9.-]+\.)?gatewright\.dev/`,
  String.raw`gateway\.networking\.k8s\.io/`,
  String.raw`app\.kubernetes\.io/(managed-by|name|component|instance)$`,
  "pod-template-hash$",
  String.raw`azure\.workload\.identity/`,
);
// Ours, and those which take a Pod's confinement away, tie it into other networks or get it an identity at a cloud.
const reservedAnnotation = startingWith(
  String.raw`([a-z0-9.-]+\.)?gatewright\.dev/`,
  String.raw`kubectl\.kubernetes\.io/last-applied-configuration$`,
  String.raw`deployment\.kubernetes\.io/`,
  String.raw`container\.apparmor\.security\.beta\.kubernetes\.io/`,
  String.raw`(container\.)?seccomp\.security\.alpha\.kubernetes\.io/`,
  String.raw`io\.kubernetes\.cri-o\.`,
  String.raw`io\.katacontainers\.`,
  String.raw`cdi\.k8s\.io/`,
  String.raw`([a-z0-9-]+\.)?nri\.io/`,
  String.raw`k8s\.v1\.cni\.cncf\.io/`,
  String.raw`v1\.multus-cni\.io/`,
  String.raw`cni\.projectcalico\.org/`,
  String.raw`k8s\.ovn\.org/`,
  String.raw`ovn\.kubernetes\.io/`,
  String.raw`(iam|eks)\.amazonaws\.com/`,
  String.raw`iam\.gke\.io/`,
  String.raw`azure\.workload\.identity/`,
);

function startingWith(...expressions: readonly string[]): RegExp {
  return new RegExp(`^(${expressions.join("|")})`);
}

function permitted(entries: Readonly<Record<string, string>>, reserved: RegExp) {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !reserved.test(key)));
}

function sorted(entries: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

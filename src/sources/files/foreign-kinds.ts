import { nearest } from "../../resources/index.ts";

/**
 * Kinds that are not ours to read. Rendered charts are full of them: what Kubernetes itself has is passed over without
 * a word; of any other kind the user is told once that it has no effect here.
 */
export interface ForeignKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly suggestion: string | undefined;
  /** Of the Gateway API, or so close to a kind of ours that it may be one, misspelt. */
  readonly mayBeOurs: boolean;
}

/** What is worth saying about a kind that is not read; undefined: nothing. */
export function judgeForeignKind(unknown: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly suggestion?: string;
}): ForeignKind | undefined {
  const { apiVersion, kind, suggestion } = unknown;
  const group = groupOf(apiVersion);
  const moved = movedKinds.get(`${group} ${kind}`);
  if (moved !== undefined) return { apiVersion, kind, suggestion: moved, mayBeOurs: true };
  if (kubernetesGroups.has(group) || kubernetesKinds.get(group)?.has(kind) === true) return undefined;
  // A kind of the same name in quite another group, as Istio's Gateway, is no mistake.
  const isMisspelt = suggestion !== undefined && nearest(group, [groupOf(suggestion)]) !== undefined;
  const mayBeOurs = gatewayGroups.has(group) || isMisspelt;
  return { apiVersion, kind, suggestion, mayBeOurs };
}

/** `v1 Servic is not a kind that Gatewright reads (did you mean v1 Service?)` */
export function describeForeignKind({ apiVersion, kind, suggestion }: ForeignKind): string {
  const hint = suggestion === undefined ? "" : ` (did you mean ${suggestion}?)`;
  return `${apiVersion} ${kind} is not a kind that Gatewright reads${hint}`;
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** Whoever writes an object of these wants it to be read. */
const gatewayGroups: ReadonlySet<string> = new Set([
  "gateway.networking.k8s.io",
  "gateway.networking.x-k8s.io",
]);

/** Kinds of ours that were in another group of Kubernetes before. */
const movedKinds: ReadonlyMap<string, string> = new Map([
  ["extensions Ingress", "networking.k8s.io/v1 Ingress"],
]);

/** Kubernetes' groups of which we read no kind. */
const kubernetesGroups: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "apps",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "events.k8s.io",
  "extensions",
  "flowcontrol.apiserver.k8s.io",
  "internal.apiserver.k8s.io",
  "kustomize.config.k8s.io",
  "metrics.k8s.io",
  "node.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
  "storagemigration.k8s.io",
]);

/** The kinds of the groups of which we read some, so that a kind which is not here may be a mistake. */
const kubernetesKinds: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "",
    new Set([
      "Binding",
      "ComponentStatus",
      "Endpoints",
      "Event",
      "LimitRange",
      "Node",
      "PersistentVolume",
      "PersistentVolumeClaim",
      "Pod",
      "PodTemplate",
      "ReplicationController",
      "ResourceQuota",
      "ServiceAccount",
    ]),
  ],
  ["networking.k8s.io", new Set(["IPAddress", "NetworkPolicy", "ServiceCIDR"])],
]);

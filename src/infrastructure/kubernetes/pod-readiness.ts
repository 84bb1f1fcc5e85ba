import type { KubernetesObject } from "../../kubernetes/index.ts";

interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface ContainerStatus {
  readonly name: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
  };
}

export function isEnding({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isReady(pod: KubernetesObject): boolean {
  return !isEnding(pod) && conditionOf(pod, "Ready")?.status === "True";
}

/** Why no Pod of a fleet takes traffic, in the words of whoever knows. */
export function waitingReason(pods: readonly KubernetesObject[]): string {
  const living = pods
    .filter((pod) => !isEnding(pod))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const told = living.flatMap((pod) => reasonOf(pod) ?? [])[0];
  if (told !== undefined) return told;
  return living.length === 0 ? "no Pod has been started yet" : "no Pod is ready yet";
}

function reasonOf(pod: KubernetesObject): string | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = statusOf(pod);
  for (const { name, state } of [...initContainerStatuses, ...containerStatuses]) {
    const { waiting, terminated } = state ?? {};
    // Every container starts with these.
    const isUsual = waiting?.reason === "ContainerCreating" || waiting?.reason === "PodInitializing";
    if (waiting && !isUsual) return about(pod, `container ${name}`, waiting.reason, waiting.message);
    if (terminated && terminated.exitCode !== 0)
      return about(pod, `container ${name}`, terminated.reason, `exit code ${terminated.exitCode}`);
  }
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled?.status === "False") return about(pod, "", scheduled.reason, scheduled.message);
  return undefined;
}

function about(
  { metadata }: KubernetesObject,
  what: string,
  reason: string | undefined,
  message: string | undefined,
): string {
  const where = [`Pod ${metadata.namespace}/${metadata.name}`, what].filter(Boolean).join(", ");
  return `${where}: ${[reason, message].filter(Boolean).join(": ")}`;
}

function conditionOf(object: KubernetesObject, type: string): Condition | undefined {
  return statusOf(object).conditions?.find((condition) => condition.type === type);
}

/** The Deployment's words if it may not make Pods: a quota, an admission policy. */
export function replicaFailure(deployment: KubernetesObject | undefined): string | undefined {
  const failure = deployment && conditionOf(deployment, "ReplicaFailure");
  return failure?.status === "True" ? (failure.message ?? failure.reason) : undefined;
}

const statusOf = (object: KubernetesObject) => (object["status"] ?? {}) as PodStatus;

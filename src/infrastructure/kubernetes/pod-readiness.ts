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
    readonly terminated?: Terminated;
  };
  readonly lastState?: { readonly terminated?: Terminated };
}

interface Terminated {
  readonly reason?: string;
  readonly exitCode?: number;
  /** The end of the log, if the container failed. */
  readonly message?: string;
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
  for (const { name, state, lastState } of [...initContainerStatuses, ...containerStatuses]) {
    const { waiting, terminated } = state ?? {};
    // Every container starts with these.
    const isUsual = waiting?.reason === "ContainerCreating" || waiting?.reason === "PodInitializing";
    const before = lastState?.terminated && endOf(lastState.terminated);
    if (waiting && !isUsual) return about(pod, name, waiting.reason, waiting.message, before);
    if (terminated && terminated.exitCode !== 0) return about(pod, name, endOf(terminated));
  }
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled?.status === "False") return about(pod, undefined, scheduled.reason, scheduled.message);
  return undefined;
}

function about(
  { metadata }: KubernetesObject,
  container: string | undefined,
  ...words: readonly (string | undefined)[]
): string {
  const where = container === undefined ? "" : `, container ${container}`;
  return `Pod ${metadata.namespace}/${metadata.name}${where}: ${words.filter(Boolean).join(": ")}`;
}

/** With the log's last line, which is where programs say what they lack. */
function endOf({ exitCode, message = "" }: Terminated): string {
  const last = message.trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
  return [`it ended with exit code ${exitCode}`, last].filter(Boolean).join(": ");
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

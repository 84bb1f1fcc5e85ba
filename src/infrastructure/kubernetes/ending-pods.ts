import type { KubernetesObject } from "../../kubernetes/index.ts";
import { isEnding } from "./pod-readiness.ts";
import { endpointSeconds } from "./proxy-container.ts";

interface EndingPod {
  readonly name: string;
  readonly timer: NodeJS.Timeout;
  isDue: boolean;
}

/**
 * Says which Pods of a fleet should drain, each time that they change: a Pod is one of them not when it is told to end, but when load
 * balancers have noticed, and until it is gone.
 */
export class EndingPods {
  readonly #tell: (fleetKey: string, pods: ReadonlySet<string>) => void;
  /** By the Pod's uid; gone when the Pod is. */
  readonly #known = new Map<string, ReadonlyMap<string, EndingPod>>();

  constructor(tell: (fleetKey: string, pods: ReadonlySet<string>) => void) {
    this.#tell = tell;
  }

  /** `pods`: all that there are of the fleet. */
  look(fleetKey: string, pods: readonly KubernetesObject[]): void {
    const before = this.#known.get(fleetKey);
    const now = new Map<string, EndingPod>();
    for (const pod of pods.filter(isEnding)) {
      const { uid = "" } = pod.metadata;
      now.set(uid, before?.get(uid) ?? this.#begin(fleetKey, pod));
    }
    if (now.size > 0) this.#known.set(fleetKey, now);
    else this.#known.delete(fleetKey);
    const gone = [...(before ?? [])].filter(([uid]) => !now.has(uid)).map(([, pod]) => pod);
    for (const { timer } of gone) clearTimeout(timer);
    if (gone.some(({ isDue }) => isDue)) this.#tellDue(fleetKey);
  }

  stop(): void {
    for (const pods of this.#known.values()) for (const { timer } of pods.values()) clearTimeout(timer);
    this.#known.clear();
  }

  #begin(fleetKey: string, pod: KubernetesObject): EndingPod {
    const timer = setTimeout(() => {
      ending.isDue = true;
      this.#tellDue(fleetKey);
    }, untilNoticed(pod));
    const ending: EndingPod = { name: pod.metadata.name, timer: timer.unref(), isDue: false };
    return ending;
  }

  #tellDue(fleetKey: string): void {
    const due = [...(this.#known.get(fleetKey)?.values() ?? [])].filter(({ isDue }) => isDue);
    this.#tell(fleetKey, new Set(due.map(({ name }) => name)));
  }
}

/** `deletionTimestamp` is when the Pod has to be gone. Clocks differ, so it is never longer than for one told just now. */
function untilNoticed({ metadata }: KubernetesObject): number {
  const grace = Number(metadata["deletionGracePeriodSeconds"] ?? 0);
  const told = Date.parse(metadata.deletionTimestamp ?? "") - grace * 1000;
  const due = told + endpointSeconds * 1000 - Date.now();
  return Number.isFinite(due) ? Math.min(Math.max(0, due), endpointSeconds * 1000) : 0;
}

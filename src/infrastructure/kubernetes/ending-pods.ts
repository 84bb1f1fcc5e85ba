import type { KubernetesObject } from "../../kubernetes/index.ts";
import { isEnding } from "./pod-readiness.ts";
import { endpointSeconds } from "./proxy-container.ts";

/** Says of each Pod once that it should drain: not when it is told to end, but when load balancers have noticed. */
export class EndingPods {
  readonly #tell: (fleetKey: string, pod: string) => void;
  /** By the Pod's uid; gone when the Pod is. */
  readonly #known = new Map<string, Map<string, NodeJS.Timeout>>();

  constructor(tell: (fleetKey: string, pod: string) => void) {
    this.#tell = tell;
  }

  /** `pods`: all that there are of the fleet. */
  look(fleetKey: string, pods: readonly KubernetesObject[]): void {
    const before = this.#known.get(fleetKey);
    const now = new Map<string, NodeJS.Timeout>();
    for (const pod of pods.filter(isEnding)) {
      const { uid = "", name } = pod.metadata;
      const timer = before?.get(uid) ?? setTimeout(() => this.#tell(fleetKey, name), untilNoticed(pod));
      now.set(uid, timer.unref());
    }
    for (const [uid, timer] of before ?? []) if (!now.has(uid)) clearTimeout(timer);
    if (now.size > 0) this.#known.set(fleetKey, now);
    else this.#known.delete(fleetKey);
  }

  stop(): void {
    for (const timers of this.#known.values()) for (const timer of timers.values()) clearTimeout(timer);
    this.#known.clear();
  }
}

/** `deletionTimestamp` is when the Pod has to be gone. Clocks differ, so it is never longer than for one told just now. */
function untilNoticed({ metadata }: KubernetesObject): number {
  const grace = Number(metadata["deletionGracePeriodSeconds"] ?? 0);
  const told = Date.parse(metadata.deletionTimestamp ?? "") - grace * 1000;
  const due = told + endpointSeconds * 1000 - Date.now();
  return Number.isFinite(due) ? Math.min(Math.max(0, due), endpointSeconds * 1000) : 0;
}

import type { KubernetesObject, ObjectEvent, WatchTrouble } from "../../src/kubernetes/index.ts";
import { keyOf } from "./object-store.ts";

/** Knows what a watch told, and what follows from it. */
export class RecordingHandler {
  readonly objects = new Map<string, KubernetesObject>();
  readonly batches: string[][] = [];
  readonly troubles: (WatchTrouble | undefined)[] = [];
  readonly faults: unknown[] = [];
  replacements = 0;

  replaced(objects: readonly KubernetesObject[]): void {
    this.replacements++;
    this.objects.clear();
    for (const object of objects) this.objects.set(keyOf(object), object);
  }

  changed(events: readonly ObjectEvent[]): void {
    this.batches.push(events.map(({ type, object }) => `${type} ${object.metadata.name}`));
    for (const { type, object } of events) {
      if (type === "set") this.objects.set(keyOf(object), object);
      else this.objects.delete(keyOf(object));
    }
  }

  trouble(trouble: WatchTrouble | undefined): void {
    this.troubles.push(trouble);
  }

  fault(error: unknown): void {
    this.faults.push(error);
  }

  get names(): string[] {
    return [...this.objects.values()].map(({ metadata }) => metadata.name).sort();
  }
}

/** Objects of one kind as last seen, by `<namespace>/<name>`. */
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
  type WatchOptions,
} from "../../kubernetes/index.ts";
import { keyOf } from "./record-facts.ts";

export interface WatchedHandler {
  /** Undefined: it was not there, or is not any more. */
  changed(key: string, after: KubernetesObject | undefined, before: KubernetesObject | undefined): void;
  trouble(where: string, message: string | undefined): void;
}

export class WatchedObjects {
  /** Resolves when what there is is known, also if the kind is not served: then there is nothing. */
  readonly synced: Promise<void>;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #watch: ObjectWatch;
  readonly #handler: WatchedHandler;

  constructor(client: KubernetesClient, options: WatchOptions, handler: WatchedHandler) {
    this.#handler = handler;
    const { plural } = options.type;
    let markAbsent: () => void = () => undefined;
    const absent = new Promise<void>((resolve) => (markAbsent = resolve));
    this.#watch = watchObjects(client, options, {
      replaced: (objects) => {
        const keys = new Set(objects.map(keyOf));
        for (const key of this.#objects.keys()) if (!keys.has(key)) this.#set(key, undefined);
        for (const object of objects) this.#set(keyOf(object), object);
      },
      changed: (events) => {
        for (const { type, object } of events) this.#set(keyOf(object), type === "set" ? object : undefined);
      },
      trouble: (found) => {
        if (found?.kind === "not-served") markAbsent();
        handler.trouble(plural, found?.message);
      },
    });
    this.synced = Promise.race([this.#watch.synced, absent]);
  }

  get(key: string): KubernetesObject | undefined {
    return this.#objects.get(key);
  }

  all(): IterableIterator<KubernetesObject> {
    return this.#objects.values();
  }

  stop(): void {
    this.#watch.stop();
  }

  #set(key: string, after: KubernetesObject | undefined): void {
    const before = this.#objects.get(key);
    if (before && after && before.metadata.resourceVersion === after.metadata.resourceVersion) return;
    if (after) this.#objects.set(key, after);
    else this.#objects.delete(key);
    this.#handler.changed(key, after, before);
  }
}

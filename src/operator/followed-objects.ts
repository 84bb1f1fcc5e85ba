/** Objects that somebody has asked for, followed from then on. A kind that is not served is known to be without objects. */
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
  type WatchSelection,
} from "../kubernetes/index.ts";

interface Followed {
  readonly watch: ObjectWatch;
  readonly known: Promise<unknown>;
  readonly objects: Map<string, KubernetesObject>;
  isServed: boolean;
}

export class FollowedObjects {
  readonly #client: KubernetesClient;
  readonly #changed: () => void;
  readonly #followed = new Map<string, Followed>();

  constructor(client: KubernetesClient, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  /** By `namespace/name`, or the name where there are no namespaces. Undefined: the kind is not served. */
  async find(selection: WatchSelection): Promise<ReadonlyMap<string, KubernetesObject> | undefined> {
    const followed = this.#follow(selection);
    await followed.known;
    return followed.isServed ? followed.objects : undefined;
  }

  async all(selection: WatchSelection): Promise<readonly KubernetesObject[]> {
    return [...((await this.find(selection))?.values() ?? [])];
  }

  /** What the API server has just answered; the watch will say the same, later. */
  see(selection: WatchSelection, object: KubernetesObject): void {
    this.#followed.get(keyOf(selection))?.objects.set(objectKey(object), object);
  }

  /** It is gone; the watch will say so, later. */
  miss(selection: WatchSelection, key: string): void {
    this.#followed.get(keyOf(selection))?.objects.delete(key);
  }

  stop(): void {
    for (const { watch } of this.#followed.values()) watch.stop();
    this.#followed.clear();
  }

  #follow(selection: WatchSelection): Followed {
    const key = keyOf(selection);
    const standing = this.#followed.get(key);
    if (standing) return standing;
    const objects = new Map<string, KubernetesObject>();
    let markKnown: () => void = () => undefined;
    const missing = new Promise<void>((resolve) => (markKnown = resolve));
    // A kind may come at any time, and then somebody waits for it.
    const backOff = { longest: 5_000 };
    const watch = watchObjects(
      this.#client,
      { ...selection, backOff },
      {
        replaced: (all) => {
          objects.clear();
          for (const one of all) objects.set(objectKey(one), one);
          this.#changed();
        },
        changed: (events) => {
          for (const { type, object } of events) {
            if (type === "set") objects.set(objectKey(object), object);
            else objects.delete(objectKey(object));
          }
          this.#changed();
        },
        trouble: (found) => {
          followed.isServed = found?.kind !== "not-served";
          if (followed.isServed) this.#changed();
          else markKnown();
        },
      },
    );
    const known = Promise.race([watch.synced, missing]);
    const followed: Followed = { watch, known, objects, isServed: true };
    this.#followed.set(key, followed);
    return followed;
  }
}

export function objectKey({ metadata: { namespace, name } }: Pick<KubernetesObject, "metadata">): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function keyOf({ type, namespace = "", labelSelector = "", fieldSelector = "" }: WatchSelection): string {
  return [type.group, type.plural, namespace, labelSelector, fieldSelector].join(" ");
}

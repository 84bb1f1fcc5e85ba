/*
 * Objects that must be there and be so. Each is watched by its name from the first time it is wanted; one that is missing
 * is created, one that was changed is put right. Of an object only some fields are ours, and those entirely; labels and annotations of
 * others stay.
 */
import { deepEqual } from "../incremental/index.ts";
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectMeta,
  type ObjectWatch,
  type ResourceType,
} from "../kubernetes/index.ts";

export interface KeptObject {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
  /** The fields that are ours, such as `spec`. */
  readonly fields: readonly string[];
  /** Its owners are ours to say, too. Otherwise they are said once, when it is made. */
  readonly keepsOwners?: boolean;
  /** Labels that begin so are ours alone. */
  readonly ownLabels?: string;
}

export interface Failure {
  /** `ClusterRole admin-of-routes` */
  readonly what: string;
  readonly error: unknown;
}

export interface KeptObjectsEvents {
  /** We lead. */
  canWrite(): boolean;
  changed(): void;
}

interface Followed {
  readonly watch: ObjectWatch;
  live: KubernetesObject | undefined;
}

export class KeptObjects {
  readonly #client: KubernetesClient;
  readonly #events: KeptObjectsEvents;
  readonly #followed = new Map<string, Followed>();

  constructor(client: KubernetesClient, events: KeptObjectsEvents) {
    this.#client = client;
    this.#events = events;
  }

  /** One that fails does not keep the others from being put right. `written` is told what was done. */
  async keep(wanted: readonly KeptObject[], written: (what: string) => void): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    for (const one of wanted) {
      const { namespace, name } = one.object.metadata;
      const what = `${one.type.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
      try {
        const done = await this.#keepOne(one);
        if (done) written(`${what} ${done}`);
      } catch (error) {
        failures.push({ what, error });
      }
    }
    return failures;
  }

  /** Removes it, if it is there. */
  async remove(type: ResourceType, name: string): Promise<void> {
    await this.#client.delete(type, name);
    const followed = this.#followed.get(keyOf(type, name));
    if (followed) followed.live = undefined;
  }

  stop(): void {
    for (const { watch } of this.#followed.values()) watch.stop();
    this.#followed.clear();
  }

  async #keepOne(wanted: KeptObject): Promise<"created" | "restored" | undefined> {
    const { type, object } = wanted;
    const followed = this.#follow(type, object.metadata);
    await followed.watch.synced;
    if (!this.#events.canWrite()) return undefined;
    const { live } = followed;
    if (!live) {
      followed.live = await this.#client.create(type, object);
      return "created";
    }
    if (isAsWanted(wanted, live)) return undefined;
    followed.live = await this.#client.replace(type, putRight(wanted, live));
    return "restored";
  }

  #follow(type: ResourceType, { name, namespace }: ObjectMeta): Followed {
    const key = keyOf(type, name, namespace);
    const known = this.#followed.get(key);
    if (known) return known;
    const see = (live: KubernetesObject | undefined) => {
      followed.live = live;
      this.#events.changed();
    };
    const watch = watchObjects(
      this.#client,
      { type, fieldSelector: `metadata.name=${name}`, ...(namespace !== undefined && { namespace }) },
      {
        replaced: (objects) => see(objects[0]),
        changed: (events) => {
          const last = events.at(-1);
          see(last?.type === "set" ? last.object : undefined);
        },
        trouble: () => undefined,
      },
    );
    const followed: Followed = { watch, live: undefined };
    this.#followed.set(key, followed);
    return followed;
  }
}

const keyOf = (type: ResourceType, name: string, namespace = "") => `${type.kind}/${namespace}/${name}`;

/** The API server leaves out what is null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(entries.map(([name, field]) => [name, withoutNulls(field)]));
}

export function isAsWanted(wanted: KeptObject, live: KubernetesObject): boolean {
  const { object, fields } = wanted;
  return (
    foreignLabels(wanted, live).length === Object.keys(live.metadata.labels ?? {}).length &&
    fields.every((field) => deepEqual(withoutNulls(object[field]), withoutNulls(live[field]))) &&
    (wanted.keepsOwners !== true ||
      deepEqual(object.metadata.ownerReferences, live.metadata.ownerReferences)) &&
    (["labels", "annotations"] as const).every((part) =>
      Object.entries(object.metadata[part] ?? {}).every(([key, value]) => {
        const entries = live.metadata[part] ?? {};
        return Object.hasOwn(entries, key) && entries[key] === value;
      }),
    )
  );
}

/** Those that may stay: all but what begins like ours and is not. */
function foreignLabels(
  { object, ownLabels }: KeptObject,
  live: KubernetesObject,
): readonly (readonly [string, string])[] {
  const labels = Object.entries(live.metadata.labels ?? {});
  if (ownLabels === undefined) return labels;
  const wanted = object.metadata.labels ?? {};
  return labels.filter(([key]) => !key.startsWith(ownLabels) || Object.hasOwn(wanted, key));
}

function putRight(wanted: KeptObject, live: KubernetesObject): KubernetesObject {
  const { object, fields } = wanted;
  const { labels, annotations } = object.metadata;
  const rest = Object.entries(live).filter(([field]) => !fields.includes(field));
  return {
    ...(Object.fromEntries(rest) as KubernetesObject),
    metadata: {
      ...live.metadata,
      ...(labels && { labels: { ...Object.fromEntries(foreignLabels(wanted, live)), ...labels } }),
      ...(wanted.keepsOwners === true && { ownerReferences: object.metadata.ownerReferences ?? [] }),
      ...(annotations && { annotations: { ...live.metadata.annotations, ...annotations } }),
    },
    ...Object.fromEntries(
      fields.filter((field) => object[field] !== undefined).map((field) => [field, object[field]]),
    ),
  };
}

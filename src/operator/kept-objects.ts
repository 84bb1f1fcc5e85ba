/*
 * Objects that must be there and be so. Each is watched from the first time that it is wanted; one that is missing
 * is created, one that was changed is put right. Of an object only some fields are ours, and those entirely; labels and annotations of
 * others stay.
 */
import { deepEqual } from "../incremental/index.ts";
import type {
  KubernetesClient,
  KubernetesObject,
  ObjectMeta,
  ResourceType,
  WatchSelection,
} from "../kubernetes/index.ts";
import { FollowedObjects, objectKey } from "./followed-objects.ts";

export interface KeptObject {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
  /** The fields that are ours, such as `spec`. */
  readonly fields: readonly string[];
  /** Its owners are ours to say, too. Otherwise they are said once, when it is made. */
  readonly keepsOwners?: boolean;
  /** Labels that begin so are ours alone. */
  readonly ownLabels?: string;
  /** Its kind is brought by something else, which may take its time: until then there is nothing to do. */
  readonly comesLater?: boolean;
  /** Where there are many of a kind, these are watched together. */
  readonly among?: WatchSelection;
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

export class KeptObjects {
  readonly #client: KubernetesClient;
  readonly #events: KeptObjectsEvents;
  readonly #followed: FollowedObjects;

  constructor(client: KubernetesClient, events: KeptObjectsEvents) {
    this.#client = client;
    this.#events = events;
    this.#followed = new FollowedObjects(client, () => events.changed());
  }

  /** One that fails does not keep the others from being put right. `written` is told what was done. */
  async keep(wanted: readonly KeptObject[], written: (what: string) => void): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    for (const one of wanted) {
      const what = `${one.type.kind} ${objectKey(one.object)}`;
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
    this.#followed.miss(selectionOf(type, { name }), name);
  }

  stop(): void {
    this.#followed.stop();
  }

  async #keepOne(wanted: KeptObject): Promise<"created" | "restored" | undefined> {
    const { type, object } = wanted;
    const selection = wanted.among ?? selectionOf(type, object.metadata);
    const found = await this.#followed.find(selection);
    if (!this.#events.canWrite()) return undefined;
    if (!found) {
      if (wanted.comesLater) return undefined;
      throw new Error(`The API server does not serve ${type.plural}.${type.group}.`);
    }
    const live = found.get(objectKey(object));
    if (live && isAsWanted(wanted, live)) return undefined;
    const answer = live
      ? await this.#client.replace(type, putRight(wanted, live))
      : await this.#client.create(type, object);
    this.#followed.see(selection, answer);
    return live ? "restored" : "created";
  }
}

function selectionOf(
  type: ResourceType,
  { name, namespace }: Pick<ObjectMeta, "name" | "namespace">,
): WatchSelection {
  return { type, fieldSelector: `metadata.name=${name}`, ...(namespace !== undefined && { namespace }) };
}

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

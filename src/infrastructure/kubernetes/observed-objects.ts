import { isOlderVersion, type KubernetesObject, type ResourceType } from "../../kubernetes/index.ts";
import { fleetKeyOf } from "./ownership.ts";

export interface ObservedObject {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

/** What the cluster has of our objects, as far as watches and answers have told. */
export class ObservedObjects {
  readonly #objects = new Map<string, ObservedObject>();
  readonly #byFleet = new Map<string, Set<string>>();

  get(type: ResourceType, namespace: string, name: string): KubernetesObject | undefined {
    return this.#objects.get(keyOf(type, namespace, name))?.object;
  }

  of(fleetKey: string): readonly ObservedObject[] {
    return [...(this.#byFleet.get(fleetKey) ?? [])].flatMap((key) => this.#objects.get(key) ?? []);
  }

  fleetKeys(): Iterable<string> {
    return this.#byFleet.keys();
  }

  /** Returns the fleets concerned. A watch may tell of an older version than an answer has: that is no news. */
  set(type: ResourceType, object: KubernetesObject): readonly string[] {
    const key = keyOf(type, object.metadata.namespace ?? "", object.metadata.name);
    const before = this.#objects.get(key)?.object;
    if (before && isOlder(object, before)) return [];
    this.#objects.set(key, { type, object });
    return this.#reindex(key, before, object);
  }

  delete(type: ResourceType, object: KubernetesObject): readonly string[] {
    const key = keyOf(type, object.metadata.namespace ?? "", object.metadata.name);
    const before = this.#objects.get(key)?.object;
    if (!before || before.metadata.uid !== object.metadata.uid) return [];
    this.#objects.delete(key);
    return this.#reindex(key, before, undefined);
  }

  /** All there is of a type (in a namespace, if one is given). */
  replace(
    type: ResourceType,
    namespace: string | undefined,
    objects: readonly KubernetesObject[],
  ): readonly string[] {
    const there = new Set(
      objects.map(({ metadata }) => keyOf(type, metadata.namespace ?? "", metadata.name)),
    );
    const gone = [...this.#objects].filter(
      ([key, { type: of, object }]) =>
        of === type &&
        !there.has(key) &&
        (namespace === undefined || object.metadata.namespace === namespace),
    );
    const concerned = [
      ...gone.flatMap(([, { object }]) => this.delete(type, object)),
      ...objects.flatMap((object) => this.set(type, object)),
    ];
    return [...new Set(concerned)];
  }

  #reindex(
    key: string,
    before: KubernetesObject | undefined,
    after: KubernetesObject | undefined,
  ): readonly string[] {
    const from = before && fleetKeyOf(before);
    const to = after && fleetKeyOf(after);
    if (from !== undefined && from !== to) {
      const members = this.#byFleet.get(from);
      members?.delete(key);
      if (members?.size === 0) this.#byFleet.delete(from);
    }
    if (to !== undefined) this.#byFleet.set(to, (this.#byFleet.get(to) ?? new Set()).add(key));
    return [...new Set([from, to])].filter((fleet) => fleet !== undefined);
  }
}

function keyOf({ group, plural }: ResourceType, namespace: string, name: string): string {
  return `${plural}.${group}/${namespace}/${name}`;
}

function isOlder({ metadata }: KubernetesObject, { metadata: than }: KubernetesObject): boolean {
  return metadata.uid === than.uid && isOlderVersion(metadata.resourceVersion, than.resourceVersion);
}

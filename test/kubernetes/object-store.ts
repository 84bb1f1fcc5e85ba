/** What a real API server keeps, as far as clients can tell: objects, versions, a history that can be compacted. */
import type { KubernetesObject, ResourceType } from "../../src/kubernetes/index.ts";

type Mutable = { -readonly [K in keyof KubernetesObject]: KubernetesObject[K] };

export interface StoredEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly version: number;
  readonly object: KubernetesObject;
}

export class Refusal extends Error {
  readonly status: number;
  readonly reason: string;
  readonly retryAfter: number | undefined;

  constructor(status: number, reason: string, message: string = reason, retryAfter?: number) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** All objects of one kind. */
export class ObjectStore {
  readonly objects = new Map<string, KubernetesObject>();
  readonly history: StoredEvent[] = [];
  readonly listeners = new Set<(event: StoredEvent) => void>();
  readonly type: ResourceType;
  readonly #nextVersion: () => number;
  /** Watches may begin after this version. */
  compactedAt = 0;

  constructor(type: ResourceType, nextVersion: () => number) {
    this.type = type;
    this.#nextVersion = nextVersion;
  }

  compact(version: number): void {
    this.compactedAt = version;
    while ((this.history[0]?.version ?? Number.POSITIVE_INFINITY) <= version) this.history.shift();
  }

  get(key: string): KubernetesObject {
    const object = this.objects.get(key);
    if (!object) throw new Refusal(404, "NotFound", `${this.type.plural} "${key}" not found`);
    return object;
  }

  create(object: KubernetesObject): KubernetesObject {
    const key = keyOf(object);
    if (this.objects.has(key)) throw new Refusal(409, "AlreadyExists");
    const version = this.#nextVersion();
    return this.#keep("ADDED", version, {
      ...object,
      metadata: {
        ...object.metadata,
        uid: `uid-${version}`,
        generation: 1,
        resourceVersion: String(version),
        creationTimestamp: object.metadata.creationTimestamp ?? "2026-01-01T00:00:00Z",
      },
    });
  }

  /** `isStatus`: of the rest nothing is taken over. */
  update(object: KubernetesObject, isStatus: boolean): KubernetesObject {
    const key = keyOf(object);
    const old = this.get(key);
    const { resourceVersion, uid } = object.metadata;
    if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
      throw new Refusal(
        409,
        "Conflict",
        "the object has been modified; please apply your changes to the latest version",
      );
    }
    if (uid !== undefined && uid !== old.metadata.uid) throw new Refusal(409, "Conflict", "another uid");
    const next: Mutable = isStatus
      ? { ...old, status: object["status"] }
      : { ...object, status: old["status"] };
    if (next["status"] === undefined) delete next["status"];
    const { deletionTimestamp } = old.metadata;
    if (deletionTimestamp !== undefined && !isStatus && (next.metadata.finalizers ?? []).length === 0) {
      return this.#remove(old);
    }
    const isChanged = JSON.stringify(next["spec"]) !== JSON.stringify(old["spec"]);
    const version = this.#nextVersion();
    return this.#keep("MODIFIED", version, {
      ...next,
      metadata: {
        ...(isStatus ? old.metadata : object.metadata),
        uid: old.metadata.uid ?? "",
        creationTimestamp: old.metadata.creationTimestamp ?? "",
        ...(deletionTimestamp !== undefined && { deletionTimestamp }),
        generation: (old.metadata.generation ?? 1) + (isChanged ? 1 : 0),
        resourceVersion: String(version),
      },
    });
  }

  delete(key: string, uid?: string): KubernetesObject {
    const old = this.get(key);
    if (uid !== undefined && uid !== old.metadata.uid) throw new Refusal(409, "Conflict", "another uid");
    const { deletionTimestamp, finalizers = [] } = old.metadata;
    if (finalizers.length === 0) return this.#remove(old);
    if (deletionTimestamp !== undefined) return old;
    const version = this.#nextVersion();
    return this.#keep("MODIFIED", version, {
      ...old,
      metadata: {
        ...old.metadata,
        deletionTimestamp: "2026-01-02T00:00:00Z",
        generation: (old.metadata.generation ?? 1) + 1,
        resourceVersion: String(version),
      },
    });
  }

  #remove(old: KubernetesObject): KubernetesObject {
    this.objects.delete(keyOf(old));
    const version = this.#nextVersion();
    const object = { ...old, metadata: { ...old.metadata, resourceVersion: String(version) } };
    this.#tell({ type: "DELETED", version, object });
    return object;
  }

  #keep(type: "ADDED" | "MODIFIED", version: number, object: KubernetesObject): KubernetesObject {
    this.objects.set(keyOf(object), object);
    this.#tell({ type, version, object });
    return object;
  }

  #tell(event: StoredEvent): void {
    this.history.push(event);
    for (const listener of this.listeners) listener(event);
  }
}

export function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** RFC 7396. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === "object" && target !== null && !Array.isArray(target);
  const result = new Map<string, unknown>(isObject ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  return Object.fromEntries(result);
}

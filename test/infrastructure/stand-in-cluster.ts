/*
 * As much of an API server as infrastructure sees: objects with versions and uids, server-side apply for one field manager, watches by label.
 * What another writer does goes through `write`; what the server should refuse is said with `refuse`.
 */
import { KubernetesError, type KubernetesClient, type KubernetesObject } from "../../src/kubernetes/index.ts";
import type { WatchHandler, WatchObjects } from "../../src/infrastructure/kubernetes/index.ts";

type Json = Readonly<Record<string, unknown>>;

interface Watcher {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly label: readonly [string, string];
  readonly handler: WatchHandler;
}

export class StandInCluster {
  /** `apply Service shop/web`, in order. */
  readonly requests: string[] = [];
  readonly objects = new Map<string, KubernetesObject>();
  readonly #applied = new Map<string, Json>();
  readonly #watchers = new Set<Watcher>();
  readonly #refusals = new Map<string, KubernetesError>();
  #version = 0;
  /** What the server makes of an object that it takes: defaults, other ways to write a value. */
  admit: (object: KubernetesObject) => KubernetesObject = (object) => object;

  readonly client: Pick<KubernetesClient, "fieldManager" | "get" | "apply" | "delete"> = {
    fieldManager: "gatewright",
    get: async (type, name, namespace) => {
      await this.#request("get", type.kind, namespace, name);
      return this.get(type.kind, `${namespace ?? ""}/${name}`);
    },
    apply: async (type, object, options) => {
      const { name, namespace } = object.metadata;
      await this.#request("apply", type.kind, namespace, name);
      const key = keyOf(type.kind, object);
      const live = this.objects.get(key);
      const base = live ? without(live, this.#applied.get(key) ?? {}) : {};
      if (live && options?.force !== true && !this.#applied.has(key))
        throw new KubernetesError("conflict", {
          code: "KUBERNETES_REFUSED",
          status: 409,
          reason: "Conflict",
        });
      this.#applied.set(key, object);
      return this.#store(this.admit(merge(base, object) as unknown as KubernetesObject), live);
    },
    delete: async (type, name, namespace, options) => {
      await this.#request("delete", type.kind, namespace, name);
      const live = this.get(type.kind, `${namespace ?? ""}/${name}`);
      if (live && (options?.uid === undefined || options.uid === live.metadata.uid)) this.remove(live);
    },
  };

  readonly watch: WatchObjects = ({ type, namespace, labelSelector = "" }, handler) => {
    const [label = "", value = ""] = labelSelector.split("=");
    const watcher: Watcher = { kind: type.kind, namespace, label: [label, value], handler };
    const synced = Promise.resolve().then(() => {
      this.#watchers.add(watcher);
      handler.replaced([...this.objects.values()].filter((object) => isSelected(watcher, object)));
    });
    return { synced, stop: () => this.#watchers.delete(watcher) };
  };

  get(kind: string, path: string): KubernetesObject | undefined {
    return this.objects.get(`${kind}/${path}`);
  }

  kinds(): readonly string[] {
    return [...this.objects.keys()].toSorted();
  }

  /** Another writer's work: the object as it is now, whatever it was. */
  write(object: KubernetesObject): KubernetesObject {
    return this.#store(object, this.objects.get(keyOf(object.kind, object)));
  }

  /** Another writer changes fields of an object that is there. */
  change(kind: string, path: string, fields: Json): KubernetesObject {
    const live = this.get(kind, path);
    if (!live) throw new Error(`no ${kind} ${path}`);
    return this.write(merge(live, fields) as unknown as KubernetesObject);
  }

  remove(object: KubernetesObject): void {
    const key = keyOf(object.kind, object);
    this.objects.delete(key);
    this.#applied.delete(key);
    this.#tell({ type: "deleted", object });
  }

  /** Undefined: no longer. `apply Service` or `get Gateway`. */
  refuse(request: string, error: KubernetesError | undefined): void {
    if (error) this.#refusals.set(request, error);
    else this.#refusals.delete(request);
  }

  takeRequests(): readonly string[] {
    return this.requests.splice(0);
  }

  async #request(verb: string, kind: string, namespace: string | undefined, name: string): Promise<void> {
    this.requests.push(`${verb} ${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`);
    await Promise.resolve();
    const refusal = this.#refusals.get(`${verb} ${kind}`);
    if (refusal) throw refusal;
  }

  #store(object: KubernetesObject, live: KubernetesObject | undefined): KubernetesObject {
    const changed = !live || JSON.stringify(withoutVersion(live)) !== JSON.stringify(withoutVersion(object));
    if (!changed) return live;
    const metadata = {
      ...object.metadata,
      uid: live?.metadata.uid ?? object.metadata.uid ?? `uid-${++this.#version}`,
      resourceVersion: String(++this.#version),
    };
    const stored = { ...object, metadata };
    this.objects.set(keyOf(object.kind, object), stored);
    this.#tell({ type: "set", object: stored }, live);
    return stored;
  }

  #tell(event: { type: "set" | "deleted"; object: KubernetesObject }, before?: KubernetesObject): void {
    for (const watcher of this.#watchers) {
      const isIn = isSelected(watcher, event.object);
      const wasIn = before !== undefined && isSelected(watcher, before);
      if (!isIn && !wasIn) continue;
      const told = isIn ? event : ({ type: "deleted", object: event.object } as const);
      queueMicrotask(() => watcher.handler.changed([told]));
    }
  }
}

export function refused(status: number, reason: string, message: string): KubernetesError {
  return new KubernetesError(message, { code: "KUBERNETES_REFUSED", status, reason });
}

function isSelected({ kind, namespace, label: [label, value] }: Watcher, object: KubernetesObject): boolean {
  return (
    object.kind === kind &&
    (namespace === undefined || object.metadata.namespace === namespace) &&
    object.metadata.labels?.[label] === value
  );
}

function keyOf(kind: string, { metadata }: KubernetesObject): string {
  return `${kind}/${metadata.namespace ?? ""}/${metadata.name}`;
}

function withoutVersion(object: KubernetesObject): Json {
  const { resourceVersion: _version, uid: _uid, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists are taken whole. */
function merge(base: Json, more: Json): Json {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(more)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? merge(old, value) : value;
  }
  return merged;
}

function without(live: Json, applied: Json): Json {
  const left = Object.entries(live).flatMap(([key, value]) => {
    if (!Object.hasOwn(applied, key) || key === "name" || key === "namespace") return [[key, value] as const];
    const ours = applied[key];
    if (!isObject(value) || !isObject(ours)) return [];
    const rest = without(value, ours);
    return Object.keys(rest).length > 0 ? [[key, rest] as const] : [];
  });
  return Object.fromEntries(left);
}

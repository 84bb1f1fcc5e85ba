/*
 * All resources of one Gateway, in their newest version. Where no proxy has taken the newest version yet, the one before it
 * is kept as well: a proxy that refuses the newest, or one that joins meanwhile and refuses it, can still be given what is known to be good.
 */
import { HostTable, normalizeHost } from "../../../model/index.ts";
import type { ResourceType } from "../rendered-resource.ts";
import type { Resource } from "./resource.ts";
import { resourceTypes, secret } from "./resource-types.ts";

export interface ResourceChanges {
  readonly set: readonly Resource[];
  readonly removed: readonly { readonly type: ResourceType; readonly name: string }[];
}

export type ChangedNames = Map<ResourceType, Set<string>>;

export class ResourceSet {
  readonly #current = new Map<ResourceType, Map<string, Resource>>(
    resourceTypes.map((type) => [type, new Map()]),
  );
  readonly #lastGood = new Map<ResourceType, Map<string, Resource>>(
    resourceTypes.map((type) => [type, new Map()]),
  );
  readonly #taken = new WeakSet<Resource>();
  /** Hostname → names of secrets, so that which one counts does not depend on the order of arrival. */
  readonly #onDemand = new HostTable<Set<string>>();

  /** What became different by it. */
  update({ set, removed }: ResourceChanges): ChangedNames {
    const changed: ChangedNames = new Map();
    const note = (type: ResourceType, name: string) => {
      const names = changed.get(type) ?? new Set();
      changed.set(type, names.add(name));
    };
    for (const { type, name } of removed) {
      const before = this.#current.get(type)!.get(name);
      if (!before) continue;
      this.#current.get(type)!.delete(name);
      this.#lastGood.get(type)!.delete(name);
      this.#forgetOnDemand(before);
      note(type, name);
    }
    for (const resource of set) {
      const { type, name, version } = resource;
      const before = this.#current.get(type)!.get(name);
      this.#current.get(type)!.set(name, resource);
      if (before) this.#forgetOnDemand(before);
      this.#noteOnDemand(resource);
      if (before?.version === version) {
        if (this.#taken.has(before)) this.#taken.add(resource);
        continue;
      }
      if (before && this.#taken.has(before)) this.#lastGood.get(type)!.set(name, before);
      note(type, name);
    }
    return changed;
  }

  get(type: ResourceType, name: string): Resource | undefined {
    return this.#current.get(type)!.get(name);
  }

  /** The newest that a proxy has taken, if that is not the newest. */
  lastGood(type: ResourceType, name: string): Resource | undefined {
    return this.#lastGood.get(type)!.get(name);
  }

  /** Some proxy has taken this version. */
  noteTaken(type: ResourceType, name: string, version: string): void {
    const resource = this.get(type, name);
    if (resource?.version !== version) return;
    this.#taken.add(resource);
    this.#lastGood.get(type)!.delete(name);
  }

  /** Some proxy has taken it as it is now, with all that it needs. */
  wasTaken({ type, name, requires }: Resource): boolean {
    const isTaken = (one: Resource | undefined) => one === undefined || this.#taken.has(one);
    return (
      isTaken(this.get(type, name)) && requires.every((other) => isTaken(this.get(other.type, other.name)))
    );
  }

  names(type: ResourceType): Iterable<string> {
    return this.#current.get(type)!.keys();
  }

  size(type: ResourceType): number {
    return this.#current.get(type)!.size;
  }

  /** Of all types. */
  get total(): number {
    let total = 0;
    for (const resources of this.#current.values()) total += resources.size;
    return total;
  }

  /** The secret for a server name. */
  resolveOnDemand(serverName: string): Resource | undefined {
    const host = normalizeHost(serverName);
    const names = host === undefined ? this.#onDemand.get("*") : this.#onDemand.find(host);
    return names && this.get(secret, [...names].toSorted()[0]!);
  }

  #noteOnDemand({ name, onDemandFor }: Resource): void {
    if (onDemandFor === undefined) return;
    const names = this.#onDemand.get(onDemandFor) ?? new Set();
    this.#onDemand.set(onDemandFor, names.add(name));
  }

  #forgetOnDemand({ name, onDemandFor }: Resource): void {
    if (onDemandFor === undefined) return;
    const names = this.#onDemand.get(onDemandFor);
    names?.delete(name);
    if (names?.size === 0) this.#onDemand.delete(onDemandFor);
  }
}

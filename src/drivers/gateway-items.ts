/*
 * Which items of the model belong to which Gateway, kept up to date at the cost of each change.
 *
 * Listeners name their Gateway; server names, virtual hosts and stream routes are of their listener's Gateway. These are roots. A root
 * refers to backends and certificates, a listener to certificates, and a backend to its endpoints and to certificates;
 * whatever is reached from a root of a Gateway is of that Gateway too.
 *
 * State: for each item that is referred to, how many items of each Gateway refer to it. A reference that comes or goes changes one count;
 * when the count of a backend comes from or goes to zero, the references of the backend come or go with it. Items never refer
 * in circles, so counts are exact. What a Gateway holds is then: its roots, and what it counts that is there.
 */
import {
  modelKinds,
  perModelKind,
  type ModelChanges,
  type ModelItems,
  type ModelKind,
} from "../model/index.ts";
import { referencesOf, type ItemReference } from "./item-references.ts";

export type AnyItem = ModelItems[ModelKind];

/** A part of a `ModelChanges` under construction. */
export type GatewayChanges = { readonly [Kind in ModelKind]: Map<string, ModelItems[Kind] | undefined> };

type PerKind<T> = Readonly<Record<ModelKind, T>>;
type Tables = PerKind<Map<string, AnyItem>>;

/** How many items of a Gateway refer to an item. Roots have one, from their Gateway itself. Nearly all items have one holder. */
interface Holder {
  readonly gateway: string;
  count: number;
}

const rootKinds = ["listeners", "serverNames", "virtualHosts", "streamRoutes"] as const;
type RootKind = (typeof rootKinds)[number];

export class GatewayItems {
  readonly #items = tables();
  /** Item → the Gateways that hold it. */
  readonly #holders: PerKind<Map<string, Holder | Map<string, Holder>>> = perModelKind(() => new Map());
  /** Listener → the roots that are on it. */
  readonly #onListener = new Map<string, PerKind<Set<string>>>();
  /** What each Gateway has been told. */
  readonly #held = new Map<string, Tables>();

  /** Takes the changes in, and says what they are for each Gateway that they mean something to. */
  apply(changes: ModelChanges): Map<string, ModelChanges> {
    const touched: Touched = new Map();
    for (const kind of ["certificates", "endpoints"] as const) {
      for (const [key, item] of changes[kind]) {
        this.#put(kind, key, item);
        this.#touchHolders(kind, key, touched);
      }
    }
    for (const [key, item] of changes.backends) this.#changeBackend(key, item, touched);
    for (const [key, item] of changes.listeners) this.#changeListener(key, item, touched);
    for (const kind of ["serverNames", "virtualHosts", "streamRoutes"] as const) {
      for (const [key, item] of changes[kind]) this.#changeRoot(kind, key, item, touched);
    }
    return this.#tell(touched);
  }

  /** All that a Gateway holds, as if it came anew. */
  all(gateway: string): ModelChanges {
    const changes = emptyChanges();
    const held = this.#held.get(gateway);
    for (const kind of modelKinds) {
      for (const [key, item] of held?.[kind] ?? []) (changes[kind] as Map<string, AnyItem>).set(key, item);
    }
    return changes;
  }

  /** Whether a Gateway has anything at all. */
  has(gateway: string): boolean {
    return this.#held.has(gateway);
  }

  holds(gateway: string, kind: ModelKind, key: string): boolean {
    return this.#held.get(gateway)?.[kind].has(key) === true;
  }

  #put(kind: ModelKind, key: string, item: AnyItem | undefined): AnyItem | undefined {
    const table = this.#items[kind];
    const before = table.get(key);
    if (item === undefined) table.delete(key);
    else table.set(key, item);
    return before;
  }

  #changeBackend(key: string, item: ModelItems["backends"] | undefined, touched: Touched): void {
    const before = this.#put("backends", key, item);
    for (const { gateway } of this.#holdersOf("backends", key)) {
      this.#take(gateway, item ? referencesOf("backends", item) : [], touched);
      this.#release(gateway, before ? referencesOf("backends", before) : [], touched);
    }
    this.#touchHolders("backends", key, touched);
  }

  /** What is on a listener follows it when it comes, goes, or is of another Gateway. */
  #changeListener(key: string, item: ModelItems["listeners"] | undefined, touched: Touched): void {
    const before = this.#items.listeners.get(key) as ModelItems["listeners"] | undefined;
    const dependents = listed(this.#onListener.get(key));
    const moves = before?.gateway !== item?.gateway;
    if (moves) for (const { kind, key: of } of dependents) this.#disown(kind, of, before?.gateway, touched);
    this.#put("listeners", key, item);
    if (item) this.#own("listeners", key, item, item.gateway, touched);
    if (before) this.#disownItem("listeners", key, before, before.gateway, touched);
    if (moves) for (const { kind, key: of } of dependents) this.#ownAgain(kind, of, item?.gateway, touched);
  }

  #changeRoot(
    kind: Exclude<RootKind, "listeners">,
    key: string,
    after: AnyItem | undefined,
    touched: Touched,
  ) {
    const before = this.#put(kind, key, after);
    const owner = after && this.#gatewayOf(after);
    const ownerBefore = before && this.#gatewayOf(before);
    const isChange = owner === ownerBefore;
    if (after) this.#own(kind, key, after, owner, touched, isChange ? before : undefined);
    if (before) this.#disownItem(kind, key, before, ownerBefore, touched, isChange ? after : undefined);
    const listenerBefore = before && listenerOf(before);
    const listenerAfter = after && listenerOf(after);
    if (listenerBefore === listenerAfter) return;
    if (listenerBefore !== undefined) {
      const roots = this.#onListener.get(listenerBefore);
      roots?.[kind].delete(key);
      if (roots && modelKinds.every((one) => roots[one].size === 0)) this.#onListener.delete(listenerBefore);
    }
    if (listenerAfter !== undefined) {
      const roots = this.#onListener.get(listenerAfter) ?? keySets();
      roots[kind].add(key);
      this.#onListener.set(listenerAfter, roots);
    }
  }

  #gatewayOf(item: AnyItem): string | undefined {
    const listener = this.#items.listeners.get(listenerOf(item) ?? "");
    return (listener as ModelItems["listeners"] | undefined)?.gateway;
  }

  /** `version`: the one that it has had. */
  #own(
    kind: ModelKind,
    key: string,
    item: AnyItem,
    gateway: string | undefined,
    touched: Touched,
    version?: AnyItem,
  ): void {
    if (gateway === undefined) return;
    this.#take(gateway, [{ kind, key }, ...referencesOf(kind, item, version)], touched);
  }

  #disownItem(
    kind: ModelKind,
    key: string,
    item: AnyItem,
    gateway: string | undefined,
    touched: Touched,
    version?: AnyItem,
  ): void {
    if (gateway === undefined) return;
    this.#release(gateway, [{ kind, key }, ...referencesOf(kind, item, version)], touched);
  }

  #disown(kind: ModelKind, key: string, gateway: string | undefined, touched: Touched): void {
    const item = this.#items[kind].get(key);
    if (item) this.#disownItem(kind, key, item, gateway, touched);
  }

  #ownAgain(kind: ModelKind, key: string, gateway: string | undefined, touched: Touched): void {
    const item = this.#items[kind].get(key);
    if (item) this.#own(kind, key, item, gateway, touched);
  }

  #take(gateway: string, references: readonly ItemReference[], touched: Touched): void {
    for (const { kind, key } of references) {
      const holder = this.#holder(kind, key, gateway) ?? this.#hold(kind, key, gateway);
      touch(touched, gateway, kind, key);
      if (holder.count++ > 0 || kind !== "backends") continue;
      const backend = this.#items.backends.get(key);
      if (backend) this.#take(gateway, referencesOf("backends", backend), touched);
    }
  }

  #release(gateway: string, references: readonly ItemReference[], touched: Touched): void {
    for (const { kind, key } of references) {
      const holder = this.#holder(kind, key, gateway);
      if (!holder) continue;
      touch(touched, gateway, kind, key);
      if (--holder.count > 0) continue;
      this.#letGo(kind, key, gateway);
      const backend = kind === "backends" ? this.#items.backends.get(key) : undefined;
      if (backend) this.#release(gateway, referencesOf("backends", backend), touched);
    }
  }

  #holdersOf(kind: ModelKind, key: string): Iterable<Holder> {
    const known = this.#holders[kind].get(key);
    if (known === undefined) return [];
    return known instanceof Map ? known.values() : [known];
  }

  #holder(kind: ModelKind, key: string, gateway: string): Holder | undefined {
    const known = this.#holders[kind].get(key);
    if (known instanceof Map) return known.get(gateway);
    return known?.gateway === gateway ? known : undefined;
  }

  #hold(kind: ModelKind, key: string, gateway: string): Holder {
    const holder: Holder = { gateway, count: 0 };
    const holders = this.#holders[kind];
    const known = holders.get(key);
    if (known === undefined) holders.set(key, holder);
    else if (known instanceof Map) known.set(gateway, holder);
    else {
      const both = [known, holder].map((one) => [one.gateway, one] as const);
      holders.set(key, new Map(both));
    }
    return holder;
  }

  #letGo(kind: ModelKind, key: string, gateway: string): void {
    const holders = this.#holders[kind];
    const known = holders.get(key);
    if (known instanceof Map && known.size > 1) known.delete(gateway);
    else holders.delete(key);
  }

  #touchHolders(kind: ModelKind, key: string, touched: Touched): void {
    for (const { gateway } of this.#holdersOf(kind, key)) touch(touched, gateway, kind, key);
  }

  /** The difference between what a Gateway was told and what it holds now, where it was touched. */
  #tell(touched: Touched): Map<string, ModelChanges> {
    const told = new Map<string, ModelChanges>();
    for (const [gateway, keys] of touched) {
      const held = this.#held.get(gateway) ?? tables();
      const changes = emptyChanges();
      for (const kind of modelKinds) this.#tellKind(kind, keys[kind], gateway, held, changes);
      if (modelKinds.every((kind) => changes[kind].size === 0)) continue;
      if (modelKinds.some((kind) => held[kind].size > 0)) this.#held.set(gateway, held);
      else this.#held.delete(gateway);
      told.set(gateway, changes);
    }
    return told;
  }

  #tellKind(
    kind: ModelKind,
    keys: ReadonlySet<string>,
    gateway: string,
    held: Tables,
    changes: GatewayChanges,
  ): void {
    for (const key of keys) {
      const after = this.#holder(kind, key, gateway) ? this.#items[kind].get(key) : undefined;
      if (after === held[kind].get(key)) continue;
      (changes[kind] as Map<string, AnyItem | undefined>).set(key, after);
      if (after) held[kind].set(key, after);
      else held[kind].delete(key);
    }
  }
}

/** Gateway → items whose place in it may be different now. */
type Touched = Map<string, PerKind<Set<string>>>;

function touch(touched: Touched, gateway: string, kind: ModelKind, key: string): void {
  let keys = touched.get(gateway);
  if (!keys) touched.set(gateway, (keys = keySets()));
  keys[kind].add(key);
}

function keySets(): PerKind<Set<string>> {
  return perModelKind(() => new Set());
}

function listed(keys: PerKind<ReadonlySet<string>> | undefined): readonly ItemReference[] {
  return keys ? modelKinds.flatMap((kind) => Array.from(keys[kind], (key) => ({ kind, key }))) : [];
}

function listenerOf(item: AnyItem): string | undefined {
  return "listener" in item ? item.listener : undefined;
}

function tables(): Tables {
  return perModelKind(() => new Map()) as Tables;
}

export function emptyChanges(): GatewayChanges {
  return perModelKind(() => new Map()) as GatewayChanges;
}

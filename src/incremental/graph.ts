import { Batches } from "./batches.ts";
import type { Collection, Equals, Fault, Index, Input, NodeOptions } from "./collection.ts";
import { CountStore } from "./count-store.ts";
import { DeriveStore, type DeriveFunction } from "./derive-store.ts";
import { GraphError } from "./errors.ts";
import type { GroupsOf } from "./grouping-store.ts";
import { IndexStore } from "./index-store.ts";
import { InputStore } from "./input-store.ts";
import { MapStore, type MapFunction } from "./map-store.ts";
import { Store, type Node } from "./store.ts";
import { UnionStore } from "./union-store.ts";
import type { TraceListener } from "./trace.ts";

export interface GraphOptions {
  /** Hears of what computations and subscribers threw. Without it the outermost batch throws once all is settled. */
  readonly onFault?: (fault: Fault) => void;
}

/** Keyed collections, and collections derived from them, which follow every change at the cost of that change. */
export class Graph {
  readonly #batches: Batches;
  readonly #names = new Set<string>();

  constructor(options: GraphOptions = {}) {
    this.#batches = new Batches(options.onFault);
  }

  input<T>(name: string, options?: NodeOptions<T>): Input<T> {
    return this.#add(name, (position) => new InputStore<T>(this.#batches, name, position, options?.equals));
  }

  /** One output per source key, under the same key; `undefined` means none. */
  map<S, T>(
    name: string,
    source: Collection<S>,
    compute: MapFunction<S, T>,
    options?: NodeOptions<T>,
  ): Collection<T> {
    const equals: Equals<T> | undefined = options?.equals;
    const from = this.#own(name, source);
    return this.#add(name, (at) => new MapStore<S, T>(this.#batches, name, at, from, compute, equals));
  }

  /**
   * Any number of outputs per source key, each under a key of its own. Where several source keys give the same
   * output key, the smallest source key wins; where one source key gives it several times, the first one counts.
   */
  derive<S, T>(
    name: string,
    source: Collection<S>,
    compute: DeriveFunction<S, T>,
    options?: NodeOptions<T>,
  ): Collection<T> {
    const equals: Equals<T> | undefined = options?.equals;
    const from = this.#own(name, source);
    return this.#add(name, (at) => new DeriveStore<S, T>(this.#batches, name, at, from, compute, equals));
  }

  /** Group key → the members' values, ordered by member key. A group without members does not exist. */
  index<S>(name: string, source: Collection<S>, groupsOf: GroupsOf<S>): Index<S> {
    const from = this.#own(name, source);
    return this.#add(name, (position) => new IndexStore<S>(this.#batches, name, position, from, groupsOf));
  }

  /** Group key → how many members, in constant time per change. A group without members does not exist. */
  count<S>(name: string, source: Collection<S>, groupsOf: GroupsOf<S>): Collection<number> {
    const from = this.#own(name, source);
    return this.#add(name, (position) => new CountStore<S>(this.#batches, name, position, from, groupsOf));
  }

  /** The entries of several collections in one. Of a key that several have, the value of the first in the list counts. */
  union<T>(name: string, sources: readonly Collection<T>[]): Collection<T> {
    const from = sources.map((source) => this.#own(name, source));
    return this.#add(name, (position) => new UnionStore<T>(this.#batches, name, position, from));
  }

  /**
   * Applies all changes made in `fn` as one batch; nested batches join the outer one. What `fn` changed before it
   * threw stays changed. From within a listener, the changes follow as soon as all listeners have been told.
   */
  batch<R>(fn: () => R): R {
    return this.#batches.batch(fn);
  }

  /** Calls back for each computation, after its batch has settled. Costs nothing while nobody listens. */
  trace(listener: TraceListener): () => void {
    return this.#batches.trace(listener);
  }

  /** Node name → how many times its function has run so far; a snapshot. */
  get recomputations(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { name, runs } of this.#batches.nodes) if (runs !== undefined) counts.set(name, runs);
    return counts;
  }

  /** A node added to a filled graph is filled at once (or, within a batch, at its end). */
  #add<N extends Node>(name: string, create: (position: number) => N): N {
    const batches = this.#batches;
    batches.refuseInComputation(`create a node ("${name}")`);
    if (this.#names.has(name)) throw new GraphError("GRAPH_WIRING", `the graph already has a node "${name}"`);
    this.#names.add(name);
    const node = create(batches.nodes.length);
    batches.nodes.push(node);
    if (!(node instanceof InputStore)) batches.batch(() => batches.schedule(node));
    return node;
  }

  #own<S>(name: string, source: Collection<S>): Store<S> {
    if (source instanceof Store && source.engine === this.#batches) return source as Store<S>;
    throw new GraphError("GRAPH_WIRING", `"${name}": its source "${source.name}" is not part of this graph`);
  }
}

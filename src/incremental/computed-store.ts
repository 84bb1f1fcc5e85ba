// What map and derive have in common: one computation per source key, run again when something it read has changed.
//
// The source cell is a computation's first read, so a change or the end of a source value comes in like any other. Only
// the beginning has to be looked for: a changed source cell without a computation gets one. One that came to nothing and
// has read nothing else is let go of: most of what a node passes over is passed over for good, and must cost nothing.

import type { Cell } from "./cell.ts";
import type { Collection, Equals, Index, Read } from "./collection.ts";
import type { Edges, Reader } from "./edges.ts";
import { GraphError } from "./errors.ts";
import { Store, type Engine } from "./store.ts";
import type { TraceCause } from "./trace.ts";

/** The node of a computation, as its computations and their reads see it. */
interface Runner {
  readonly name: string;
  readonly position: number;
  readonly engine: Engine;
  enqueue(computation: Reader, cause: Cell<unknown>): void;
}

export abstract class Computation<S> implements Reader {
  source: Cell<S>;
  readonly node: Runner;
  id = 0;
  reads = 0;
  dirty = false;

  constructor(node: Runner, source: Cell<S>) {
    this.node = node;
    this.source = source;
  }

  abstract hasOutputs(): boolean;

  mark(cause: Cell<unknown>): void {
    this.node.enqueue(this, cause);
  }
}

export abstract class ComputedStore<S, T, C extends Computation<S>> extends Store<T> implements Runner {
  runs = 0;
  protected readonly read: Read;
  readonly #source: Store<S>;
  #started = false;
  #dirty: C[] = [];
  #causes: Map<C, TraceCause[]> | undefined;

  constructor(
    engine: Engine,
    name: string,
    position: number,
    source: Store<S>,
    equals: Equals<T> | undefined,
  ) {
    super(engine, name, position, equals);
    this.#source = source;
    this.read = new RecordedRead(this, engine.edges);
    source.followers.push(this);
  }

  protected abstract begin(source: Cell<S>): C;
  /** Calls the user's function and takes in its outputs. What it throws is a fault of this key. */
  protected abstract run(computation: C, value: S): void;
  /** Takes back all outputs. */
  protected abstract clear(computation: C): void;
  /** After all computations of this batch have run. */
  protected conclude(): void {}

  enqueue(computation: C, cause: Cell<unknown>): void {
    if (!computation.dirty) {
      computation.dirty = true;
      this.#dirty.push(computation);
      this.engine.schedule(this);
    }
    if (this.engine.tracing) this.#noteCause(computation, cause);
  }

  visit(): void {
    const known = this.#dirty;
    this.#dirty = [];
    const fresh = this.#cellsWithout(known);
    for (const computation of known) this.#update(computation);
    const begun = this.#begin(fresh);
    this.conclude();
    if (this.engine.tracing) {
      for (const computation of [...known, ...begun]) {
        const because = this.#causes?.get(computation) ?? [];
        this.record(computation.source.key, because, this.changedBy(computation));
      }
    }
    this.#causes = undefined;
  }

  /** The keys that changed through this computation's run; asked for while tracing only. */
  protected abstract changedBy(computation: C): readonly string[];

  /** The changed cells that have no computation yet. */
  *#cellsWithout(computations: readonly C[]): Iterable<Cell<S>> {
    const cells = this.#started ? this.#source.changed : this.#source.cells.values();
    this.#started = true;
    const known = new Set(computations.map(({ source }) => source));
    for (const cell of cells) if (cell.value !== undefined && !known.has(cell)) yield cell;
  }

  /** One that is let go of serves for the next cell. While tracing, all are told apart. */
  #begin(cells: Iterable<Cell<S>>): readonly C[] {
    const { tracing } = this.engine;
    const begun: C[] = [];
    let idle: C | undefined;
    for (const cell of cells) {
      const computation = idle ?? this.begin(cell);
      computation.source = cell;
      if (tracing) {
        begun.push(computation);
        if (cell.touched) this.#noteCause(computation, cell);
      }
      idle = this.#update(computation) || tracing ? undefined : computation;
    }
    return begun;
  }

  /** Whether it is still needed. */
  #update(computation: C): boolean {
    computation.dirty = false;
    const { edges } = this.engine;
    const { value, key } = computation.source;
    if (value === undefined) {
      edges.drop(computation);
      this.clear(computation);
      return false;
    }
    this.runs++;
    edges.begin(computation);
    try {
      edges.record(computation.source);
      this.run(computation, value);
    } catch (error) {
      this.clear(computation);
      this.engine.fault(this.name, key, error);
    } finally {
      edges.end();
    }
    if (computation.hasOutputs() || !edges.hasOneRead(computation)) return true;
    edges.drop(computation);
    return false;
  }

  #noteCause(computation: C, cause: Cell<unknown>): void {
    this.#causes ??= new Map();
    const causes = this.#causes.get(computation);
    const entry = { node: cause.home.name, key: cause.key };
    if (causes === undefined) this.#causes.set(computation, [entry]);
    else causes.push(entry);
  }
}

const NONE: readonly never[] = Object.freeze([]);

/** One per node: records each read as an edge of the computation that is running. */
class RecordedRead implements Read {
  readonly #node: Runner;
  readonly #edges: Edges;

  constructor(node: Runner, edges: Edges) {
    this.#node = node;
    this.#edges = edges;
  }

  one<T>(collection: Collection<T>, key: string): T | undefined {
    const store = this.#admit(collection);
    const { expected } = this.#edges;
    const isExpected = expected?.key === key && expected.home === store && expected !== store.whole;
    const cell = isExpected ? (expected as Cell<T>) : store.cellFor(key);
    this.#edges.record(cell);
    return cell.value;
  }

  all<T>(index: Index<T>, key: string): readonly T[] {
    return this.one(index, key) ?? NONE;
  }

  every<T>(collection: Collection<T>): Iterable<readonly [string, T]> {
    const store = this.#admit(collection);
    this.#edges.record(store.wholeCell());
    return store.sortedEntries();
  }

  #admit<T>(collection: Collection<T>): Store<T> {
    const node = this.#node;
    const store = collection as Store<T>;
    const isRunning = (this.#edges.current as Computation<unknown> | undefined)?.node === node;
    if (isRunning && store.engine === node.engine && store.position < node.position) return store;
    throw new GraphError(
      "GRAPH_READ",
      `"${node.name}" read "${collection.name}"${whyNot(node, store, isRunning)}`,
    );
  }
}

function whyNot<T>(node: Runner, store: Store<T>, isRunning: boolean): string {
  if (!isRunning) return " outside its computation: it can read only while it runs, not later";
  if (store.engine !== node.engine) return ", which is not part of this graph";
  return `, which was created after it: create "${store.name}" first`;
}

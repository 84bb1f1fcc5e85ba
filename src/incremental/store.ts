// What all nodes have in common: cells by key, the list of what changed in the batch under way, and subscriptions.
//
// Life of a change: `write` notes the cell as touched and keeps what it was; the engine visits the node, which leaves in
// `changed` only the cells that really differ, and publishes those to the readers; when the whole graph has settled, the
// engine takes `changes()` for the subscribers and then calls `release()`.

import { Cell, type Home } from "./cell.ts";
import type { Change, Collection, Equals, Listener } from "./collection.ts";
import type { Edges } from "./edges.ts";
import { deepEqual } from "./deep-equal.ts";
import { SortedKeys } from "./sorted-keys.ts";
import type { TraceCause, TraceEntry } from "./trace.ts";

/** What a node needs from the graph it is in. */
export interface Engine {
  readonly edges: Edges;
  readonly tracing: boolean;
  readonly batchNumber: number;
  /** A batch is open: its end will settle what is written now. */
  readonly isBatching: boolean;
  /** Throws when called from inside a computation. */
  refuseInComputation(what: string): void;
  batch<R>(fn: () => R): R;
  schedule(node: Node): void;
  fault(node: string, key: string, error: unknown): void;
  record(entry: TraceEntry): void;
}

/** A node as the engine sees it, whatever its values are. */
export interface Node {
  readonly name: string;
  /** Position in the order of creation, which is the order of visits. */
  readonly position: number;
  readonly subscriptions: ReadonlySet<Subscription>;
  /** Nodes whose source this is: they look at `changed` themselves. */
  readonly followers: readonly Node[];
  /** How many computations it has run; `undefined` where nothing is computed. */
  readonly runs: number | undefined;
  scheduled: boolean;
  /** Cells written in this batch; after the visit, only those that really changed. */
  readonly changed: readonly Cell<unknown>[];
  /** Stands for the collection as a whole; exists while somebody reads all of it. */
  readonly whole: Cell<unknown> | undefined;
  /** Brings the node up to date with what has changed upstream. Must not throw. */
  visit(): void;
  /** What changed in this batch, by key in code-unit order. */
  changes(): ReadonlyMap<string, Change<unknown>>;
  /** Ends the batch for this node. */
  release(): void;
}

export interface Subscription {
  readonly tell: (changes: ReadonlyMap<string, Change<never>>) => void;
  active: boolean;
}

export abstract class Store<T> implements Collection<T>, Home, Node {
  readonly name: string;
  readonly position: number;
  readonly engine: Engine;
  readonly cells = new Map<string, Cell<T>>();
  readonly subscriptions = new Set<Subscription>();
  readonly followers: Node[] = [];
  scheduled = false;
  changed: Cell<T>[] = [];
  whole: Cell<unknown> | undefined = undefined;
  abstract readonly runs: number | undefined;
  protected readonly equals: Equals<T>;
  #present = 0;
  #order = new SortedKeys();
  #entries: readonly (readonly [string, T])[] | undefined;

  constructor(engine: Engine, name: string, position: number, equals: Equals<T> = deepEqual) {
    this.engine = engine;
    this.name = name;
    this.position = position;
    this.equals = equals;
  }

  abstract visit(): void;

  get size(): number {
    this.#refuseUntracked();
    return this.#present;
  }

  get(key: string): T | undefined {
    this.#refuseUntracked();
    return this.cells.get(key)?.value;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  keys(): Iterable<string> {
    this.#refuseUntracked();
    return this.#sortedKeys();
  }

  entries(): Iterable<readonly [string, T]> {
    this.#refuseUntracked();
    return this.sortedEntries();
  }

  subscribe(listener: Listener<T>): () => void {
    const subscription: Subscription = { tell: listener, active: true };
    this.subscriptions.add(subscription);
    return () => {
      subscription.active = false;
      this.subscriptions.delete(subscription);
    };
  }

  /** The cell of a key, made if need be: the caller gives it a value or a reader. */
  cellFor(key: string): Cell<T> {
    let cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, (cell = this.newCell(key)));
    return cell;
  }

  protected newCell(key: string): Cell<T> {
    return new Cell<T>(this, key);
  }

  wholeCell(): Cell<unknown> {
    return (this.whole ??= new Cell<unknown>(this, ""));
  }

  sortedEntries(): readonly (readonly [string, T])[] {
    return (this.#entries ??= this.#sortedKeys().map((key) => [key, this.cells.get(key)!.value!] as const));
  }

  protected write(cell: Cell<T>, value: T | undefined): void {
    if (!cell.touched) {
      cell.touched = true;
      cell.before = cell.value;
      this.changed.push(cell);
    }
    if (cell.value === undefined && value !== undefined) {
      this.#present++;
      this.#order.arrive(cell.key, this.#present);
    } else if (cell.value !== undefined && value === undefined) {
      this.#present--;
      this.#order.depart();
    }
    cell.value = value;
    this.#entries = undefined;
  }

  /** Whether a new value is as good as the old one. An `equals` that throws is a fault, and then they differ. */
  protected same(key: string, a: T | undefined, b: T | undefined): boolean {
    if (Object.is(a, b)) return true;
    if (a === undefined || b === undefined) return false;
    try {
      return this.equals(a, b);
    } catch (error) {
      this.engine.fault(this.name, key, error);
      return false;
    }
  }

  protected record(key: string, because: readonly TraceCause[], outputs: readonly string[]): void {
    const batch = this.engine.batchNumber;
    this.engine.record({ batch, node: this.name, key, because, changed: outputs.length > 0, outputs });
  }

  changes(): ReadonlyMap<string, Change<T>> {
    const cells = [...this.changed].sort((a, b) => (a.key < b.key ? -1 : 1));
    return new Map(cells.map((cell) => [cell.key, { before: cell.before, after: cell.value }]));
  }

  release(): void {
    for (const cell of this.changed) this.settle(cell);
    this.changed = [];
  }

  protected settle(cell: Cell<T>): void {
    cell.touched = false;
    cell.before = undefined;
    if (cell.value === undefined && cell.id === 0) this.cells.delete(cell.key);
  }

  abandoned(cell: Cell<unknown>): void {
    if (cell === this.whole) this.whole = undefined;
    else if (cell.value === undefined && !cell.touched) this.cells.delete(cell.key);
  }

  #sortedKeys(): readonly string[] {
    return this.#order.list(
      (key) => this.cells.get(key)?.value !== undefined,
      () => this.#presentKeys(),
    );
  }

  *#presentKeys(): Iterable<string> {
    for (const cell of this.cells.values()) if (cell.value !== undefined) yield cell.key;
  }

  #refuseUntracked(): void {
    this.engine.refuseInComputation(`read "${this.name}" directly: use read.one, read.all or read.every`);
  }
}

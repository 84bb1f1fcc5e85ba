// Any number of outputs per source key, each under a key of its own.
//
// Each output is a claim of its computation on the cell of an output key. Nearly always a cell has one claim: then it knows just the
// computation, and the value is its own. Where it has several, it keeps a list with the value of each, in order of
// the source keys, and the first one counts, whatever the order of arrival. Runs only note what counts now in `#winning`;
// `conclude` then writes it, once per cell, however often it went to and fro.

import { Cell } from "./cell.ts";
import type { Equals, Read } from "./collection.ts";
import { Computation, ComputedStore } from "./computed-store.ts";
import type { Engine, Store } from "./store.ts";

export type DeriveFunction<S, T> = (value: S, read: Read, key: string) => Iterable<readonly [string, T]>;

interface Claim<S, T> {
  readonly computation: DeriveComputation<S, T>;
  value: T;
}

class ClaimedCell<S, T> extends Cell<T> {
  claims: DeriveComputation<S, T> | Claim<S, T>[] | undefined = undefined;
}

class DeriveComputation<S, T> extends Computation<S> {
  /** What it has a claim on; most have one. */
  outputs: ClaimedCell<S, T> | readonly ClaimedCell<S, T>[] | undefined = undefined;

  hasOutputs(): boolean {
    return this.outputs !== undefined;
  }
}

export class DeriveStore<S, T> extends ComputedStore<S, T, DeriveComputation<S, T>> {
  readonly #compute: DeriveFunction<S, T>;
  #winning = new Map<ClaimedCell<S, T>, T | undefined>();
  /** While tracing: the cells whose claims a computation changed. */
  #claimed = new Map<DeriveComputation<S, T>, Set<ClaimedCell<S, T>>>();

  constructor(
    engine: Engine,
    name: string,
    position: number,
    source: Store<S>,
    compute: DeriveFunction<S, T>,
    equals?: Equals<T>,
  ) {
    super(engine, name, position, source, equals);
    this.#compute = compute;
  }

  protected override newCell(key: string): Cell<T> {
    return new ClaimedCell<S, T>(this, key);
  }

  protected begin(source: Cell<S>): DeriveComputation<S, T> {
    return new DeriveComputation<S, T>(this, source);
  }

  protected run(computation: DeriveComputation<S, T>, value: S): void {
    const compute = this.#compute;
    // The function may be a generator: it reads while it is iterated, and nothing counts unless it gets to its end.
    const result = compute(value, this.read, computation.source.key);
    const outputs = Array.isArray(result) ? (result as (readonly [string, T])[]) : [...result];
    const [first] = outputs;
    if (first === undefined) this.clear(computation);
    else if (outputs.length === 1) this.#claimOne(computation, first);
    else this.#claimAll(computation, outputs);
  }

  protected clear(computation: DeriveComputation<S, T>): void {
    for (const cell of listed(computation.outputs)) this.#withdraw(computation, cell);
    computation.outputs = undefined;
  }

  protected override conclude(): void {
    for (const [cell, value] of this.#winning) {
      if (this.same(cell.key, cell.value, value)) this.#keepOld(cell);
      else this.write(cell, value);
    }
    this.#winning.clear();
  }

  protected changedBy(computation: DeriveComputation<S, T>): readonly string[] {
    const cells = [...(this.#claimed.get(computation) ?? [])];
    this.#claimed.delete(computation);
    return cells.filter(({ touched }) => touched).map(({ key }) => key);
  }

  #claimOne(computation: DeriveComputation<S, T>, [key, value]: readonly [string, T]): void {
    const old = computation.outputs;
    if (value === undefined || Array.isArray(old)) return this.#claimAll(computation, [[key, value]]);
    const before = old as ClaimedCell<S, T> | undefined;
    const cell = before?.key === key ? before : (this.cellFor(key) as ClaimedCell<S, T>);
    this.#claim(computation, cell, value);
    if (before !== undefined && before !== cell) this.#withdraw(computation, before);
    computation.outputs = cell;
  }

  #claimAll(computation: DeriveComputation<S, T>, outputs: readonly (readonly [string, T])[]): void {
    const old = listed(computation.outputs);
    const cells = new Set<ClaimedCell<S, T>>();
    for (const [key, value] of outputs) {
      if (value === undefined) continue;
      const cell = this.cellFor(key) as ClaimedCell<S, T>;
      if (cells.has(cell)) continue; // Of several outputs of one computation under one key, the first counts.
      cells.add(cell);
      this.#claim(computation, cell, value);
    }
    for (const cell of old) if (!cells.has(cell)) this.#withdraw(computation, cell);
    computation.outputs = unlisted([...cells]);
  }

  #claim(computation: DeriveComputation<S, T>, cell: ClaimedCell<S, T>, value: T): void {
    this.#note(computation, cell);
    const { claims } = cell;
    if (claims === undefined || claims === computation) {
      cell.claims = computation;
      this.#winning.set(cell, value);
      return;
    }
    const list = Array.isArray(claims) ? claims : [{ computation: claims, value: this.#valueOf(cell)! }];
    const at = rank(list, computation.source.key);
    if (list[at]?.computation === computation) list[at]!.value = value;
    else list.splice(at, 0, { computation, value });
    cell.claims = list;
    this.#winning.set(cell, list[0]!.value);
  }

  #withdraw(computation: DeriveComputation<S, T>, cell: ClaimedCell<S, T>): void {
    this.#note(computation, cell);
    const { claims } = cell;
    if (!Array.isArray(claims)) {
      cell.claims = undefined;
      this.#winning.set(cell, undefined);
      return;
    }
    claims.splice(rank(claims, computation.source.key), 1);
    if (claims.length === 1) cell.claims = claims[0]!.computation;
    this.#winning.set(cell, claims[0]!.value);
  }

  /** What counts as of now, written or not. */
  #valueOf(cell: ClaimedCell<S, T>): T | undefined {
    return this.#winning.has(cell) ? this.#winning.get(cell) : cell.value;
  }

  /** An equal value gives way to the old one, also where rivals may come back to it. */
  #keepOld(cell: ClaimedCell<S, T>): void {
    if (Array.isArray(cell.claims) && cell.value !== undefined) cell.claims[0]!.value = cell.value;
  }

  #note(computation: DeriveComputation<S, T>, cell: ClaimedCell<S, T>): void {
    if (!this.engine.tracing) return;
    const cells = this.#claimed.get(computation);
    if (cells === undefined) this.#claimed.set(computation, new Set([cell]));
    else cells.add(cell);
  }
}

type Outputs<S, T> = DeriveComputation<S, T>["outputs"];

function listed<S, T>(outputs: Outputs<S, T>): readonly ClaimedCell<S, T>[] {
  if (outputs === undefined) return [];
  return outputs instanceof ClaimedCell ? [outputs] : outputs;
}

function unlisted<S, T>(cells: readonly ClaimedCell<S, T>[]): Outputs<S, T> {
  return cells.length > 1 ? cells : cells[0];
}

/** Where a source key is, or would be, in a list of claims. */
function rank<S, T>(claims: readonly Claim<S, T>[], sourceKey: string): number {
  let low = 0;
  let high = claims.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (claims[middle]!.computation.source.key < sourceKey) low = middle + 1;
    else high = middle;
  }
  return low;
}

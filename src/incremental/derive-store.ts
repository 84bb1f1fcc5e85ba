// Any number of outputs per source key, each under a key of its own.
//
// Each output is a claim of its computation on an output key. Nearly always a key has one claim; where it has several
// they stand in order of their source keys and the first one counts, whatever the order of arrival. Runs only change claims;
// `conclude` then looks once at each output key whose claims were changed and writes what counts now.

import type { Cell } from "./cell.ts";
import type { Equals, Read } from "./collection.ts";
import { Computation, ComputedStore } from "./computed-store.ts";
import type { Engine, Store } from "./store.ts";

export type DeriveFunction<S, T> = (value: S, read: Read, key: string) => Iterable<readonly [string, T]>;

interface Claim<T> {
  readonly key: string;
  readonly sourceKey: string;
  value: T;
}

const NO_CLAIMS: readonly never[] = Object.freeze([]);

class DeriveComputation<S, T> extends Computation<S> {
  claims: readonly Claim<T>[] = NO_CLAIMS;
}

export class DeriveStore<S, T> extends ComputedStore<S, T, DeriveComputation<S, T>> {
  readonly #compute: DeriveFunction<S, T>;
  /** By output key; a list only where there are several, in order of source keys. */
  readonly #claims = new Map<string, Claim<T> | Claim<T>[]>();
  #unsettled = new Set<string>();
  /** While tracing: the output keys whose claims a computation changed. */
  #touchedBy = new Map<string, Set<string>>();

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

  protected begin(source: Cell<S>): DeriveComputation<S, T> {
    return new DeriveComputation<S, T>(this, source);
  }

  protected run(computation: DeriveComputation<S, T>, value: S): void {
    const sourceKey = computation.source.key;
    const compute = this.#compute;
    // The function may be a generator: it reads while it is iterated, and nothing counts unless it gets to its end.
    const outputs: (readonly [string, T])[] = [];
    for (const output of compute(value, this.read, sourceKey)) {
      if (output[1] !== undefined) outputs.push(output);
    }
    const old = computation.claims;
    if (isSameKeys(old, outputs)) {
      for (let i = 0; i < outputs.length; i++) this.#revalue(old[i]!, outputs[i]![1]);
    } else {
      computation.claims = this.#exchange(old, outputs, sourceKey);
    }
  }

  protected clear(computation: DeriveComputation<S, T>): void {
    for (const claim of computation.claims) this.#withdraw(claim);
    computation.claims = NO_CLAIMS;
  }

  protected override conclude(): void {
    for (const key of this.#unsettled) {
      const claims = this.#claims.get(key);
      const winner = Array.isArray(claims) ? claims[0]! : claims;
      if (winner === undefined) {
        const cell = this.cells.get(key);
        if (cell?.value !== undefined) this.write(cell, undefined);
        continue;
      }
      const cell = this.cellFor(key);
      if (cell.value !== undefined && this.same(key, cell.value, winner.value)) winner.value = cell.value;
      else this.write(cell, winner.value);
    }
    this.#unsettled.clear();
  }

  protected changedBy(computation: DeriveComputation<S, T>): readonly string[] {
    const touched = this.#touchedBy.get(computation.source.key) ?? [];
    this.#touchedBy.delete(computation.source.key);
    return [...touched].filter((key) => this.cells.get(key)?.touched === true);
  }

  #exchange(
    old: readonly Claim<T>[],
    outputs: readonly (readonly [string, T])[],
    sourceKey: string,
  ): readonly Claim<T>[] {
    const leftover = new Map(old.map((claim) => [claim.key, claim]));
    const claims = new Map<string, Claim<T>>();
    for (const [key, value] of outputs) {
      if (claims.has(key)) continue; // Of several outputs of one computation under one key, the first counts.
      const kept = leftover.get(key);
      if (kept === undefined) {
        const claim = { key, sourceKey, value };
        claims.set(key, claim);
        this.#stake(claim);
      } else {
        leftover.delete(key);
        claims.set(key, kept);
        this.#revalue(kept, value);
      }
    }
    for (const claim of leftover.values()) this.#withdraw(claim);
    return claims.size === 0 ? NO_CLAIMS : [...claims.values()];
  }

  #revalue(claim: Claim<T>, value: T): void {
    if (Object.is(claim.value, value)) return;
    claim.value = value;
    this.#unsettle(claim);
  }

  #stake(claim: Claim<T>): void {
    const present = this.#claims.get(claim.key);
    if (present === undefined) this.#claims.set(claim.key, claim);
    else if (Array.isArray(present)) present.splice(rank(present, claim.sourceKey), 0, claim);
    else
      this.#claims.set(claim.key, present.sourceKey < claim.sourceKey ? [present, claim] : [claim, present]);
    this.#unsettle(claim);
  }

  #withdraw(claim: Claim<T>): void {
    const present = this.#claims.get(claim.key);
    if (!Array.isArray(present)) this.#claims.delete(claim.key);
    else {
      present.splice(rank(present, claim.sourceKey), 1);
      if (present.length === 1) this.#claims.set(claim.key, present[0]!);
    }
    this.#unsettle(claim);
  }

  #unsettle(claim: Claim<T>): void {
    this.#unsettled.add(claim.key);
    if (!this.engine.tracing) return;
    const touched = this.#touchedBy.get(claim.sourceKey);
    if (touched === undefined) this.#touchedBy.set(claim.sourceKey, new Set([claim.key]));
    else touched.add(claim.key);
  }
}

function isSameKeys<T>(claims: readonly Claim<T>[], outputs: readonly (readonly [string, T])[]): boolean {
  return claims.length === outputs.length && claims.every((claim, i) => claim.key === outputs[i]![0]);
}

/** Where a source key is, or would be, in a list of claims. */
function rank<T>(claims: readonly Claim<T>[], sourceKey: string): number {
  let low = 0;
  let high = claims.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (claims[middle]!.sourceKey < sourceKey) low = middle + 1;
    else high = middle;
  }
  return low;
}

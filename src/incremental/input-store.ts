import type { Cell } from "./cell.ts";
import type { Input } from "./collection.ts";
import { Store } from "./store.ts";

/** A collection filled from outside. Its own reads see the batch under way; derived collections follow at its end. */
export class InputStore<T> extends Store<T> implements Input<T> {
  readonly runs = undefined;

  set(key: string, value: T): void {
    this.#change(key, value);
  }

  delete(key: string): void {
    this.#change(key, undefined);
  }

  #change(key: string, value: T | undefined): void {
    this.engine.refuseInComputation(`change "${this.name}"`);
    if (value === undefined && this.cells.get(key)?.value === undefined) return;
    if (this.engine.isBatching) this.#write(key, value);
    else this.engine.batch(() => this.#write(key, value));
  }

  #write(key: string, value: T | undefined): void {
    this.write(this.cellFor(key), value);
    this.engine.schedule(this);
  }

  /** Only what differs from the last settled state counts; an equal value gives way to the old one. */
  visit(): void {
    const touched = this.changed;
    this.changed = [];
    for (const cell of touched) {
      const changed = !this.same(cell.key, cell.before, cell.value);
      if (changed) this.changed.push(cell);
      else this.#restore(cell);
      if (this.engine.tracing) this.record(cell.key, [], changed ? [cell.key] : []);
    }
  }

  #restore(cell: Cell<T>): void {
    if (!Object.is(cell.value, cell.before)) this.write(cell, cell.before);
    this.settle(cell);
  }
}

import { deepEqual } from "../../incremental/index.ts";
import type { ModelKind } from "../../model/index.ts";
import type { References } from "./references.ts";

/** How the items of one of the four interfaces are handed over, and what they are in the model. */
export interface LedgerCalls<T> {
  add(name: string, value: T): unknown;
  update(name: string, value: T): unknown;
  remove(name: string, value: T): unknown;
  references(value: T): References;
  /** The item of the model that reports are about. */
  itemOf(name: string): { readonly kind: ModelKind; readonly key: string };
}

/**
 * The books of one interface: what is wanted, what the data plane holds, and the names where the two may differ (`open`).
 * What a failed call has left behind is in doubt: it is never taken for equal to what is wanted.
 */
export class Ledger<T> {
  readonly calls: LedgerCalls<T>;
  readonly wanted = new Map<string, T>();
  readonly held = new Map<string, T>();
  readonly open = new Set<string>();
  readonly #inDoubt = new Set<string>();

  constructor(calls: LedgerCalls<T>) {
    this.calls = calls;
  }

  want(name: string, value: T | undefined): void {
    if (value === undefined) this.wanted.delete(name);
    else this.wanted.set(name, value);
    this.open.add(name);
  }

  /** The data plane holds exactly what is wanted. */
  isInForce(name: string): boolean {
    const value = this.held.get(name);
    return value !== undefined && !this.#inDoubt.has(name) && deepEqual(value, this.wanted.get(name));
  }

  /** Hands over what is wanted; gives what the data plane answered. */
  async add(name: string, value: T): Promise<unknown> {
    const { calls, held } = this;
    const answer = await this.#attempt(name, () =>
      held.has(name) ? calls.update(name, value) : calls.add(name, value),
    );
    held.set(name, value);
    return answer;
  }

  async remove(name: string): Promise<void> {
    const value = this.held.get(name);
    if (value !== undefined) await this.#attempt(name, () => this.calls.remove(name, value));
    this.held.delete(name);
    this.#inDoubt.delete(name);
  }

  async #attempt(name: string, call: () => unknown): Promise<unknown> {
    this.#inDoubt.add(name);
    const answer = await call();
    this.#inDoubt.delete(name);
    return answer;
  }
}

import type { StatusWrite } from "./status-writer.ts";

/** Writes that wait, one for each object, in the order in which they came; urgent ones before all others. */
export class StatusQueue {
  readonly #urgent = new Map<string, StatusWrite>();
  readonly #others = new Map<string, StatusWrite>();

  get size(): number {
    return this.#urgent.size + this.#others.size;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): StatusWrite | undefined {
    return this.#urgent.get(key) ?? this.#others.get(key);
  }

  /** In place of one of the same object. */
  put(write: StatusWrite): void {
    const queue = write.isUrgent ? this.#urgent : this.#others;
    queue.set(write.key, write);
  }

  delete(key: string): void {
    this.#urgent.delete(key);
    this.#others.delete(key);
  }

  clear(): void {
    this.#urgent.clear();
    this.#others.clear();
  }

  *[Symbol.iterator](): Iterator<StatusWrite> {
    yield* this.#urgent.values();
    yield* this.#others.values();
  }
}

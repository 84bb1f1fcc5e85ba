interface Waiting {
  /** Of the object. */
  readonly key: string;
  readonly isUrgent?: boolean;
}

/** Writes that wait, one for each object, in the order in which they came; urgent ones before all others. */
export class StatusQueue<Write extends Waiting> {
  readonly #urgent = new Map<string, Write>();
  readonly #others = new Map<string, Write>();

  get size(): number {
    return this.#urgent.size + this.#others.size;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): Write | undefined {
    return this.#urgent.get(key) ?? this.#others.get(key);
  }

  /** In place of one of the same object. */
  put(write: Write): void {
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

  *[Symbol.iterator](): Iterator<Write> {
    yield* this.#urgent.values();
    yield* this.#others.values();
  }
}

/** Who refers to what, found from either side. */
export class References {
  readonly #by = new Map<string, Set<string>>();
  readonly #of = new Map<string, readonly string[]>();

  /** `from` refers to these, and to nothing else. */
  set(from: string, to: readonly string[]): void {
    this.delete(from);
    if (to.length === 0) return;
    this.#of.set(from, to);
    for (const key of to) {
      const known = this.#by.get(key);
      if (known) known.add(from);
      else this.#by.set(key, new Set([from]));
    }
  }

  delete(from: string): void {
    for (const key of this.#of.get(from) ?? []) {
      const known = this.#by.get(key);
      known?.delete(from);
      if (known?.size === 0) this.#by.delete(key);
    }
    this.#of.delete(from);
  }

  /** All that refer to `to`. */
  of(to: string): Iterable<string> {
    return this.#by.get(to) ?? [];
  }
}

import { Store, type Engine } from "./store.ts";

/** The entries of several collections in one. Of a key that several have, the value of the first in the list counts. */
export class UnionStore<T> extends Store<T> {
  readonly runs = undefined;
  readonly #sources: readonly Store<T>[];
  #started = false;

  constructor(engine: Engine, name: string, position: number, sources: readonly Store<T>[]) {
    super(engine, name, position);
    this.#sources = sources;
    for (const source of sources) source.followers.push(this);
  }

  visit(): void {
    const seen = new Set<string>();
    for (const source of this.#sources) {
      for (const { key } of this.#started ? source.changed : source.cells.values()) {
        if (!seen.has(key)) this.#take(key, source.name);
        seen.add(key);
      }
    }
    this.#started = true;
  }

  #take(key: string, source: string): void {
    const value = this.#first(key);
    const cell = this.cells.get(key);
    if (this.same(key, cell?.value, value)) return;
    this.write(cell ?? this.cellFor(key), value);
    if (this.engine.tracing) this.record(key, [{ node: source, key }], [key]);
  }

  #first(key: string): T | undefined {
    for (const source of this.#sources) {
      const value = source.cells.get(key)?.value;
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

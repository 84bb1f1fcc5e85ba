// The keys of a collection in code-unit order, made when somebody first asks and then kept by merging.
//
// State: `keys`, sorted as of the last request, and `arrivals`, the keys added since then. A key that left stays in
// the list until the next request sifts it out. A list that nobody asks for any more is thrown away as soon as
// it has seen more arrivals than there are keys.

export class SortedKeys {
  #keys: readonly string[] | undefined;
  #arrivals: string[] = [];
  #departures = false;

  arrive(key: string, size: number): void {
    if (this.#keys === undefined) return;
    if (this.#arrivals.length > size) this.#forget();
    else this.#arrivals.push(key);
  }

  depart(): void {
    this.#departures = true;
  }

  /** `has` tells which keys are present; `all` lists the present ones in any order. */
  list(has: (key: string) => boolean, all: () => Iterable<string>): readonly string[] {
    if (this.#keys === undefined) {
      this.#keys = [...all()].sort();
    } else if (this.#arrivals.length > 0) {
      // Two sorted runs back to back: sort() merges them in linear time.
      const merged = [...this.#keys, ...this.#arrivals.sort()].sort();
      this.#keys = merged.filter((key, i) => key !== merged[i - 1] && has(key));
    } else if (this.#departures) {
      this.#keys = this.#keys.filter(has);
    }
    this.#arrivals = [];
    this.#departures = false;
    return this.#keys;
  }

  #forget(): void {
    this.#keys = undefined;
    this.#arrivals = [];
  }
}

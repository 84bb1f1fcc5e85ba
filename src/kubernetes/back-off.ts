export interface BackOffOptions {
  /** ms. */
  readonly first?: number;
  readonly longest?: number;
}

/** Waiting times that double up to a bound, shortened at random so that many who wait do not come back at once. */
export class BackOff {
  readonly #first: number;
  readonly #longest: number;
  #failures = 0;

  constructor({ first = 200, longest = 10_000 }: BackOffOptions = {}) {
    this.#first = first;
    this.#longest = longest;
  }

  /** The next waiting time, ms. */
  next(): number {
    const most = Math.min(this.#first * 2 ** Math.min(this.#failures++, 30), this.#longest);
    return most * (0.5 + Math.random() / 2);
  }

  reset(): void {
    this.#failures = 0;
  }
}

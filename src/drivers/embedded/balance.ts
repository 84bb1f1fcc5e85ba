/*
 * Weighted round-robin, exact: of every `sum of weights` choices in a row each value gets as many as its weight says, and
 * they are spread evenly instead of in bursts.
 *
 * State: a credit per value. A choice adds to each credit its weight, takes the value with the most credit (the first
 * among equals) and takes the sum of all weights off that one's credit. Credits always add up to zero.
 */
export class WeightedRoundRobin<T> {
  readonly #values: readonly T[];
  readonly #weights: readonly number[];
  readonly #credits: number[];
  readonly #sum: number;

  /** Values of weight 0 are never chosen. */
  constructor(choices: readonly { readonly weight: number; readonly value: T }[]) {
    const chosen = choices.filter(({ weight }) => weight > 0);
    this.#values = chosen.map(({ value }) => value);
    this.#weights = chosen.map(({ weight }) => weight);
    this.#credits = chosen.map(() => 0);
    this.#sum = this.#weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** `undefined` if there is nothing to choose from. */
  next(): T | undefined {
    if (this.#values.length < 2) return this.#values[0];
    let best = 0;
    for (let index = 0; index < this.#credits.length; index++) {
      const credit = this.#credits[index]! + this.#weights[index]!;
      this.#credits[index] = credit;
      if (credit > this.#credits[best]!) best = index;
    }
    this.#credits[best]! -= this.#sum;
    return this.#values[best];
  }
}

/** Takes turns among equals. The list may be replaced at any time; the turn goes on from where it was. */
export class Rotation<T> {
  #values: readonly T[];
  #turn: number;

  constructor(values: readonly T[], turn = 0) {
    this.#values = values;
    this.#turn = turn;
  }

  get values(): readonly T[] {
    return this.#values;
  }

  replace(values: readonly T[]): void {
    this.#values = values;
  }

  /** All values, the one whose turn it is first: whom to try, in which order. */
  next(): readonly T[] {
    const { length } = this.#values;
    if (length < 2) return this.#values;
    const first = this.#turn++ % length;
    return first === 0 ? this.#values : [...this.#values.slice(first), ...this.#values.slice(0, first)];
  }

  /** The value whose turn it is. */
  nextOne(): T | undefined {
    const { length } = this.#values;
    return length < 2 ? this.#values[0] : this.#values[this.#turn++ % length];
  }
}

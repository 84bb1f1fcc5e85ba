/** Random choices that a seed repeats (the generator is mulberry32). */
export class Lots {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, not including, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Different ones, at most `most`, at least `least`. */
  some<T>(values: readonly T[], most: number, least = 0): T[] {
    const left = [...values];
    const count = least + this.below(most - least + 1);
    return Array.from(
      { length: Math.min(count, values.length) },
      () => left.splice(this.below(left.length), 1)[0]!,
    );
  }
}

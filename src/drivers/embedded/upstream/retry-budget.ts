/*
 * How many retries a backend may be asked for: at most `percent` of the requests of the last `interval`, and in any case
 * `minRetries` per `minInterval`, so that a quiet backend can be retried at all.
 *
 * State: two sliding windows, each a ring of ten counters for a tenth of its length. A count is therefore off by at most a tenth.
 */
import type { RetryBudget } from "../../../model/index.ts";

const slots = 10;

class SlidingCount {
  readonly #slotLength: number;
  readonly #counts = new Float64Array(slots);
  #slot = 0;
  #total = 0;

  constructor(length: number) {
    this.#slotLength = Math.max(1, length / slots);
  }

  add(now: number): void {
    this.#advance(now);
    this.#counts[this.#slot % slots]! += 1;
    this.#total += 1;
  }

  total(now: number): number {
    this.#advance(now);
    return this.#total;
  }

  #advance(now: number): void {
    const slot = Math.floor(now / this.#slotLength);
    const passed = Math.min(slots, slot - this.#slot);
    for (let step = 1; step <= passed; step++) {
      const index = (this.#slot + step) % slots;
      this.#total -= this.#counts[index]!;
      this.#counts[index] = 0;
    }
    if (passed > 0) {
      if (passed === slots) this.#clear();
      this.#slot = slot;
    }
  }

  #clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }
}

export class RetryAllowance {
  readonly #budget: RetryBudget;
  readonly #requests: SlidingCount;
  readonly #retries: SlidingCount;
  readonly #recentRetries: SlidingCount;

  constructor(budget: RetryBudget) {
    this.#budget = budget;
    this.#requests = new SlidingCount(budget.interval);
    this.#retries = new SlidingCount(budget.interval);
    this.#recentRetries = new SlidingCount(budget.minInterval);
  }

  countRequest(now: number): void {
    this.#requests.add(now);
  }

  /** Takes a retry from the budget, if there is one left. */
  take(now: number): boolean {
    const allowed = (this.#requests.total(now) * this.#budget.percent) / 100;
    const withinShare = this.#retries.total(now) + 1 <= allowed;
    if (!withinShare && this.#recentRetries.total(now) >= this.#budget.minRetries) return false;
    this.#retries.add(now);
    this.#recentRetries.add(now);
    return true;
  }
}

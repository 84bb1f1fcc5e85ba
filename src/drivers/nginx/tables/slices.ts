import { setImmediate as nextTurn } from "node:timers/promises";

/** How long everybody else in this process may have to wait for a piece of work, ms. */
const slice = 5;

/** Long work in pieces: `await slices.next()` between two of its steps. */
export class Slices {
  #begin = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#begin < slice) return;
    await nextTurn();
    this.#begin = performance.now();
  }
}

/** Lets other work through during long work: in `run` the same thread serves traffic. */
export class Pace {
  readonly #slice: number;
  #until: number;

  constructor(sliceMs = 8) {
    this.#slice = sliceMs;
    this.#until = performance.now() + sliceMs;
  }

  isDue(): boolean {
    return performance.now() >= this.#until;
  }

  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#until = performance.now() + this.#slice;
  }
}

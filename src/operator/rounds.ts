/*
 * One round at a time. What is asked for during a round is done in one more; what is asked for together is done together. A
 * round that throws is tried again after a growing pause, for ever.
 */
const gathering = 20;
const shortestPause = 250;
const longestPause = 30_000;

export class Rounds {
  readonly #round: () => Promise<number | undefined>;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #running: Promise<void> | undefined;
  #failures = 0;
  #isStopped = false;

  /** `round` resolves to the time in ms after which another must follow, if nothing else asks for it. */
  constructor(round: () => Promise<number | undefined>, failed: (error: unknown) => void) {
    this.#round = round;
    this.#failed = failed;
  }

  ask(): void {
    this.#plan(gathering);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #plan(wait: number): void {
    const due = performance.now() + wait;
    if (this.#isStopped || due >= this.#due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    // While one runs, its end looks at what is due.
    if (!this.#running) this.#timer = setTimeout(() => this.#start(), wait);
  }

  #start(): void {
    this.#due = Infinity;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      const wait = this.#due - performance.now();
      this.#due = Infinity;
      if (wait < Infinity) this.#plan(Math.max(wait, 0));
    });
  }

  async #run(): Promise<void> {
    try {
      const next = await this.#round();
      this.#failures = 0;
      if (next !== undefined) this.#plan(next);
    } catch (error) {
      this.#failed(error);
      this.#plan(Math.min(shortestPause * 2 ** this.#failures++, longestPause));
    }
  }
}

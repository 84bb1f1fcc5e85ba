/*
 * Work by key. A key that is added while it waits is done once; one that is added while it is being done is done once more
 * afterwards; never twice at a time. At most `concurrency` keys are at work. A key may also be due later: the earliest time counts, and doing
 * it in between takes the appointment away, so whoever still needs it makes it again.
 */
export interface WorkQueueOptions {
  readonly concurrency: number;
  /** Must not reject. */
  work(key: string): Promise<void>;
}

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #later = new Map<string, { readonly timer: NodeJS.Timeout; readonly due: number }>();
  #isStopped = false;
  #idle: (() => void) | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(key);
    queueMicrotask(() => this.#next());
  }

  addAfter(key: string, milliseconds: number): void {
    if (this.#isStopped) return;
    const due = Date.now() + milliseconds;
    const planned = this.#later.get(key);
    if (planned && planned.due <= due) return;
    clearTimeout(planned?.timer);
    // Longer waits than a timer can hold are cut: who needs the time still will ask again.
    const timer = setTimeout(() => this.add(key), Math.min(Math.max(0, milliseconds), 2 ** 31 - 1));
    timer.unref();
    this.#later.set(key, { timer, due });
  }

  /** Takes nothing more; resolves when what is at work has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    for (const { timer } of this.#later.values()) clearTimeout(timer);
    this.#later.clear();
    if (this.#running.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      clearTimeout(this.#later.get(key)?.timer);
      this.#later.delete(key);
      this.#running.add(key);
      void this.#options.work(key).finally(() => {
        this.#running.delete(key);
        if (this.#isStopped && this.#running.size === 0) this.#idle?.();
        this.#next();
      });
    }
  }
}

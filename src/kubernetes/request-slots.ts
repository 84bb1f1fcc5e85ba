import { KubernetesError } from "./error.ts";

/** How many requests are under way at once, and how many may wait. Whoever comes after that is told so. */
export class RequestSlots {
  readonly #most: number;
  readonly #mostWaiting: number;
  #taken = 0;
  readonly #waiting: Set<() => void> = new Set();

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  async take(signal: AbortSignal): Promise<void> {
    if (this.#taken < this.#most) {
      this.#taken++;
      return;
    }
    if (this.#waiting.size >= this.#mostWaiting) {
      throw new KubernetesError(`${this.#mostWaiting} requests to the API server wait already`, {
        code: "KUBERNETES_OVERLOADED",
      });
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(begin);
        reject(signal.reason as Error);
      };
      // The slot is handed on, so it stays counted.
      const begin = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(begin);
    });
  }

  give(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

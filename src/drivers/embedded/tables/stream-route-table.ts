import type { StreamRoute } from "../../../model/index.ts";
import { StreamChoice } from "../stream/stream-choice.ts";

/** Where the connections and sessions of `tcp` and `udp` listeners go; a route's key is its listener's. */
export class StreamRouteTable {
  readonly #choices = new Map<string, StreamChoice>();

  get size(): number {
    return this.#choices.size;
  }

  of(listener: string): StreamChoice | undefined {
    return this.#choices.get(listener);
  }

  set({ key, backends }: StreamRoute): void {
    this.#choices.set(key, this.#choices.get(key)?.among(backends) ?? new StreamChoice(backends));
  }

  delete(key: string): void {
    this.#choices.delete(key);
  }
}

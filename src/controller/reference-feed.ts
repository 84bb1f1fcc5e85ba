import type { Change, Collection } from "../incremental/index.ts";
import type { ObjectName } from "../model/index.ts";
import type { Source } from "../sources/index.ts";

export interface ReferenceFeedEvents {
  /** All that was asked for is there, or known to be missing. */
  complete(): void;
  failed(error: unknown): void;
}

/**
 * Asks the source for the Secrets and ConfigMaps that are referred to. Nothing is programmed or said while an answer is
 * outstanding, so that nobody sees a Secret called missing that was merely not read yet.
 */
export class ReferenceFeed {
  readonly #source: Source;
  readonly #events: ReferenceFeedEvents;
  #outstanding = 0;

  constructor(references: Collection<ObjectName>, source: Source, events: ReferenceFeedEvents) {
    this.#source = source;
    this.#events = events;
    if (source.want) references.subscribe((changes) => void this.#ask(changes));
  }

  get isIncomplete(): boolean {
    return this.#outstanding > 0;
  }

  async #ask(changes: ReadonlyMap<string, Change<ObjectName>>): Promise<void> {
    const added: ObjectName[] = [];
    const removed: ObjectName[] = [];
    for (const { before, after } of changes.values()) {
      if (after && !before) added.push(after);
      else if (before && !after) removed.push(before);
    }
    if (added.length === 0 && removed.length === 0) return;
    this.#outstanding++;
    try {
      await this.#source.want?.(added, removed);
    } catch (error) {
      this.#events.failed(error);
    } finally {
      this.#outstanding--;
    }
    if (!this.isIncomplete) this.#events.complete();
  }
}

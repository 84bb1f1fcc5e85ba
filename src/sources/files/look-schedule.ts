/**
 * When to look, and at what. Events that come together lead to one look: it begins when there was none for
 * `debounceMs`, and ten times that after the first at the latest. Looks never overlap. Now and then everything is looked
 * at without an event: some file systems (network mounts, shared folders of virtual machines) never send any.
 */
import { join } from "node:path";

export interface LookRequest {
  /** Look for files that came or went; else only at the named ones. */
  readonly isFull: boolean;
  /** Files that an event named: their content is compared, whatever their times say. */
  readonly named: ReadonlySet<string>;
  /** An event named no file: all contents are compared. */
  readonly isVague: boolean;
}

/** So many events may mean that the system has dropped others. */
const mostNames = 1_000;

export class LookSchedule {
  readonly #debounceMs: number;
  readonly #look: (request: LookRequest) => Promise<void>;
  readonly #recalls = new Map<string, NodeJS.Timeout>();
  #named = new Set<string>();
  #isFull = false;
  #isVague = false;
  #firstEvent: number | undefined;
  #debounce: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(debounceMs: number, look: (request: LookRequest) => Promise<void>) {
    this.#debounceMs = debounceMs;
    this.#look = look;
  }

  /** Something happened to a name in a directory; undefined: to anything in it. */
  noteEvent(directory: string, name: string | undefined): void {
    if (this.#isStopped) return;
    if (name !== undefined && this.#named.size < mostNames) this.#named.add(join(directory, name));
    else this.#isFull = true;
    this.#isVague ||= name === undefined;
    const now = performance.now();
    this.#firstEvent ??= now;
    const latest = this.#firstEvent + 10 * this.#debounceMs;
    clearTimeout(this.#debounce);
    this.#debounce = setTimeout(() => void this.#run(), Math.min(this.#debounceMs, latest - now));
  }

  /** Looks at everything, after the look that is under way. */
  async lookNow(): Promise<void> {
    this.#isFull = true;
    await this.#run();
  }

  /** Looks at everything after a while, if there was no reason to do so before. */
  sweepIn(ms: number): void {
    clearTimeout(this.#sweep);
    if (!this.#isStopped) this.#sweep = setTimeout(() => void this.lookNow(), ms);
  }

  /** Looks at one file after a while. */
  recall(path: string, ms: number): void {
    clearTimeout(this.#recalls.get(path));
    if (this.#isStopped) return;
    const recall = () => {
      this.#recalls.delete(path);
      this.#named.add(path);
      void this.#run();
    };
    this.#recalls.set(path, setTimeout(recall, ms));
  }

  /** Resolves when the look that is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#debounce);
    clearTimeout(this.#sweep);
    for (const timer of this.#recalls.values()) clearTimeout(timer);
    await this.#last;
  }

  #run(): Promise<void> {
    const look = this.#last.then(async () => {
      if (this.#isStopped || (!this.#isFull && this.#named.size === 0)) return;
      const request = { isFull: this.#isFull, named: this.#named, isVague: this.#isVague };
      clearTimeout(this.#debounce);
      this.#firstEvent = undefined;
      this.#named = new Set();
      this.#isFull = false;
      this.#isVague = false;
      await this.#look(request);
    });
    this.#last = look.catch(() => undefined);
    return look;
  }
}

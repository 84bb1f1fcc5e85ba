/*
 * Data that no process refers to any more goes, a little later: a request may be about to read it. While a change is under way nothing goes, because
 * the change may be about to refer again to what nobody refers to yet: its files were found to be there when it began.
 */

interface DataFiles {
  readonly dataHashes: Iterable<string>;
  removeData(hash: string): void;
}

/** Longer than any request takes from reading a reference to reading what it refers to, ms. */
const afterlife = 10_000;

export class UnusedData {
  readonly #files: DataFiles;
  readonly #now: () => number;
  /** Since when. */
  readonly #unused = new Map<string, number>();
  #changes = 0;

  constructor(files: DataFiles, now: () => number = Date.now) {
    this.#files = files;
    this.#now = now;
  }

  async during<T>(change: () => Promise<T>): Promise<T> {
    this.#changes++;
    try {
      return await change();
    } finally {
      this.#changes--;
    }
  }

  collect(used: ReadonlySet<string>): void {
    if (this.#changes > 0) return;
    const now = this.#now();
    for (const hash of this.#files.dataHashes) {
      const since = this.#unused.get(hash);
      if (used.has(hash)) this.#unused.delete(hash);
      else if (since === undefined) this.#unused.set(hash, now);
      else if (now - since > afterlife) {
        this.#unused.delete(hash);
        this.#files.removeData(hash);
      }
    }
  }
}

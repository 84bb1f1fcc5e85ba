/** The last lines of a stream of text, for whoever asks why it ended. */
export class LastLines {
  readonly #count: number;
  readonly #lines: string[] = [];
  #rest = "";

  constructor(count = 5) {
    this.#count = count;
  }

  /** Returns the lines that are complete by it. */
  add(text: string): readonly string[] {
    const parts = (this.#rest + text).split("\n");
    // A line without end is cut, so that nobody can fill our memory with it.
    this.#rest = parts.pop()!.slice(-65_536);
    const lines = parts.filter((line) => line !== "");
    this.#lines.push(...lines);
    this.#lines.splice(0, this.#lines.length - this.#count);
    return lines;
  }

  toString(): string {
    return [...this.#lines, ...(this.#rest === "" ? [] : [this.#rest])].join("\n");
  }
}

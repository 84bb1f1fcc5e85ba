/** A place in a file, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets in a text into lines and columns. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    // A byte order mark is not a column.
    if (text.charCodeAt(0) === 0xfeff) this.#starts[0] = 1;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1))
      this.#starts.push(end + 1);
  }

  positionAt(offset: number): Position {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

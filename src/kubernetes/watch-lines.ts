/**
 * Cuts the bytes of a watch into lines. The bytes of a line that is not complete yet are kept as they came and put together
 * once, so that a large object that comes in many pieces costs no more than it weighs.
 */
const newline = 10;
/** etcd takes at most 1.5 MiB of an object, or a few more where it was told to. */
const longestLine = 64 << 20;

export class WatchLines {
  #pieces: Buffer[] = [];
  #size = 0;

  /** The lines that this chunk completes. */
  take(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#complete(chunk.subarray(start, end));
      if (line.length > 0) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#pieces.push(start === 0 ? chunk : chunk.subarray(start));
      this.#size += chunk.length - start;
    }
    return lines;
  }

  get isTooLong(): boolean {
    return this.#size > longestLine;
  }

  #complete(end: Buffer): Buffer {
    if (this.#pieces.length === 0) return end;
    const line = Buffer.concat([...this.#pieces, end]);
    this.#pieces = [];
    this.#size = 0;
    return line;
  }
}

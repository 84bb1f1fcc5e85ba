/*
 * The chunked transfer coding (RFC 9112 7.1), strictly: CRLF everywhere, sizes in at most 13 hexadecimal digits, extensions
 * are skipped, nothing but CRLF behind the data of a chunk.
 *
 * State: where in the grammar the next byte falls, and what is left of the chunk. Data are handed on as views of what came in.
 */
import { readFieldLines } from "./field-lines.ts";
import type { HeaderList } from "./upstream-call.ts";

const size = 0;
const extension = 1;
const sizeLineFeed = 2;
const data = 3;
const dataReturn = 4;
const dataLineFeed = 5;
const trailers = 6;
const done = 7;

const longestExtension = 1024;
/** 2^52 - 1: any more would not be exact. */
const mostDigits = 13;

export class ChunkedDecoder {
  #state = size;
  #left = 0;
  #digits = 0;
  #extensionLength = 0;
  #trailerText = "";
  readonly #maxTrailerBytes: number;
  /** After the end; `undefined` without any. */
  trailers: HeaderList | undefined;

  constructor(maxTrailerBytes: number) {
    this.#maxTrailerBytes = maxTrailerBytes;
  }

  get done(): boolean {
    return this.#state === done;
  }

  reset(): void {
    this.#state = size;
    this.#left = 0;
    this.#digits = 0;
    this.#extensionLength = 0;
    this.#trailerText = "";
    this.trailers = undefined;
  }

  /** Goes on from `at`; the index of the first byte that is not its own any more, or what is wrong. */
  push(bytes: Buffer, at: number, onData: (chunk: Buffer) => void): number | string {
    const { length } = bytes;
    while (at < length && this.#state !== done) {
      if (this.#state === data) {
        const end = Math.min(length, at + this.#left);
        onData(at === 0 && end === length ? bytes : bytes.subarray(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#state = dataReturn;
        continue;
      }
      if (this.#state === trailers) {
        const problem = this.#takeTrailer(bytes[at++]!);
        if (problem !== undefined) return problem;
        continue;
      }
      const problem = this.#takeFraming(bytes[at++]!);
      if (problem !== undefined) return problem;
    }
    return at;
  }

  #takeFraming(byte: number): string | undefined {
    switch (this.#state) {
      case size: {
        const digit = hexDigit(byte);
        if (digit >= 0) {
          if (++this.#digits > mostDigits) return "a chunk that is too long";
          this.#left = this.#left * 16 + digit;
          return undefined;
        }
        if (this.#digits === 0) return "a chunk without a size";
        return this.#afterSize(byte);
      }
      case extension:
        return this.#afterSize(byte);
      case sizeLineFeed:
        if (byte !== 0x0a) return "a chunk size that does not end in CRLF";
        this.#digits = 0;
        this.#extensionLength = 0;
        this.#state = this.#left === 0 ? trailers : data;
        return undefined;
      case dataReturn:
        if (byte !== 0x0d) return "a chunk longer than its size";
        this.#state = dataLineFeed;
        return undefined;
      default:
        if (byte !== 0x0a) return "a chunk that does not end in CRLF";
        this.#state = size;
        return undefined;
    }
  }

  #afterSize(byte: number): string | undefined {
    if (byte === 0x0d) {
      this.#state = sizeLineFeed;
      return undefined;
    }
    const begins = this.#state === extension || byte === 0x3b || byte === 0x20 || byte === 0x09;
    if (!begins || byte === 0x0a || byte === 0 || ++this.#extensionLength > longestExtension) {
      return "a malformed chunk size";
    }
    this.#state = extension;
    return undefined;
  }

  #takeTrailer(byte: number): string | undefined {
    this.#trailerText += String.fromCharCode(byte);
    const text = this.#trailerText;
    if (text.length > this.#maxTrailerBytes) return "trailers that are too long";
    if (byte !== 0x0a) return undefined;
    if (text === "\r\n") {
      this.#state = done;
    } else if (text.endsWith("\r\n\r\n")) {
      const list: HeaderList = [];
      const problem = readFieldLines(text.slice(0, -4), 0, list);
      if (problem !== undefined) return problem;
      this.trailers = list;
      this.#state = done;
    }
    return undefined;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

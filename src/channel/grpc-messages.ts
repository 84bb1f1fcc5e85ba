/*
 * gRPC's messages on a stream of HTTP/2: a byte that says whether the message is compressed (which we never offer to understand), four bytes of length, and
 * the message.
 */
import type { Writable } from "node:stream";
import { grpcStatus, StreamFailure } from "./grpc-status.ts";

/** A message may be given in pieces, so that a large one is not put together first. */
export type Message = Buffer | readonly Buffer[];

const prefixLength = 5;
const nothing = Buffer.alloc(0);
/** As much as is handed on at once. */
const handful = 64 * 1024;

/** Cuts what comes into messages. */
export class MessageReader {
  readonly #longest: number;
  /** What has come of a message that is not whole yet, with room for more: kept as pieces, single bytes would cost a hundred times their size. */
  #kept = nothing;
  #size = 0;
  /** As many bytes as tell more than we know. */
  #needed = prefixLength;

  constructor(longest = Infinity) {
    this.#longest = longest;
  }

  /** Bytes that it takes up for a message that is not whole yet. */
  get held(): number {
    return this.#kept.length;
  }

  /** The messages that this chunk completes. Throws a `StreamFailure` at what is not acceptable. */
  take(chunk: Buffer): Buffer[] {
    const goesOn = this.#size > 0;
    if (goesOn) this.#keep(chunk);
    if (goesOn && this.#size < this.#needed) return [];
    const bytes = goesOn ? this.#kept.subarray(0, this.#size) : chunk;
    const messages: Buffer[] = [];
    let start = 0;
    for (this.#needed = prefixLength; start + this.#needed <= bytes.length;) {
      const begin = start + prefixLength;
      this.#needed = prefixLength + this.#lengthAt(bytes, start);
      if (start + this.#needed > bytes.length) break;
      messages.push(bytes.subarray(begin, start + this.#needed));
      start += this.#needed;
      this.#needed = prefixLength;
    }
    if (goesOn && start === 0) return [];
    // Messages are views of what was kept, which is theirs from now on.
    this.#kept = nothing;
    this.#size = 0;
    if (start < bytes.length) this.#keep(bytes.subarray(start));
    return messages;
  }

  #keep(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#kept.length) {
      // Doubled, so that it is seldom moved; never as much as is announced, which costs the other side nothing.
      const larger = Buffer.allocUnsafeSlow(Math.max(size, Math.min(2 * this.#kept.length, this.#needed)));
      this.#kept.copy(larger, 0, 0, this.#size);
      this.#kept = larger;
    }
    chunk.copy(this.#kept, this.#size);
    this.#size = size;
  }

  #lengthAt(bytes: Buffer, start: number): number {
    if (bytes[start] !== 0) throw new StreamFailure(grpcStatus.unimplemented, "the message is compressed");
    const length = bytes.readUInt32BE(start + 1);
    if (length <= this.#longest) return length;
    const words = `the message has ${length} bytes, more than ${this.#longest}`;
    throw new StreamFailure(grpcStatus.resourceExhausted, words);
  }
}

/** Writes messages no faster than the other side takes them, so that a large one is not in memory several times over. */
export class MessageWriter {
  readonly #stream: Writable;
  readonly #waiting: Buffer[] = [];
  #next = 0;
  #isFull = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("drain", () => {
      this.#isFull = false;
      this.#pump();
    });
  }

  write(message: Message): void {
    const pieces = Buffer.isBuffer(message) ? [message] : message;
    const prefix = Buffer.alloc(prefixLength);
    prefix.writeUInt32BE(
      pieces.reduce((sum, { length }) => sum + length, 0),
      1,
    );
    this.#waiting.push(prefix);
    for (const piece of pieces) this.#waiting.push(piece);
    this.#pump();
  }

  /** What has not been handed on yet never will be. */
  drop(): void {
    this.#waiting.length = 0;
    this.#next = 0;
  }

  #pump(): void {
    while (!this.#isFull && this.#next < this.#waiting.length) {
      const chunk = this.#take();
      if (this.#next === this.#waiting.length) this.drop();
      this.#isFull = !this.#stream.write(chunk);
    }
  }

  #take(): Buffer {
    const first = this.#next;
    let size = 0;
    do size += this.#waiting[this.#next++]!.length;
    while (this.#next < this.#waiting.length && size + this.#waiting[this.#next]!.length <= handful);
    return this.#next - first === 1
      ? this.#waiting[first]!
      : Buffer.concat(this.#waiting.slice(first, this.#next), size);
  }
}

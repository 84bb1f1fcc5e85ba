/*
 * Writes protobuf from the end to the beginning: the length of a message stands before it and is known only after it, so
 * what comes last is written first. One buffer serves all; it grows at its front.
 */
export class Writer {
  #buffer: Buffer;
  /** Of the buffer. Kept, since V8's cheap compiler asks a buffer for it by a call. */
  #size: number;
  #start: number;

  constructor(size = 4096) {
    this.#buffer = Buffer.allocUnsafe(size);
    this.#size = size;
    this.#start = size;
  }

  /** How much is written; the length of a message is the difference. */
  get length(): number {
    return this.#size - this.#start;
  }

  /** What was written since it had this length; good until it has that length again. */
  since(length: number): Buffer {
    return this.#buffer.subarray(this.#start, this.#size - length);
  }

  backTo(length: number): void {
    this.#start = this.#size - length;
  }

  /** As it is. */
  copy(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#buffer.set(bytes, at);
  }

  tag(field: number, wire: number): void {
    this.varint(field * 8 + wire);
  }

  /** A whole number from 0 to 2^53. */
  varint(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
    let at = this.#room(size);
    let rest = value;
    for (; size > 1; size--) {
      this.#buffer[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[at] = rest;
  }

  /** Any 64 bits. */
  varint64(value: number | bigint): void {
    if (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER)
      return this.varint(value);
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
    this.#buffer.set(bytes, this.#room(bytes.length));
  }

  fixed32(value: number): void {
    const at = this.#room(4);
    this.#buffer.writeUInt32LE(value >>> 0, at);
  }

  fixed64(value: number | bigint): void {
    const at = this.#room(8);
    this.#buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), at);
  }

  float(value: number): void {
    const at = this.#room(4);
    this.#buffer.writeFloatLE(value, at);
  }

  double(value: number): void {
    const at = this.#room(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  /** With its length before it. */
  string(value: string): void {
    if (!this.#shortAscii(value)) {
      const size = Buffer.byteLength(value);
      const at = this.#room(size);
      this.#buffer.write(value, at, size, "utf8");
      this.varint(size);
    }
  }

  /** Nearly all are, and to ask Node twice takes longer than to write them. Whether it was one. */
  #shortAscii(value: string): boolean {
    const { length } = value;
    if (length > 96) return false;
    const at = this.#room(length);
    const buffer = this.#buffer;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 127) {
        this.#start += length;
        return false;
      }
      buffer[at + i] = unit;
    }
    this.varint(length);
    return true;
  }

  /** With its length before it. */
  bytes(value: Uint8Array): void {
    const at = this.#room(value.length);
    this.#buffer.set(value, at);
    this.varint(value.length);
  }

  #room(size: number): number {
    if (size > this.#start) {
      const length = this.length;
      const larger = Buffer.allocUnsafe((length + size) * 2);
      this.#buffer.copy(larger, larger.length - length, this.#start);
      this.#size = larger.length;
      this.#start = this.#size - length;
      this.#buffer = larger;
    }
    this.#start -= size;
    return this.#start;
  }
}

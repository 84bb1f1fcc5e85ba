/** What came does not have the form it should have. */
export class MalformedMessage extends Error {
  readonly code = "GATEWRIGHT_ENVOY_MALFORMED_MESSAGE";

  constructor(message: string) {
    super(message);
    this.name = "MalformedMessage";
  }
}

/** Reads protobuf that others wrote: every length is checked against what is there. */
export class Reader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Up to 2^53; what is larger loses precision and is never needed as a number. */
  varint(): number {
    return Number(this.varint64());
  }

  varint64(): bigint {
    let low = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      // Seven times seven bits fit into a number.
      if (i < 7) low += (byte & 127) * scale;
      else return this.#wideVarint(BigInt(low), i, byte);
      if (byte < 128) return BigInt(low);
      scale *= 128;
    }
    throw new MalformedMessage("A number is longer than ten bytes.");
  }

  #wideVarint(low: bigint, from: number, first: number): bigint {
    let value = low;
    let byte = first;
    for (let i = from; i < 10; i++) {
      value |= BigInt(byte & 127) << BigInt(7 * i);
      if (byte < 128) return BigInt.asUintN(64, value);
      if (i < 9) byte = this.#byte();
    }
    throw new MalformedMessage("A number is longer than ten bytes.");
  }

  fixed32(): number {
    return this.#bytes.readUInt32LE(this.#skip(4));
  }

  fixed64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#skip(8));
  }

  float(): number {
    return this.#bytes.readFloatLE(this.#skip(4));
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }

  string(): string {
    const size = this.varint();
    const at = this.#skip(size);
    return this.#bytes.toString("utf8", at, at + size);
  }

  bytes(): Buffer {
    const size = this.varint();
    const at = this.#skip(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** A reader for what has its length before it. */
  nested(): Reader {
    const size = this.varint();
    const at = this.#skip(size);
    return new Reader(this.#bytes, at, at + size);
  }

  skipField(wire: number): void {
    switch (wire) {
      case 0:
        this.varint64();
        return;
      case 1:
        this.#skip(8);
        return;
      case 2:
        this.#skip(this.varint());
        return;
      case 5:
        this.#skip(4);
        return;
      default:
        throw new MalformedMessage(`There is no wire type ${wire} in what is spoken today.`);
    }
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new MalformedMessage("The message ends in the middle of a number.");
    return this.#bytes[this.#at++]!;
  }

  #skip(size: number): number {
    const at = this.#at;
    if (size > this.#end - at) throw new MalformedMessage("The message ends before one of its fields does.");
    this.#at = at + size;
    return at;
  }
}

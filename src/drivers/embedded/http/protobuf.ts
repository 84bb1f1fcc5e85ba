/*
 * As much of the protocol buffers wire format as authorization needs: varints and length-delimited fields.
 * Writing appends fields to a list of buffers; reading walks the fields of one message and skips what it is not asked about.
 */

const lengthDelimited = 2;

export class MessageWriter {
  readonly #parts: Buffer[] = [];

  /** Default values are left out, as proto3 does. */
  text(field: number, value: string): this {
    return value === "" ? this : this.bytes(field, Buffer.from(value, "utf8"));
  }

  number(field: number, value: number | bigint): this {
    if (value !== 0 && value !== 0n) this.#parts.push(varint(BigInt(field) << 3n), varint(BigInt(value)));
    return this;
  }

  bytes(field: number, value: Buffer): this {
    this.#parts.push(
      varint((BigInt(field) << 3n) | BigInt(lengthDelimited)),
      varint(BigInt(value.length)),
      value,
    );
    return this;
  }

  message(field: number, value: MessageWriter): this {
    return this.bytes(field, value.finish());
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

export interface MessageField {
  readonly number: number;
  /** Length-delimited fields have bytes, varints a value. */
  readonly bytes: Buffer;
  readonly value: bigint;
}

const nothing = Buffer.alloc(0);

/** All fields of a message in order; `undefined` if the bytes are no message. */
export function readMessage(bytes: Buffer): readonly MessageField[] | undefined {
  const fields: MessageField[] = [];
  let at = 0;
  const next = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) return undefined;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = next();
    if (tag === undefined) return undefined;
    const number = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    if (number === 0) return undefined;
    if (wire === 0) {
      const value = next();
      if (value === undefined) return undefined;
      fields.push({ number, bytes: nothing, value });
    } else if (wire === lengthDelimited) {
      const length = next();
      if (length === undefined || length > BigInt(bytes.length - at)) return undefined;
      fields.push({ number, bytes: bytes.subarray(at, at + Number(length)), value: 0n });
      at += Number(length);
    } else if (wire === 1 || wire === 5) {
      at += wire === 1 ? 8 : 4;
      if (at > bytes.length) return undefined;
    } else {
      return undefined;
    }
  }
  return fields;
}

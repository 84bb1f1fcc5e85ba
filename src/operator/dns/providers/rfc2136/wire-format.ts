/*
 * Messages of the DNS (RFC 1035), as far as queries and dynamic updates (RFC 2136) need them. Names are written without compression, which is always allowed, and
 * read with it. Whatever is read may come from anybody: a pointer only ever leads backwards, and nothing is read beyond the message's end.
 */
import { isIPv4, isIPv6 } from "node:net";

export const types = { A: 1, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, TSIG: 250, ANY: 255 } as const;
export const classes = { IN: 1, NONE: 254, ANY: 255 } as const;
export const opcodes = { query: 0, update: 5 } as const;

export interface ResourceRecord {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly data: Buffer;
}

export interface Question {
  readonly name: string;
  readonly type: number;
  readonly class: number;
}

export interface Message {
  readonly id: number;
  readonly opcode: number;
  readonly isResponse: boolean;
  readonly rcode: number;
  readonly questions: readonly Question[];
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
  readonly additionals: readonly ResourceRecord[];
  /** Where the last additional record begins; that is where a signature is. */
  readonly lastRecordAt: number;
}

export class WireError extends Error {
  readonly code = "DNS_WIRE";
}

/** Of an update, the three are zone, prerequisites and updates. */
export function encodeMessage({
  id,
  opcode,
  question,
  answers = [],
  authorities = [],
}: {
  readonly id: number;
  readonly opcode: number;
  readonly question: Question;
  readonly answers?: readonly ResourceRecord[];
  readonly authorities?: readonly ResourceRecord[];
}): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(opcode << 11, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt16BE(authorities.length, 8);
  const asked = Buffer.alloc(4);
  asked.writeUInt16BE(question.type, 0);
  asked.writeUInt16BE(question.class, 2);
  const records = [...answers, ...authorities].map(encodeRecord);
  return Buffer.concat([header, encodeName(question.name), asked, ...records]);
}

export function encodeRecord({ name, type, class: of, ttl, data }: ResourceRecord): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(of, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

/** In canonical form: lower-case, uncompressed. */
export function encodeName(name: string): Buffer {
  const labels = name === "" ? [] : name.toLowerCase().split(".");
  const parts = labels.map((label) => {
    const bytes = Buffer.from(label, "latin1");
    if (bytes.length === 0 || bytes.length > 63) throw new WireError(`${name} is no name`);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const encoded = Buffer.concat([...parts, Buffer.from([0])]);
  if (encoded.length > 255) throw new WireError(`${name} is too long for a name`);
  return encoded;
}

export function decodeMessage(bytes: Buffer): Message {
  const reader = new Reader(bytes);
  const id = reader.uint16();
  const flags = reader.uint16();
  const counts = [reader.uint16(), reader.uint16(), reader.uint16(), reader.uint16()] as const;
  const questions = times(counts[0], () => ({
    name: reader.name(),
    type: reader.uint16(),
    class: reader.uint16(),
  }));
  let lastRecordAt = bytes.length;
  const record = () => {
    lastRecordAt = reader.at;
    return reader.record();
  };
  const answers = times(counts[1], record);
  const authorities = times(counts[2], record);
  const additionals = times(counts[3], record);
  return {
    id,
    opcode: (flags >> 11) & 0xf,
    isResponse: (flags & 0x8000) !== 0,
    rcode: flags & 0xf,
    questions,
    answers,
    authorities,
    additionals,
    lastRecordAt,
  };
}

function times<T>(count: number, read: () => T): readonly T[] {
  const out: T[] = [];
  for (let i = 0; i < count; i++) out.push(read());
  return out;
}

export class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  uint8(): number {
    return this.#take(1).readUInt8();
  }

  uint16(): number {
    return this.#take(2).readUInt16BE();
  }

  uint48(): number {
    return this.#take(6).readUIntBE(0, 6);
  }

  bytes(length: number): Buffer {
    return this.#take(length);
  }

  name(): string {
    const labels: string[] = [];
    let at = this.at;
    let end: number | undefined;
    let lowest = at;
    let size = 0;
    for (;;) {
      const length = this.#bytes[at];
      if (length === undefined) throw new WireError("the message ends within a name");
      if (length >= 0xc0) {
        const next = this.#bytes[at + 1];
        if (next === undefined) throw new WireError("the message ends within a name");
        end ??= at + 2;
        at = ((length & 0x3f) << 8) | next;
        if (at >= lowest) throw new WireError("a name leads to itself");
        lowest = at;
      } else if (length === 0) {
        this.at = end ?? at + 1;
        return labels.join(".");
      } else {
        size += length + 1;
        if (length > 63 || size > 255) throw new WireError("a name is too long");
        if (at + 1 + length > this.#bytes.length) throw new WireError("the message ends within a name");
        labels.push(this.#bytes.toString("latin1", at + 1, at + 1 + length).toLowerCase());
        at += 1 + length;
      }
    }
  }

  record(): ResourceRecord {
    const name = this.name();
    const type = this.uint16();
    const of = this.uint16();
    const ttl = this.#take(4).readUInt32BE();
    const length = this.uint16();
    if (type !== types.CNAME) return { name, type, class: of, ttl, data: this.#take(length) };
    // The one kind of data here that may be compressed.
    const end = this.at + length;
    const target = encodeName(this.name());
    if (this.at !== end) throw new WireError("a name is longer than its record");
    return { name, type, class: of, ttl, data: target };
  }

  #take(length: number): Buffer {
    const end = this.at + length;
    if (end > this.#bytes.length) throw new WireError("the message ends too early");
    const taken = this.#bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}

export type DataType = "A" | "AAAA" | "CNAME" | "TXT";

export function encodeData(type: DataType, value: string): Buffer {
  switch (type) {
    case "A":
      if (!isIPv4(value)) throw new WireError(`${value} is no IPv4 address`);
      return Buffer.from(value.split(".").map(Number));
    case "AAAA":
      return encodeIPv6(value);
    case "CNAME":
      return encodeName(value);
    case "TXT": {
      const text = Buffer.from(value);
      const pieces: Buffer[] = [];
      for (let at = 0; at < text.length || at === 0; at += 255) {
        const piece = text.subarray(at, at + 255);
        pieces.push(Buffer.from([piece.length]), piece);
      }
      return Buffer.concat(pieces);
    }
  }
}

export function decodeData(type: DataType, data: Buffer): string {
  const reader = new Reader(data);
  switch (type) {
    case "A":
      return [...reader.bytes(4)].join(".");
    case "AAAA": {
      const groups = times(8, () => reader.uint16().toString(16));
      return canonicalIPv6(groups.join(":"));
    }
    case "CNAME":
      return reader.name();
    case "TXT": {
      const pieces: Buffer[] = [];
      while (reader.at < data.length) pieces.push(reader.bytes(reader.uint8()));
      return Buffer.concat(pieces).toString();
    }
  }
}

function canonicalIPv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function encodeIPv6(address: string): Buffer {
  if (!isIPv6(address) || address.includes("%")) throw new WireError(`${address} is no IPv6 address`);
  const [head = "", tail] = canonicalIPv6(address).split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  const zeros = Array<string>(8 - first.length - last.length).fill("0");
  const out = Buffer.alloc(16);
  [...first, ...zeros, ...last].forEach((group, i) => out.writeUInt16BE(Number.parseInt(group, 16), i * 2));
  return out;
}

/** The Distinguished Encoding Rules (X.690), as far as certificates need them. A value is its bytes: tag, length, content. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const isContextual = 0x80;
const isConstructed = 0x20;

export const sequence = (...items: readonly Buffer[]): Buffer => value(tags.sequence, ...items);
export const setOf = (item: Buffer): Buffer => value(tags.set, item);
export const octetString = (bytes: Uint8Array): Buffer => value(tags.octetString, bytes);
export const utf8String = (text: string): Buffer => value(tags.utf8String, Buffer.from(text, "utf8"));
export const isTrue = (): Buffer => value(tags.boolean, Buffer.of(0xff));
export const nothing = (): Buffer => value(tags.null);

/** `[number]` around values, as in `[3] EXPLICIT Extensions`. */
export const explicit = (number: number, item: Buffer): Buffer =>
  value(isContextual | isConstructed | number, item);

/** `[number]` in place of a value's own tag. */
export const implicit = (number: number, content: Uint8Array): Buffer =>
  value(isContextual | number, content);

/** A number that is not negative, from its bytes, the highest first. */
export function integer(bytes: Uint8Array): Buffer {
  let from = 0;
  while (from < bytes.length - 1 && bytes[from] === 0) from++;
  const digits = bytes.subarray(from);
  return (digits[0] ?? 0) < 0x80 ? value(tags.integer, digits) : value(tags.integer, Buffer.of(0), digits);
}

/** Whole bytes. */
export const bitString = (bytes: Uint8Array): Buffer => value(tags.bitString, Buffer.of(0), bytes);

/** Of these bits, by number, the ones that are set. X.690: what follows the last of them is left out. */
export function namedBits(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return value(tags.bitString, Buffer.of(7 - (last & 7)), bytes);
}

/** From its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return value(tags.objectIdentifier, Buffer.from([first * 40 + second, ...others].flatMap(inSevens)));
}

/** RFC 5280: two digits for the year until 2049, four from then on. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+Z$|[-:T]/g, "");
  return date.getUTCFullYear() < 2050
    ? value(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : value(tags.generalizedTime, Buffer.from(`${digits}Z`));
}

/** The values that a constructed value is made of. Throws where the bytes are no such thing. */
export function itemsOf(bytes: Buffer): readonly Buffer[] {
  const { start, end } = extent(bytes, 0);
  const items: Buffer[] = [];
  for (let at = start; at < end;) {
    const item = extent(bytes, at);
    if (item.end > end) throw new RangeError("DER: a value is longer than what it stands in");
    items.push(bytes.subarray(at, item.end));
    at = item.end;
  }
  return items;
}

/** What stands behind the tag and the length. */
export function contentOf(bytes: Buffer): Buffer {
  const { start, end } = extent(bytes, 0);
  return bytes.subarray(start, end);
}

function value(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...parts]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

function inSevens(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}

/** Where the content of the value at a place begins and ends. */
function extent(bytes: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at + 1] ?? 0x80;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || count > 4 || at + 2 + count > bytes.length)
    throw new RangeError("DER: a length cannot be read");
  const start = at + 2 + count;
  const end = start + (count === 0 ? first : bytes.readUIntBE(at + 2, count));
  if (end > bytes.length) throw new RangeError("DER: a value ends before its length says");
  return { start, end };
}

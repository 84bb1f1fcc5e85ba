/**
 * Texts as zone files write them (RFC 1035, 5.1): strings of at most 255 bytes in quotes, with a backslash before a quote and a backslash, and bytes that
 * are not printable as a backslash and three digits. The digits are decimal in zone files, octal with Route 53.
 */
const longestString = 255;

export type EscapeRadix = 8 | 10;

export function quoteText(text: string, radix: EscapeRadix = 10): string {
  return textChunks(text)
    .map((chunk) => `"${[...chunk].map((byte) => escapeByte(byte, radix)).join("")}"`)
    .join(" ");
}

/** Also takes a text without quotes, as it is. */
export function unquoteText(quoted: string, radix: EscapeRadix = 10): string {
  const trimmed = quoted.trim();
  if (!trimmed.startsWith('"')) return trimmed;
  const bytes: number[] = [];
  let isInside = false;
  const source = Buffer.from(trimmed, "utf8");
  for (let i = 0; i < source.length; i++) {
    const byte = source[i] ?? 0;
    if (byte === 0x22) isInside = !isInside;
    else if (!isInside) continue;
    else if (byte !== 0x5c) bytes.push(byte);
    else {
      const digits = source.subarray(i + 1, i + 4).toString("latin1");
      const isEscaped = radix === 8 ? /^[0-3][0-7]{2}$/.test(digits) : /^[0-2][0-9]{2}$/.test(digits);
      if (isEscaped) bytes.push(Number.parseInt(digits, radix) & 0xff);
      else bytes.push(source[i + 1] ?? 0x5c);
      i += isEscaped ? 3 : 1;
    }
  }
  return Buffer.from(bytes).toString("utf8");
}

/** A text cut into strings that fit; an empty text is one empty string. */
export function splitText(text: string): readonly string[] {
  return textChunks(text).map((chunk) => chunk.toString("utf8"));
}

function textChunks(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length || start === 0;) {
    let end = Math.min(bytes.length, start + longestString);
    // Not in the middle of a character.
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    chunks.push(bytes.subarray(start, end));
    if (end >= bytes.length) break;
    start = end;
  }
  return chunks;
}

function escapeByte(byte: number, radix: EscapeRadix): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte);
  return `\\${byte.toString(radix).padStart(3, "0")}`;
}

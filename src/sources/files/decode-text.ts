import { isAscii, isUtf8 } from "node:buffer";

export type Decoded =
  | { readonly outcome: "text"; readonly text: string }
  | { readonly outcome: "not-text"; readonly message: string };

/** Bytes as text, if they are UTF-8; else what they seem to be. */
export function decodeText(bytes: Buffer): Decoded {
  const utf16 = judgeUtf16(bytes);
  if (utf16 !== undefined) return { outcome: "not-text", message: `${utf16}; save it as UTF-8` };
  const nul = bytes.indexOf(0);
  if (nul >= 0)
    return { outcome: "not-text", message: `is not text: there is a NUL byte in line ${lineOf(bytes, nul)}` };
  // As ASCII is a part of Latin-1, the bytes are the characters.
  if (isAscii(bytes)) return { outcome: "text", text: withoutLoneCarriageReturns(bytes.toString("latin1")) };
  if (!isUtf8(bytes)) {
    const line = lineOf(bytes, firstInvalid(bytes));
    return {
      outcome: "not-text",
      message: `is not UTF-8 text: line ${line} has bytes that UTF-8 does not have`,
    };
  }
  return { outcome: "text", text: withoutLoneCarriageReturns(bytes.toString("utf8")) };
}

function judgeUtf16(bytes: Buffer): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) {
    return third === 0 && fourth === 0 ? "is UTF-32 text" : "is UTF-16 text";
  }
  if (first === 0xfe && second === 0xff) return "is UTF-16 text";
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return "is UTF-32 text";
  // Without a byte order mark: every other byte of Latin text is zero.
  const sample = bytes.subarray(0, 64);
  if (sample.length < 4) return undefined;
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const most = Math.floor(sample.length / 2);
  const isAlternating = (even === 0 && odd >= most * 0.9) || (odd === 0 && even >= most * 0.9);
  return isAlternating ? "is UTF-16 text without a byte order mark" : undefined;
}

/** YAML ends lines at a lone carriage return as well. The text keeps its length, so positions stay right. */
function withoutLoneCarriageReturns(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** Where the first byte is that cannot be UTF-8: the longest valid beginning, by halving. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 4) {
    const middle = startOfCharacter(bytes, (valid + invalid) >> 1, valid);
    if (middle === valid) break;
    if (isUtf8(bytes.subarray(valid, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function startOfCharacter(bytes: Buffer, at: number, from: number): number {
  let start = at;
  while (start > from && ((bytes[start] ?? 0) & 0xc0) === 0x80 && at - start < 4) start--;
  return start;
}

function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line++;
  return line;
}

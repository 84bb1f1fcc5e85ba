/**
 * The text of a file: a string, or for a large file the bytes. There a change of one document among thousands must be
 * found and cut out without making a string of all the others, which would take as long as all the rest of the work.
 */
import { isAscii } from "node:buffer";
import { decodeText, type Decoded } from "./decode-text.ts";

export interface FileText {
  readonly length: number;
  slice(start: number, end: number): string;
}

export type ReadText =
  { readonly outcome: "text"; readonly text: FileText } | Exclude<Decoded, { text: string }>;

/** Where strings begin to take long. */
const large = 256 * 1024;

export function readText(bytes: Buffer): ReadText {
  const isPlain =
    bytes.length >= large && isAscii(bytes) && !bytes.includes(0) && !bytes.includes(carriageReturn);
  return isPlain ? { outcome: "text", text: new AsciiText(bytes) } : decodeText(bytes);
}

const carriageReturn = 0x0d;

/** All ASCII: each byte is a character. */
export class AsciiText implements FileText {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get length(): number {
    return this.bytes.length;
  }

  slice(start: number, end: number): string {
    return this.bytes.toString("latin1", start, end);
  }
}

/** What is between the longest beginning and the longest end that two texts have in common. */
export interface ChangedPart {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Undefined: they are the same. */
export function changedPart(before: FileText, after: FileText): ChangedPart | undefined {
  const shorter = Math.min(before.length, after.length);
  const start = extend(shorter, (from, to) => isSame(before, from, after, from, to - from));
  if (start === before.length && start === after.length) return undefined;
  const common = extend(shorter - start, (from, to) =>
    isSame(before, before.length - to, after, after.length - to, to - from),
  );
  return { start, oldEnd: before.length - common, newEnd: after.length - common };
}

const block = 64 * 1024;

/** How far, up to `most`, `holds` of one piece after the other: in large steps, and where it stops by halving. */
function extend(most: number, holds: (from: number, to: number) => boolean): number {
  let reached = 0;
  while (reached < most && holds(reached, Math.min(reached + block, most))) {
    reached = Math.min(reached + block, most);
  }
  let beyond = Math.min(reached + block, most);
  while (beyond - reached > 1) {
    const middle = (reached + beyond) >> 1;
    if (holds(reached, middle)) reached = middle;
    else beyond = middle;
  }
  return reached;
}

function isSame(a: FileText, aStart: number, b: FileText, bStart: number, length: number): boolean {
  if (a instanceof AsciiText && b instanceof AsciiText) {
    return a.bytes.compare(b.bytes, bStart, bStart + length, aStart, aStart + length) === 0;
  }
  return a.slice(aStart, aStart + length) === b.slice(bStart, bStart + length);
}

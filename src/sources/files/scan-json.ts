import { deepestNesting } from "./alias-expansion.ts";

/** A top-level value's place in a text, and how many keys are written in it, all levels together. */
export interface JsonPart {
  readonly start: number;
  readonly end: number;
  readonly keys: number;
}

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/**
 * Cuts JSON values that stand one after the other. Whether they are valid is for `JSON.parse` to say. Undefined if they
 * nest too deeply: that would take it long.
 */
export function scanJson(text: string, from: number): JsonPart[] | undefined {
  const parts: JsonPart[] = [];
  let start = from;
  let depth = 0;
  let keys = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at);
      if (text.charCodeAt(skipWhiteSpace(text, at + 1)) === colon) keys++;
      continue;
    }
    if ((code === 0x7b || code === 0x5b) && ++depth > deepestNesting) return undefined;
    if (code !== 0x7d && code !== 0x5d) continue;
    depth--;
    if (depth > 0) continue;
    parts.push({ start, end: at + 1, keys });
    start = skipWhiteSpace(text, at + 1);
    at = start - 1;
    depth = 0;
    keys = 0;
  }
  if (start < text.length) parts.push({ start, end: text.length, keys });
  return parts;
}

function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

function skipWhiteSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

import type { HeaderList } from "./upstream-call.ts";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Anything but tab, visible ASCII, space and bytes above 127. CR, LF and NUL are among it. */
// eslint-disable-next-line no-control-regex
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;

export function isFieldName(name: string): boolean {
  return token.test(name);
}

export function isFieldValue(value: string): boolean {
  return !forbidden.test(value);
}

/**
 * Reads `name: value` lines separated by CRLF, from `at` to the end of `text` (which has no final CRLF), into `list`.
 * Strict: no folded lines, no space before the colon, no control characters. What is wrong, or `undefined`.
 */
export function readFieldLines(text: string, at: number, list: HeaderList): string | undefined {
  const { length } = text;
  while (at < length) {
    let end = text.indexOf("\r\n", at);
    if (end < 0) end = length;
    const colon = text.indexOf(":", at);
    if (colon < 0 || colon >= end) return "a header without a colon";
    const name = text.slice(at, colon);
    if (!token.test(name)) return "a malformed header name";
    const value = trimmed(text, colon + 1, end);
    if (forbidden.test(value)) return "a header with a control character";
    list.push(name.toLowerCase(), value);
    at = end + 2;
  }
  return undefined;
}

function trimmed(text: string, start: number, end: number): string {
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** The parts of a comma-separated value, trimmed, in lower case, without empty ones. */
export function listedTokens(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== "");
}

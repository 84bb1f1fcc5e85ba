/**
 * Reads the YAML that nearly all manifests are written in, some five times faster than a reader of all YAML can: block mappings
 * and block lists, with plain or simply quoted scalars of one line each, in ASCII. Whatever is not clearly that (flow
 * collections with anything in them, block scalars, anchors, tags, comments behind values, odd numbers, anything that may be wrong) makes it give
 * up, and the complete reader decides. So it never says what something means that the complete reader would see otherwise,
 * and never has to explain a mistake; the tests hold it against that reader.
 *
 * State: `at`, the beginning of the content of the line to be read next, and `indent`, the column where it is; -1 at the end.
 */

/** The value of a document, or undefined if it is not plain enough. */
export function readPlainYaml(text: string, start: number): Record<string, unknown> | undefined {
  if (unusual.test(text)) return undefined;
  const reader = new PlainReader(text, start);
  try {
    return reader.readDocument();
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}

/** Characters beside those of ASCII text, and lines that begin as only markers and directives do. */
const unusual = /[^\n\x20-\x7e]|\n(?:---|\.\.\.|%)/;
const notPlain = new Error("not plain YAML");
const deepest = 50;

const newline = 0x0a;
const space = 0x20;
const doubleQuote = 0x22;
const hash = 0x23;
const singleQuote = 0x27;
const dash = 0x2d;
const colon = 0x3a;
const backslash = 0x5c;

class PlainReader {
  readonly #text: string;
  #at: number;
  #indent = 0;
  /** Where the line ends whose content was read last. */
  #lineEnd = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  readDocument(): Record<string, unknown> {
    const lineStart = this.#text.lastIndexOf("\n", this.#at - 1) + 1;
    if (lineStart !== this.#at) throw notPlain;
    this.#lineEnd = this.#at - 1;
    this.#nextLine();
    const value = this.#indent === 0 ? this.#readMapping(0, 0) : undefined;
    if (value === undefined || this.#indent !== -1) throw notPlain;
    return value;
  }

  /** To the next line with content. */
  #nextLine(): void {
    const text = this.#text;
    let at = this.#lineEnd + 1;
    for (;;) {
      const start = at;
      while (text.charCodeAt(at) === space) at++;
      const code = text.charCodeAt(at);
      if (code === newline) at++;
      else if (code === hash) {
        const end = text.indexOf("\n", at);
        at = end < 0 ? text.length : end + 1;
      } else if (at >= text.length) {
        this.#indent = -1;
        return;
      } else {
        this.#at = at;
        this.#indent = at - start;
        return;
      }
    }
  }

  /** Keys that all begin in one column; the first is where we are. */
  #readMapping(indent: number, depth: number): Record<string, unknown> {
    if (depth > deepest) throw notPlain;
    const mapping: Record<string, unknown> = {};
    do {
      const key = this.#readKey();
      if (key in mapping) throw notPlain;
      mapping[key] = this.#readValue(indent, depth);
    } while (this.#indent === indent && this.#text.charCodeAt(this.#at) !== dash);
    return mapping;
  }

  /** Ends behind the colon. */
  #readKey(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    while (isKeyCharacter(text.charCodeAt(at))) at++;
    if (at === start || text.charCodeAt(at) !== colon || !isLetter(text.charCodeAt(start))) throw notPlain;
    const key = text.slice(start, at);
    if (meaningful.has(key.toLowerCase())) throw notPlain;
    this.#at = at + 1;
    return key;
  }

  /** What stands behind a key, or in the lines below it. Ends at the next line. */
  #readValue(indent: number, depth: number): unknown {
    const text = this.#text;
    const behind = text.charCodeAt(this.#at);
    if (behind === space) {
      this.#skipSpaces();
      if (text.charCodeAt(this.#at) !== newline && this.#at < text.length) return this.#readScalar(indent);
    } else if (behind !== newline && this.#at < text.length) throw notPlain;
    this.#lineEnd = this.#at;
    this.#nextLine();
    const isList = this.#isItem();
    if (this.#indent > indent) {
      return isList ? this.#readList(this.#indent, depth + 1) : this.#readMapping(this.#indent, depth + 1);
    }
    return isList && this.#indent === indent ? this.#readList(indent, depth + 1) : null;
  }

  /** Items whose dashes are all in one column; the first is where we are. */
  #readList(indent: number, depth: number): unknown[] {
    if (depth > deepest) throw notPlain;
    const text = this.#text;
    const items: unknown[] = [];
    do {
      const dashAt = this.#at;
      this.#at++;
      if (text.charCodeAt(this.#at) !== space) throw notPlain;
      this.#skipSpaces();
      const column = indent + this.#at - dashAt;
      items.push(
        this.#isKey() ? this.#readMapping(this.#enter(column), depth + 1) : this.#readScalar(indent),
      );
    } while (this.#indent === indent && this.#isItem());
    if (this.#indent > indent) throw notPlain;
    return items;
  }

  #enter(column: number): number {
    this.#indent = column;
    return column;
  }

  #isItem(): boolean {
    return this.#text.charCodeAt(this.#at) === dash && this.#indent >= 0;
  }

  #isKey(): boolean {
    let at = this.#at;
    while (isKeyCharacter(this.#text.charCodeAt(at))) at++;
    if (this.#text.charCodeAt(at) !== colon) return false;
    const behind = this.#text.charCodeAt(at + 1);
    return behind === space || behind === newline || at + 1 === this.#text.length;
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#at) === space) this.#at++;
  }

  /** One line's scalar. Ends at the next line, which must not go on with it. */
  #readScalar(indent: number): unknown {
    const text = this.#text;
    const start = this.#at;
    const lineEnd = text.indexOf("\n", start);
    let end = lineEnd < 0 ? text.length : lineEnd;
    this.#lineEnd = end;
    while (end > start && text.charCodeAt(end - 1) === space) end--;
    const first = text.charCodeAt(start);
    const value =
      first === doubleQuote || first === singleQuote
        ? quotedText(text, start, end, first)
        : plainValue(text, start, end);
    this.#nextLine();
    if (this.#indent > indent) throw notPlain;
    return value;
  }
}

function quotedText(text: string, start: number, end: number, quote: number): string {
  if (end - start < 2 || text.charCodeAt(end - 1) !== quote) throw notPlain;
  for (let at = start + 1; at < end - 1; at++) {
    const code = text.charCodeAt(at);
    if (code === quote || code === backslash) throw notPlain;
  }
  return text.slice(start + 1, end - 1);
}

/** Words that are not text, however they are written. */
const meaningful: ReadonlySet<string> = new Set(["true", "false", "null"]);
const words = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const wholeNumber = /^(?:0|[1-9][0-9]{0,14})$/;
/** Text, though it begins with a digit: an IPv4 address, a duration. */
const clearlyText = /^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9]{1,9}(?:ms|s|m|h))$/;

function plainValue(text: string, start: number, end: number): unknown {
  const first = text.charCodeAt(start);
  const value = text.slice(start, end);
  if (isDigit(first)) {
    if (wholeNumber.test(value)) return Number(value);
    if (clearlyText.test(value)) return value;
    throw notPlain;
  }
  if (value === "{}") return {};
  if (value === "[]") return [];
  if (!isLetter(first) && first !== slash) throw notPlain;
  // A colon or a hash may end the text, depending on what is around it.
  if (value.includes(": ") || value.includes(" #") || value.charCodeAt(value.length - 1) === colon) {
    throw notPlain;
  }
  if (value.length > 5 || !meaningful.has(value.toLowerCase())) return value;
  if (!words.has(value)) throw notPlain;
  return words.get(value);
}

const slash = 0x2f;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** Letters, digits, and - . / _ */
function isKeyCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x2d && code <= 0x39) || code === 0x5f;
}

/**
 * Where a field stands in a document's text. The fast reader keeps no positions, so a document with a problem is read a
 * second time, by a reader that does, and that goes on after mistakes. It is some ten times slower: fine for the few
 * documents that have problems, but not for one of megabytes. Of a long List only the item in question is read; for
 * other large documents the position is the document's own.
 */
import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import type { Document, Node, Pair } from "yaml";
import type { Path } from "../../resources/index.ts";

const longestReading = 64 * 1024;

let loaded: typeof Yaml | undefined;

/** Loaded for the first problem: it takes a good part of the start, and most starts have none. */
function yaml(): typeof Yaml {
  return (loaded ??= createRequire(import.meta.url)("yaml") as typeof Yaml);
}

export interface LooseIdentity {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A document as far as it can be read, with positions. */
export interface LooseReading {
  readonly identity: LooseIdentity;
  /** The offset of a field's name or a list's item; of the nearest one around it if it is not there itself. */
  offsetOf(path: Path): number | undefined;
  /** The innermost field that stands at an offset. */
  pathAt(offset: number): Path;
}

/** Reads with positions; undefined if the text is too large for that. */
export function readLoosely(text: string): LooseReading | undefined {
  if (text.length > longestReading) return undefined;
  let document: Document;
  try {
    document = yaml().parseDocument(text, {
      strict: false,
      uniqueKeys: false,
      logLevel: "silent",
      prettyErrors: false,
    });
  } catch {
    // It promises to report what it finds, but it recurses; a position is not worth more than saying so.
    return undefined;
  }
  return {
    identity: identityOf(document),
    offsetOf: (path) => offsetOf(document, path),
    pathAt: (offset) => pathAt(document.contents, offset, []),
  };
}

/** Finds fields in documents, as nearly as it can be told where they are. One after the other in the same document is cheap. */
export class FieldPositions {
  #text = "";
  #reading: LooseReading | undefined;

  locate(text: string, path: Path, fallback: number): number {
    const part = text.length > longestReading ? itemOf(text, path) : { start: 0, end: text.length, path };
    if (part === undefined) return fallback;
    const offset = this.#read(text.slice(part.start, part.end))?.offsetOf(part.path);
    return offset === undefined ? Math.max(part.start, fallback) : part.start + offset;
  }

  #read(text: string): LooseReading | undefined {
    if (text !== this.#text) {
      this.#text = text;
      this.#reading = readLoosely(text);
    }
    return this.#reading;
  }
}

function offsetOf(document: Document, path: Path): number | undefined {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const segment of path) {
    if (yaml().isAlias(node)) node = node.resolve(document);
    if (yaml().isSeq(node) && typeof segment === "number") {
      node = node.items[segment];
      offset = startOf(node) ?? offset;
    } else if (yaml().isMap(node)) {
      const pair: Pair | undefined = node.items.find((item) => keyOf(item) === String(segment));
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return yaml().isNode(node) ? node.range?.[0] : undefined;
}

function keyOf({ key }: Pair): string | undefined {
  return yaml().isScalar(key) ? String(key.value) : undefined;
}

function pathAt(node: Node | null, offset: number, path: Path): Path {
  if (yaml().isSeq(node)) {
    const index = node.items.findLastIndex((item) => (startOf(item) ?? Infinity) <= offset);
    const item = node.items[index];
    return index < 0 || !yaml().isNode(item) ? path : pathAt(item, offset, [...path, index]);
  }
  if (!yaml().isMap(node)) return path;
  const pair = node.items.findLast((item) => (startOf(item.key) ?? Infinity) <= offset);
  const key = pair === undefined ? undefined : keyOf(pair);
  if (pair === undefined || key === undefined || key === "") return path;
  return yaml().isNode(pair.value) ? pathAt(pair.value, offset, [...path, key]) : [...path, key];
}

function identityOf(document: Document): LooseIdentity {
  if (!yaml().isMap(document.contents)) return {};
  const identity: { -readonly [K in keyof LooseIdentity]: string } = {};
  for (const [field, path] of identityFields) {
    const value: unknown = document.getIn(path);
    // What went wrong may have drawn other text into the value.
    if (typeof value === "string" && /^[\w./-]+$/.test(value)) identity[field] = value;
  }
  return identity;
}

const identityFields = [
  ["apiVersion", ["apiVersion"]],
  ["kind", ["kind"]],
  ["namespace", ["metadata", "namespace"]],
  ["name", ["metadata", "name"]],
] as const;

/** The part of a long List that holds the item which a path goes through, as a list of that one item. */
function itemOf(text: string, path: Path): { start: number; end: number; path: Path } | undefined {
  const [items, index, ...rest] = path;
  if (items !== "items" || typeof index !== "number") return undefined;
  const list = /^items:[ \t]*(?:#.*)?\r?\n( *)- /m.exec(text);
  if (list === null) return undefined;
  // Whatever is inside an item is indented further, so these are the items.
  const itemStart = `\n${list[1] ?? ""}- `;
  let start = list.index - 1;
  for (let i = 0; i <= index; i++) {
    start = text.indexOf(itemStart, start + 1);
    if (start < 0) return undefined;
  }
  const next = text.indexOf(itemStart, start + 1);
  return { start: start + 1, end: next < 0 ? text.length : next + 1, path: [0, ...rest] };
}

/**
 * One document's text → the values in it, or why it cannot be read. YAML and JSON, anchors and merge keys included.
 *
 * Whatever comes out is bounded: so many levels deep, and with all aliases written out not much larger than its text, so
 * that whoever walks over it (and no longer sees which parts are shared) ends in time.
 */
import { CORE_SCHEMA, load, Type, YAMLException } from "js-yaml";
import { deepestNesting, judgeExpansion } from "./alias-expansion.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { scanJson } from "./scan-json.ts";

export interface ParsedValue {
  readonly value: unknown;
  /** The value's part of the document's text. */
  readonly start: number;
  readonly end: number;
}

export type ParsedValues =
  | { readonly outcome: "values"; readonly values: readonly ParsedValue[] }
  | { readonly outcome: "unreadable"; readonly message: string; readonly offset: number };

export function parseValues(text: string, contentStart: number): ParsedValues {
  const first = text[contentStart];
  if (first === "{" || first === "[") {
    const values = parseJson(text, contentStart);
    if (values !== undefined) return values;
  }
  return parseYaml(text, contentStart);
}

// Core has no merge keys, and the default schema has them together with dates.
const mergeKey = new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (data) => data === "<<" });
const schemaWithMerge = CORE_SCHEMA.extend({ implicit: [mergeKey] });

function parseYaml(text: string, contentStart: number): ParsedValues {
  const plain = readPlainYaml(text, contentStart);
  if (plain !== undefined)
    return { outcome: "values", values: [{ value: plain, start: 0, end: text.length }] };
  let value: unknown;
  try {
    value = load(text, { schema: text.includes("<<") ? schemaWithMerge : CORE_SCHEMA, ...limits });
  } catch (error) {
    if (error instanceof YAMLException) {
      const offset = Math.min(error.mark?.position ?? contentStart, text.length);
      return unreadable(text, explain(error.reason, text, offset), offset);
    }
    if (error instanceof RangeError) return unreadable(text, tooDeep, contentStart);
    throw error;
  }
  const problem =
    mayRepeat.test(text) || mayHaveOddKeys.test(text) ? judgeExpansion(value, text.length) : undefined;
  if (problem !== undefined) return unreadable(text, problem, contentStart);
  return { outcome: "values", values: [{ value, start: 0, end: text.length }] };
}

const tooDeep = `is nested deeper than ${deepestNesting} levels`;
const limits = { maxDepth: deepestNesting, maxTotalMergeKeys: 10_000 };
const mayRepeat = /\*/;
/** A mapping or a list in a place where a key may be. */
const mayHaveOddKeys = /\?|[{,]\s*[{[]/;

const explanations = new Map([
  [
    "duplicated mapping key",
    (text: string, offset: number) =>
      `the key ${mayBeSecret(text) ? "here" : keyAt(text, offset)} is there twice; keep one`,
  ],
  ["tab characters must not be used in indentation", () => "is indented with a tab; use spaces"],
  [`nesting exceeded maxDepth (${deepestNesting})`, () => tooDeep],
  ["null byte is not allowed in input", () => "has a NUL character"],
]);

/**
 * A document that cannot be read may be anybody's, a Secret too, and a password may begin with `*` or `!`. So what the
 * reader repeats of its text is left out; the position says where it is.
 */
function explain(reason: string, text: string, offset: number): string {
  const known = explanations.get(reason)?.(text, offset);
  if (known !== undefined) return known;
  const repeating = repeatingReasons.find(([pattern]) => pattern.test(reason));
  return `is not valid YAML: ${repeating?.[1] ?? reason}`;
}

const repeatingReasons = [
  [/\balias\b/, "an alias (*) of nothing; put a text that begins with * in quotes"],
  [/\btag\b/, "a tag (!) that means nothing here; put a text that begins with ! in quotes"],
] as const;

/** Whether what stands in a document that cannot be read may be the content of a Secret. */
export function mayBeSecret(text: string): boolean {
  return /\bSecret/.test(text);
}

function keyAt(text: string, offset: number): string {
  return /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:#]+)/.exec(text.slice(offset, offset + 100))?.[0] ?? "at this place";
}

function unreadable(text: string, message: string, offset: number): ParsedValues {
  return { outcome: "unreadable", message: message + hintFor(text), offset };
}

function hintFor(text: string): string {
  if (/^(?:<{7}|={7}|>{7})(?: |$)/m.test(text)) return " (a merge conflict that is not resolved yet)";
  if (text.includes("{{")) return " (a template, it seems: render it first, as with `helm template`)";
  return "";
}

/** Values as JSON has them, several after one another included (as `jq` prints them); undefined if it is not JSON. */
function parseJson(text: string, contentStart: number): ParsedValues | undefined {
  const parts = scanJson(text, contentStart);
  if (parts === undefined) return undefined;
  const values: ParsedValue[] = [];
  for (const { start, end, keys } of parts) {
    let value: unknown;
    try {
      value = JSON.parse(text.slice(start, end));
    } catch {
      return undefined;
    }
    // JSON.parse keeps the last of several equal keys. The YAML reader refuses them and says where they are.
    if (countKeys(value) !== keys) return undefined;
    values.push({ value, start, end });
  }
  return { outcome: "values", values };
}

/** How many keys a value has, all levels together. */
function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return children.reduce<number>(
    (keys, child) => keys + countKeys(child),
    Array.isArray(value) ? 0 : children.length,
  );
}

/*
 * The rules of a virtual host as `scripts/matching.js` reads them: an entry per path, and large tables cut in parts so that a request reads only
 * what its own path needs.
 */
import { comparablePath, type RequestMatch, type Rule, type ValueMatch } from "../../../model/index.ts";
import { identifierOf } from "./identifier.ts";

/** `[position, conditions, action]`, and for patterns the expression. */
type Entry = readonly [position: number, conditions: Conditions | null, action: string, expression?: string];

interface Conditions {
  readonly method?: string;
  readonly headers: readonly Condition[];
  readonly parameters: readonly Condition[];
}

type Condition = readonly [name: string, value: string, isExpression: 0 | 1];

export interface RenderedTable {
  readonly id: string;
  /** By name, in the folder of tables. */
  readonly files: ReadonlyMap<string, string>;
  /** The regular expressions that it refers to, by identifier. */
  readonly expressions: ReadonlyMap<string, string>;
}

const entriesPerPart = 16;

export function renderTable(rules: readonly Rule[], actionOf: (rule: Rule) => string): RenderedTable {
  const entries = new Map<string, Entry[]>();
  const patterns: Entry[] = [];
  const expressions = new Map<string, string>();
  const expressionOf = (source: string): string => {
    const id = identifierOf(source);
    expressions.set(id, source);
    return id;
  };
  let depth = 0;
  for (const [position, rule] of rules.entries()) {
    const { path } = rule.match;
    const conditions = conditionsOf(rule.match, expressionOf);
    const action = actionOf(rule);
    if (path.type === "regex") {
      patterns.push([position, conditions, action, expressionOf(path.value)]);
      continue;
    }
    const value = comparablePath(path.type === "prefix" ? path.value.replace(/\/$/, "") : path.value);
    if (path.type === "prefix") depth = Math.max(depth, value.split("/").length - 1);
    const key = `${path.type === "prefix" ? "/" : "="}${value}`;
    const known = entries.get(key);
    if (known) known.push([position, conditions, action]);
    else entries.set(key, [[position, conditions, action]]);
  }
  return { ...filesOf(entries, patterns, depth), expressions };
}

function conditionsOf(match: RequestMatch, expressionOf: (source: string) => string): Conditions | null {
  const { method, headers, queryParams } = match;
  if (method === undefined && headers.length === 0 && queryParams.length === 0) return null;
  const condition = ({ name, type, value }: ValueMatch): Condition =>
    type === "regex" ? [name, expressionOf(value), 1] : [name, value, 0];
  return {
    ...(method === undefined ? {} : { method }),
    headers: headers.map(condition),
    parameters: queryParams.map(condition),
  };
}

function filesOf(
  entries: ReadonlyMap<string, readonly Entry[]>,
  patterns: readonly Entry[],
  depth: number,
): { readonly id: string; readonly files: ReadonlyMap<string, string> } {
  const count = entries.size <= 2 * entriesPerPart ? 0 : Math.ceil(entries.size / entriesPerPart);
  const whole = JSON.stringify([depth, patterns, [...entries]]);
  const id = identifierOf(whole);
  const files = new Map<string, string>();
  files.set(
    id,
    JSON.stringify({
      depth,
      parts: count,
      patterns,
      entries: count === 0 ? Object.fromEntries(entries) : {},
    }),
  );
  const parts = Array.from({ length: count }, (): [string, readonly Entry[]][] => []);
  for (const entry of entries) parts[partOf(entry[0], count || 1)]?.push(entry);
  for (const [number, part] of parts.entries())
    files.set(`${id}.${number}`, JSON.stringify(Object.fromEntries(part)));
  return { id, files };
}

/** FNV-1a, as `scripts/store.js` has it. */
function partOf(key: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % count;
}

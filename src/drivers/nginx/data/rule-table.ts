/*
 * The rules of a virtual host as `scripts/matching.js` reads them: an entry per path, and large tables cut in parts so that a request reads only
 * what its own path needs.
 */
import { comparablePath, type HeaderMatch, type RequestMatch, type Rule } from "../../../model/index.ts";
import { identifierOf } from "./identifier.ts";

/** `[position, conditions, action]`, and for patterns the expression. */
type Entry = readonly [position: number, conditions: Conditions | null, action: string, expression?: string];

interface Conditions {
  readonly method?: string;
  readonly headers: readonly Condition[];
  readonly parameters: readonly Condition[];
}

type Condition = readonly [name: string, value: string, isExpression: 0 | 1, isInverted?: 1];

export interface RenderedTable {
  /** What stands in the file of the host. */
  readonly head: TableHead;
  /** The parts of a large one, by name in the folder of tables. */
  readonly files: ReadonlyMap<string, string>;
  /** The regular expressions that it refers to, by identifier. */
  readonly expressions: ReadonlyMap<string, string>;
}

export interface TableHead {
  readonly table: string;
  readonly depth: number;
  /** How many parts there are; 0: all is here. */
  readonly parts: number;
  /** Of each hash of an entry, modulo the length, `1`; `0`: there is none. */
  readonly filter: string;
  readonly patterns: readonly Entry[];
  readonly entries: Readonly<Record<string, readonly Entry[]>>;
  readonly actions: Readonly<Record<string, unknown>>;
}

export interface NamedAction {
  readonly name: string;
  readonly action: unknown;
}

/** Reading a file costs as much as parsing a dozen of its entries. */
const mostInOne = 16;
const entriesPerPart = 8;
const longestFilter = 8_192;

export function renderTable(rules: readonly Rule[], actionOf: (rule: Rule) => NamedAction): RenderedTable {
  const entries = new Map<string, Entry[]>();
  const patterns: Entry[] = [];
  const expressions = new Map<string, string>();
  const expressionOf = (source: string): string => {
    const id = identifierOf(source);
    expressions.set(id, source);
    return id;
  };
  const actions = new Map<string, unknown>();
  let depth = 0;
  for (const [position, rule] of rules.entries()) {
    const { path } = rule.match;
    const conditions = conditionsOf(rule.match, expressionOf);
    const { name: action, action: content } = actionOf(rule);
    actions.set(action, content);
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
  return { ...filesOf({ entries, patterns, depth, actions }), expressions };
}

function conditionsOf(match: RequestMatch, expressionOf: (source: string) => string): Conditions | null {
  const { method, headers, queryParams } = match;
  if (method === undefined && headers.length === 0 && queryParams.length === 0) return null;
  const condition = ({ name, type, value, invert }: HeaderMatch): Condition => {
    const [text, isExpression] =
      type === "regex" ? ([expressionOf(value), 1] as const) : ([value, 0] as const);
    return invert ? [name, text, isExpression, 1] : [name, text, isExpression];
  };
  return {
    ...(method === undefined ? {} : { method }),
    headers: headers.map(condition),
    parameters: queryParams.map(condition),
  };
}

interface Collected {
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly patterns: readonly Entry[];
  readonly depth: number;
  readonly actions: ReadonlyMap<string, unknown>;
}

function filesOf({ entries, patterns, depth, actions }: Collected): Pick<RenderedTable, "head" | "files"> {
  const table = identifierOf(JSON.stringify([depth, patterns, [...entries]]));
  if (entries.size <= mostInOne) {
    const content = { entries: Object.fromEntries(entries), actions: Object.fromEntries(actions) };
    return { head: { table, depth, parts: 0, filter: "", patterns, ...content }, files: new Map() };
  }
  const count = Math.ceil(entries.size / entriesPerPart);
  const parts = Array.from({ length: count }, (): [string, readonly Entry[]][] => []);
  const filter = Array.from({ length: Math.min(longestFilter, 16 * entries.size) }, () => "0");
  for (const entry of entries) {
    const hash = hashOf(entry[0]);
    filter[hash % filter.length] = "1";
    parts[hash % count]!.push(entry);
  }
  const files = parts.map((part, number): [string, string] => [
    `${table}.${number}`,
    JSON.stringify(Object.fromEntries(part)),
  ]);
  const head = { table, depth, parts: count, filter: filter.join(""), patterns, entries: {}, actions: {} };
  return { head, files: new Map(files) };
}

/** FNV-1a, as `scripts/store.js` has it. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

// The conditions of a route together with those of the includes that lead to it.
//
// Spec: all of them must hold. Paths are concatenated in the order from the root; a condition block has one path at most, and an include
// has prefixes only. The last path decides whether the whole is a prefix or exact; one regular expression makes the whole one.
// Headers and query parameters add up. Contradictions that nobody can meet are the user's mistake and are told.

import {
  normalizePath,
  parseRegularExpression,
  type HeaderMatch,
  type PathMatch,
  type ValueMatch,
} from "../../model/index.ts";
import type { HTTPProxyCondition, HTTPProxyHeaderCondition } from "../../resources/index.ts";
import { headerMatches, queryParameterMatches } from "./value-conditions.ts";

export type Conditions = readonly HTTPProxyCondition[];

export interface MergedConditions {
  readonly path: PathMatch;
  readonly headers: readonly HeaderMatch[];
  readonly queryParams: readonly ValueMatch[];
}

/** Which of the API's reasons: `PathMatchConditionsNotValid` and so on. */
export interface ConditionProblem {
  readonly part: "Path" | "Header" | "QueryParameter";
  readonly wrong: string;
}

/** What is wrong with one block of conditions, looked at by itself. */
export function judgeBlock(conditions: Conditions): ConditionProblem | undefined {
  const wrong = judgePaths(conditions);
  return wrong === undefined ? judgeValues(conditions) : { part: "Path", wrong };
}

/** Of an include: the same, and there is nothing behind an exact path or an expression. */
export function judgeIncludeBlock(conditions: Conditions): ConditionProblem | undefined {
  for (const { exact, regex } of conditions) {
    if (exact)
      return {
        part: "Path",
        wrong: "an include takes prefix conditions only; move exact to the routes of what is included",
      };
    if (regex)
      return {
        part: "Path",
        wrong: "an include takes prefix conditions only; move regex to the routes of what is included",
      };
  }
  return judgeBlock(conditions);
}

/** `all` is from the root to the route; the blocks have been judged one by one. */
export function mergeConditions(
  all: Conditions,
): { readonly merged: MergedConditions } | { readonly problem: ConditionProblem } {
  const values = judgeValues(all);
  if (values) return { problem: values };
  const path = mergePaths(all);
  if ("wrong" in path) return { problem: { part: "Path", wrong: path.wrong } };
  return {
    merged: {
      path: path.match,
      headers: all.flatMap(({ header }) => (header ? matchesOf(headerMatches(header)) : [])),
      queryParams: all.flatMap(({ queryParameter }) =>
        queryParameter ? matchesOf(queryParameterMatches(queryParameter)) : [],
      ),
    },
  };
}

/** Two blocks with the same text ask for the same. The order of headers and parameters does not matter. */
export function blockKey(conditions: Conditions): string {
  const path = mergePaths(conditions);
  const values = conditions.flatMap(({ header, queryParameter }) => [
    ...(header ? matchesOf(headerMatches(header)).map((match) => `header ${JSON.stringify(match)}`) : []),
    ...(queryParameter
      ? matchesOf(queryParameterMatches(queryParameter)).map((match) => `query ${JSON.stringify(match)}`)
      : []),
  ]);
  return JSON.stringify(["match" in path ? path.match : path.wrong, ...new Set(values.toSorted())]);
}

/** The block that asks for nothing. */
export const anyBlock = blockKey([]);

function matchesOf<T>(judged: { readonly matches: readonly T[] } | { readonly wrong: string }): readonly T[] {
  return "matches" in judged ? judged.matches : [];
}

function judgePaths(conditions: Conditions): string | undefined {
  const paths = conditions.flatMap(({ prefix, exact, regex }) => [
    ...(prefix ? [["prefix", prefix] as const] : []),
    ...(exact ? [["exact", exact] as const] : []),
    ...(regex ? [["regex", regex] as const] : []),
  ]);
  for (const [type, value] of paths) {
    if (!value.startsWith("/")) return `${type} ${JSON.stringify(value)} must begin with /`;
    if (type === "regex") {
      const verdict = parseRegularExpression(value);
      if (!verdict.ok) return `regex ${JSON.stringify(value)}: ${verdict.problem}`;
    }
  }
  return paths.length > 1 ? "a block of conditions has one of prefix, exact and regex; keep one" : undefined;
}

function mergePaths(conditions: Conditions): { readonly match: PathMatch } | { readonly wrong: string } {
  const parts = conditions.filter(({ prefix, exact, regex }) => prefix || exact || regex);
  const isRegex = parts.some(({ regex }) => regex);
  if (isRegex) {
    const source = parts
      .map(({ prefix, exact, regex }) => regex || escapePath(prefix || exact || ""))
      .join("")
      .replace(/\/\/+/g, "/");
    const verdict = parseRegularExpression(source);
    return verdict.ok
      ? { match: { type: "regex", value: source } }
      : { wrong: `${source}: ${verdict.problem}` };
  }
  const text = parts
    .map(({ prefix, exact }) => prefix || exact)
    .join("")
    .replace(/\/\/+/g, "/");
  const target = normalizePath(text || "/");
  if ("refused" in target || target.path === "*" || target.search !== "") {
    const why =
      "refused" in target ? target.refused : "it must be a path that begins with /, without a query";
    return { wrong: `no request can have the path ${JSON.stringify(text)}: ${why}` };
  }
  // Spec: the leaf decides, and a leaf without a path takes what is below the include.
  if (parts.at(-1)?.exact) return { match: { type: "exact", value: target.path } };
  return { match: { type: "prefix", value: target.path.replace(/(?<=.)\/$/, "") } };
}

function escapePath(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function judgeValues(conditions: Conditions): ConditionProblem | undefined {
  for (const { header } of conditions) {
    const judged = header && headerMatches(header);
    if (judged && "wrong" in judged) return { part: "Header", wrong: judged.wrong };
  }
  const contradiction = findContradiction(conditions.flatMap(({ header }) => header ?? []));
  if (contradiction !== undefined) return { part: "Header", wrong: contradiction };
  const exactParameters = new Set<string>();
  for (const { queryParameter } of conditions) {
    if (!queryParameter) continue;
    const judged = queryParameterMatches(queryParameter);
    if ("wrong" in judged) return { part: "QueryParameter", wrong: judged.wrong };
    if (!queryParameter.exact) continue;
    const name = queryParameter.name.toLowerCase();
    if (exactParameters.has(name)) {
      const wrong = `query parameter ${name} cannot have two exact values at once; keep one`;
      return { part: "QueryParameter", wrong };
    }
    exactParameters.add(name);
  }
  return undefined;
}

/** Spec: what nobody can meet: two exact values, and an operator with its opposite. */
function findContradiction(headers: readonly HTTPProxyHeaderCondition[]): string | undefined {
  const seen = new Set<string>();
  for (const header of headers) {
    const name = header.name.toLowerCase();
    const { present, notpresent, contains, notcontains, exact, notexact } = header;
    if (exact) {
      if (seen.has(`${name} exactly`)) {
        return `header ${name} cannot have two exact values at once; keep one`;
      }
      seen.add(`${name} exactly`);
    }
    const asked: readonly (readonly [operator: string, opposite: string, value: string])[] = [
      ...(present === true ? ([["present", "notpresent", ""]] as const) : []),
      ...(notpresent === true ? ([["notpresent", "present", ""]] as const) : []),
      ...(contains ? ([["contains", "notcontains", contains]] as const) : []),
      ...(notcontains ? ([["notcontains", "contains", notcontains]] as const) : []),
      ...(exact ? ([["exact", "notexact", exact]] as const) : []),
      ...(notexact ? ([["notexact", "exact", notexact]] as const) : []),
    ];
    for (const [operator, opposite, value] of asked) {
      if (seen.has(`${name} ${opposite} ${value}`)) {
        const [plain, negative] = operator.startsWith("not") ? [opposite, operator] : [operator, opposite];
        return `header ${name} cannot meet ${plain} and ${negative} at once; remove one`;
      }
      seen.add(`${name} ${operator} ${value}`);
    }
  }
  return undefined;
}

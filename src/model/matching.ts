/*
 * Whether a rule's match takes a request. All given parts must hold; a header or query parameter that is absent
 * never holds, unless the match is inverted. `rule-table.ts` finds the first of many rules without asking each of them.
 */
import { MatchingEffort } from "./regular-expression/matching-effort.ts";
import { compileRegularExpression, type TextTest } from "./regular-expression.ts";
import { comparablePath, firstQueryValue } from "./request-path.ts";
import type { PathMatch, RequestMatch, ValueMatch } from "./rule.ts";

/** What of a request decides which rule takes it. */
export interface MatchableRequest {
  readonly method: string;
  /** Normalised, without the query. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** The value of a header by its lower-case name; values of a repeated header joined by `, `. */
  header(name: string): string | undefined;
}

export interface CompiledMatch {
  /** Throws `MatchingTooCostly` if regular expressions would take too long; several tests of one request share an effort. */
  test(request: MatchableRequest, effort?: MatchingEffort): boolean;
}

export type RequestTest = (request: MatchableRequest, effort: MatchingEffort) => boolean;

export function compileMatch(match: RequestMatch): CompiledMatch {
  const path = compilePath(match.path);
  const conditions = compileConditions(match);
  if (!conditions) return { test: (request, effort) => path(request.path, effort) };
  return {
    test(request, effort = new MatchingEffort()) {
      return path(request.path, effort) && conditions(request, effort);
    },
  };
}

/** The test of a path that is normalised. Prefixes are element-wise: `/a` takes `/a`, `/a/` and `/a/b`, not `/ab`. */
export function compilePath(match: PathMatch): TextTest {
  if (match.type === "regex") return compilePattern(match);
  const value = comparablePath(match.type === "exact" ? match.value : prefixOf(match.value));
  const compare: TextTest =
    match.type === "exact"
      ? (path) => path === value
      : (path) => path.startsWith(value) && (path.length === value.length || isSlash(path, value.length));
  return value.includes("%") ? (path) => compare(comparablePath(path)) : compare;
}

/** A prefix without its trailing slash; that of `/` is empty. */
export function prefixOf(value: string): string {
  return value.endsWith("/") ? value.slice(0, -1) : value;
}

function isSlash(path: string, position: number): boolean {
  return path.charCodeAt(position) === 0x2f;
}

/** Everything but the path; `undefined` if there is nothing else to ask. */
export function compileConditions(match: RequestMatch): RequestTest | undefined {
  const { method } = match;
  if (match.headers.length === 0 && match.queryParams.length === 0) {
    return method === undefined ? undefined : (request) => request.method === method;
  }
  const headers = match.headers.map((header) => ({
    ...compileValue(header),
    invert: header.invert ?? false,
  }));
  const parameters = match.queryParams.map(compileValue);
  return (request, effort) => {
    if (method !== undefined && request.method !== method) return false;
    for (const { name, test, invert } of headers) {
      const value = request.header(name);
      if ((value !== undefined && test(value, effort)) === invert) return false;
    }
    for (const { name, test } of parameters) {
      const value = firstQueryValue(request.query, name);
      if (value === undefined || !test(value, effort)) return false;
    }
    return true;
  };
}

function compileValue(match: ValueMatch): { readonly name: string; readonly test: TextTest } {
  const { name, type, value } = match;
  return { name, test: type === "exact" ? (text) => text === value : compilePattern(match) };
}

/**
 * Compiled when first asked, and kept as long as the match that it stands in: a change of one rule does not compile the
 * expressions of its neighbours again.
 */
const patterns = new WeakMap<PathMatch | ValueMatch, TextTest>();

export function compilePattern(match: PathMatch | ValueMatch): TextTest {
  return (text, effort) => {
    let test = patterns.get(match);
    if (!test) {
      test = compileRegularExpression(match.value);
      patterns.set(match, test);
    }
    return test(text, effort);
  };
}

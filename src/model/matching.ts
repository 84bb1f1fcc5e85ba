import { compileRegularExpression } from "./regular-expression.ts";
import { firstQueryValue } from "./request-path.ts";
import type { PathMatch, RequestMatch, Rule, ValueMatch } from "./rule.ts";

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
  test(request: MatchableRequest): boolean;
}

/** One part of a match against one request, for people. */
export interface MatchStep {
  readonly part: "path" | "method" | "header" | "query parameter";
  readonly held: boolean;
  readonly expected: string;
  readonly actual: string;
}

type TextTest = (text: string) => boolean;

export function compileMatch(match: RequestMatch): CompiledMatch {
  const path = compilePath(match.path);
  const method = match.method;
  const headers = compileValues(match.headers);
  const queryParams = compileValues(match.queryParams);
  return {
    test(request) {
      if (method !== undefined && request.method !== method) return false;
      if (!path(request.path)) return false;
      for (const header of headers) {
        const value = request.header(header.name);
        if (value === undefined || !header.test(value)) return false;
      }
      for (const parameter of queryParams) {
        const value = firstQueryValue(request.query, parameter.name);
        if (value === undefined || !parameter.test(value)) return false;
      }
      return true;
    },
  };
}

function compilePath(match: PathMatch): TextTest {
  if (match.type === "exact") return (path) => path === match.value;
  if (match.type === "regex") return compileRegularExpression(match.value);
  const prefix = match.value.endsWith("/") ? match.value.slice(0, -1) : match.value;
  return (path) =>
    path.startsWith(prefix) && (path.length === prefix.length || path.charCodeAt(prefix.length) === 0x2f);
}

function compileValues(matches: readonly ValueMatch[]): { name: string; test: TextTest }[] {
  return matches.map(({ name, type, value }) => ({
    name,
    test: type === "exact" ? (text: string) => text === value : compileRegularExpression(value),
  }));
}

/** Every part of the match and whether it held, the ones after a failure too. */
export function explainMatch(match: RequestMatch, request: MatchableRequest): readonly MatchStep[] {
  const steps: MatchStep[] = [];
  const kinds = { exact: "exactly", prefix: "below", regex: "matching" } as const;
  steps.push({
    part: "path",
    held: compilePath(match.path)(request.path),
    expected: `${kinds[match.path.type]} ${match.path.value}`,
    actual: request.path,
  });
  if (match.method !== undefined) {
    steps.push({
      part: "method",
      held: request.method === match.method,
      expected: match.method,
      actual: request.method,
    });
  }
  const addValues = (
    part: MatchStep["part"],
    matches: readonly ValueMatch[],
    valueOf: (name: string) => string | undefined,
  ) => {
    for (const [position, { name, test }] of compileValues(matches).entries()) {
      const { type, value } = matches[position]!;
      const actual = valueOf(name);
      steps.push({
        part,
        held: actual !== undefined && test(actual),
        expected: `${name} ${kinds[type]} ${value}`,
        actual: actual === undefined ? `no ${name}` : `${name} is ${actual}`,
      });
    }
  };
  addValues("header", match.headers, (name) => request.header(name));
  addValues("query parameter", match.queryParams, (name) => firstQueryValue(request.query, name));
  return steps;
}

/** The first rule, in the given order, that matches. */
export function compileRules(rules: readonly Rule[]): (request: MatchableRequest) => Rule | undefined {
  const compiled = rules.map((rule) => ({ rule, match: compileMatch(rule.match) }));
  return (request) => compiled.find(({ match }) => match.test(request))?.rule;
}

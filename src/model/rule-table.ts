/*
 * The first of many rules that takes a request, without asking all of them.
 *
 * Rules are filed by their path: exact paths in a map, prefixes in a tree of segments, regular expressions in a list. A
 * request looks into the map once and walks the tree down along its own segments, as far as there are any: only the
 * rules found there can take it. Each place keeps its rules in the given order, and of each place only the rules
 * before the best one found so far are asked. So the order alone decides, wherever a rule is filed, and the cost
 * depends on the length of the path, the number of rules with the very same path, and the regular expressions.
 */
import {
  compileConditions,
  compilePath,
  prefixOf,
  type MatchableRequest,
  type RequestTest,
} from "./matching.ts";
import { MatchingEffort } from "./regular-expression/matching-effort.ts";
import type { TextTest } from "./regular-expression.ts";
import { comparablePath } from "./request-path.ts";
import type { Rule } from "./rule.ts";

interface FiledRule {
  /** In the given order. */
  readonly position: number;
  readonly rule: Rule;
  readonly conditions: RequestTest | undefined;
}

interface FiledPattern extends FiledRule {
  readonly path: TextTest;
}

interface Segment {
  readonly parent: Segment | undefined;
  /** Most segments have none. */
  children: Map<string, Segment> | undefined;
  rules: FiledRule[] | undefined;
}

/** Where several tables are asked for one request, they share its effort. Throws `MatchingTooCostly` when that is used up. */
export type RuleFinder = (request: MatchableRequest, effort?: MatchingEffort) => Rule | undefined;

/** `rules` are in order of precedence: the first that takes the request is the answer. */
export function compileRules(rules: readonly Rule[]): RuleFinder {
  const exact = new Map<string, FiledRule[]>();
  const root = newSegment(undefined);
  const patterns: FiledPattern[] = [];
  for (const [position, rule] of rules.entries()) {
    const filed = { position, rule, conditions: compileConditions(rule.match) };
    const { type, value } = rule.match.path;
    if (type === "regex") patterns.push({ ...filed, path: compilePath(rule.match.path) });
    else if (type === "prefix") (segmentAt(root, comparablePath(prefixOf(value))).rules ??= []).push(filed);
    else fileExact(exact, comparablePath(value), filed);
  }

  return (request, effort = new MatchingEffort()) => {
    const path = comparablePath(request.path);
    let found = firstOf(exact.get(path), request, effort, undefined);
    for (let segment = deepestSegment(root, path); segment; segment = segment.parent) {
      found = firstOf(segment.rules, request, effort, found);
    }
    for (const pattern of patterns) {
      if (found && pattern.position > found.position) break;
      if (!pattern.path(request.path, effort)) continue;
      if (!pattern.conditions || pattern.conditions(request, effort)) return pattern.rule;
    }
    return found?.rule;
  };
}

function newSegment(parent: Segment | undefined): Segment {
  return { parent, children: undefined, rules: undefined };
}

function fileExact(exact: Map<string, FiledRule[]>, path: string, filed: FiledRule): void {
  const sameRules = exact.get(path);
  if (sameRules) sameRules.push(filed);
  else exact.set(path, [filed]);
}

/** `prefix` without trailing slash; empty for the root. */
function segmentAt(root: Segment, prefix: string): Segment {
  let segment = root;
  for (let start = 1; start <= prefix.length;) {
    const slash = prefix.indexOf("/", start);
    const end = slash < 0 ? prefix.length : slash;
    const name = prefix.slice(start, end);
    const children = (segment.children ??= new Map<string, Segment>());
    let child = children.get(name);
    if (!child) {
      child = newSegment(segment);
      children.set(name, child);
    }
    segment = child;
    start = end + 1;
  }
  return segment;
}

/** The last segment of the tree that lies on the path; `*` is no path and on none. */
function deepestSegment(root: Segment, path: string): Segment | undefined {
  if (path.charCodeAt(0) !== 0x2f) return undefined;
  let segment = root;
  for (let start = 1; segment.children;) {
    const slash = path.indexOf("/", start);
    const child = segment.children.get(slash < 0 ? path.slice(start) : path.slice(start, slash));
    if (!child) break;
    segment = child;
    if (slash < 0) break;
    start = slash + 1;
  }
  return segment;
}

/** The first of `rules` that takes the request, if it comes before `found`; else `found`. */
function firstOf(
  rules: readonly FiledRule[] | undefined,
  request: MatchableRequest,
  effort: MatchingEffort,
  found: FiledRule | undefined,
): FiledRule | undefined {
  if (!rules) return found;
  for (const filed of rules) {
    if (found && filed.position > found.position) return found;
    if (!filed.conditions || filed.conditions(request, effort)) return filed;
  }
  return found;
}

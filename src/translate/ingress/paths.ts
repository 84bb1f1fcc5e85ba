// The path of a rule as a match of an HTTPRoute, and what annotation rewrite-target makes of it.
//
// Spec, Ingress: Exact is exact, Prefix goes by elements, ImplementationSpecific is the implementation's: by elements too, or an expression with annotation use-regex or
// rewrite-target, which holds for Prefix as well if the path has more in it than characters of a path.
// ingress-nginx: an expression begins at the beginning of the path, need not reach its end, and sees no difference between capital and small letters.
//
// The Gateway API can replace a whole path or a prefix by elements. So a path with groups is read for what it nearly always says, a prefix and what is behind it:
// `/shop(/|$)(.*)` with target `/$2` replaces the prefix /shop by /. As a prefix it sees the difference between capital and small letters. What says something else is refused.

import { normalizePath, parseRegularExpression } from "../../model/index.ts";
import type { HTTPPathMatch, HTTPPathModifier, IngressPath } from "../../resources/index.ts";

export interface PathPolicies {
  /** Annotation use-regex. */
  readonly usesRegex: boolean;
  readonly rewriteTarget: string | undefined;
}

export type JudgedPath =
  | {
      readonly match: HTTPPathMatch;
      readonly change?: HTTPPathModifier;
      /** What cannot be done of it, for which its requests are answered with an error. */
      readonly blocked?: string;
    }
  /** There is no match that would be meant. */
  | { readonly wrong: string };

export function judgePath(
  { path = "", pathType }: Pick<IngressPath, "path" | "pathType">,
  { usesRegex, rewriteTarget }: PathPolicies,
): JudgedPath {
  const value = path === "" ? "/" : path;
  const isPlain = plainPath.test(value);
  if (pathType === "Exact") return withTarget({ type: "Exact", value }, rewriteTarget, value);
  if (isPlain || (!usesRegex && rewriteTarget === undefined)) {
    const judged = plainMatch(value);
    return "wrong" in judged ? judged : withTarget(judged, rewriteTarget, value);
  }
  const prefix = rewriteTarget === undefined ? undefined : prefixChange(value, rewriteTarget);
  if (prefix) return prefix;
  const match = expressionMatch(value);
  return "wrong" in match ? match : withTarget(match, rewriteTarget, value);
}

const plainPath = /^\/(?:[-A-Za-z0-9/_~!&',;=:@]|%[0-9A-Fa-f]{2}|\.(?![*+?{]))*$/;

function plainMatch(value: string): HTTPPathMatch | { readonly wrong: string } {
  const target = normalizePath(value);
  const wrong = "refused" in target ? target.refused : target.search === "" ? undefined : "it has a query";
  return wrong === undefined
    ? { type: "PathPrefix", value }
    : { wrong: `${JSON.stringify(value)} is not a path: ${wrong}` };
}

function expressionMatch(source: string): HTTPPathMatch | { readonly wrong: string } {
  const body = source.startsWith("^") ? source.slice(1) : source;
  const verdict = parseRegularExpression(body);
  if (!verdict.ok) return { wrong: `${JSON.stringify(source)}: ${verdict.problem}` };
  const value = `(?i)(?:${body}).*`;
  const whole = parseRegularExpression(value);
  if (!whole.ok) return { wrong: `${JSON.stringify(source)}: ${whole.problem}` };
  return value.length > longestExpression
    ? { wrong: `${JSON.stringify(source)} is longer than an expression may be` }
    : { type: "RegularExpression", value };
}

/** The Gateway API's own limit. */
const longestExpression = 1024;

/** A target without groups is the whole new path. */
function withTarget(match: HTTPPathMatch, target: string | undefined, path: string): JudgedPath {
  if (target === undefined) return { match };
  const blocked = judgeTarget(target);
  if (blocked !== undefined) return { match, blocked };
  if (!hasGroup.test(target)) return { match, change: { type: "ReplaceFullPath", replaceFullPath: target } };
  const shown = `rewrite-target ${JSON.stringify(target)} with path ${JSON.stringify(path)}`;
  return {
    match,
    blocked: `${shown} cannot be honoured: groups can be used only to put what is behind a prefix behind another, as in path /shop(/|$)(.*) and target /$2`,
  };
}

const hasGroup = /\$(?:[0-9]|\{)/;

function judgeTarget(target: string): string | undefined {
  const withoutGroups = target.replaceAll(/\$[0-9]/g, "x");
  const path = normalizePath(withoutGroups);
  const isPath = target.startsWith("/") || target.startsWith("$");
  if (!isPath || ("refused" in path && target.startsWith("/")))
    return `rewrite-target ${JSON.stringify(target)} is not a path`;
  if (/[?#]/.test(target)) return `rewrite-target ${JSON.stringify(target)} must not have a query`;
  return /\$(?![0-9])/.test(target)
    ? `rewrite-target ${JSON.stringify(target)} has a variable; only groups such as $1 can be used`
    : undefined;
}

/** What may come behind a prefix: which group is the rest, and whether that begins with the slash. */
const tails: readonly { readonly form: RegExp; readonly group: number; readonly hasSlash: boolean }[] = [
  { form: /^\(\/\|\$\)\(\.\*\)\$?$/, group: 2, hasSlash: false },
  { form: /^\(\?:\/\|\$\)\(\.\*\)\$?$/, group: 1, hasSlash: false },
  { form: /^\(\/\?\)\(\.\*\)\$?$/, group: 2, hasSlash: false },
  { form: /^\/\?\(\.\*\)\$?$/, group: 1, hasSlash: false },
  { form: /^\/\(\.\*\)\$?$/, group: 1, hasSlash: false },
  { form: /^\(\/\.\*\)\??\$?$/, group: 1, hasSlash: true },
  { form: /^\(\.\*\)\$?$/, group: 1, hasSlash: true },
];

/** `undefined`: it is not a change of a prefix. */
function prefixChange(path: string, target: string): JudgedPath | undefined {
  const parts = /^\^?((?:\/(?:[-A-Za-z0-9_~]|\\[.-]|\.(?![*+?{]))+)*)(.*)$/.exec(path);
  const literal = parts?.[1]?.replaceAll("\\", "") ?? "";
  const tail = tails.find(({ form }) => form.test(parts?.[2] ?? ""));
  const wanted = /^((?:\/[-A-Za-z0-9._~!&'()*+,;=:@%]+)*)(\/?)\$([0-9])$/.exec(target);
  if (!tail || !wanted || Number(wanted[3]) !== tail.group) return undefined;
  const [, replacement = "", slash] = wanted;
  // `/v1$2` would put what follows right behind the prefix, without a slash between.
  if (slash === "" && !tail.hasSlash) return undefined;
  if ("refused" in normalizePath(replacement || "/")) return undefined;
  return {
    match: { type: "PathPrefix", value: literal || "/" },
    change: { type: "ReplacePrefixMatch", replacePrefixMatch: replacement || "/" },
  };
}

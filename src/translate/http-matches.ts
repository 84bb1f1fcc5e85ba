import {
  normalizePath,
  parseRegularExpression,
  type PathMatch,
  type RequestMatch,
  type ValueMatch,
} from "../model/index.ts";
import { isFieldName, isFieldValue, type HTTPPathMatch, type HTTPRouteMatch } from "../resources/index.ts";
import { lacks, unsupported, type Refusal } from "./content-problems.ts";
import { none, withoutGaps } from "./lists.ts";
import type { RouteContext } from "./route-context.ts";

export interface TranslatedMatch {
  readonly match: RequestMatch;
  readonly refusals: readonly Refusal[];
}

export function translateHttpMatch(
  context: RouteContext,
  match: HTTPRouteMatch,
  field: string,
): TranslatedMatch {
  const { method, headers = [], queryParams = [] } = match;
  const path = translatePath(match.path, `${field}.path`);
  const refusals = [...path.refusals, ...judgeHeaders(headers, `${field}.headers`)];
  if (method !== undefined) refusals.push(...lacks(context, "HTTPRouteMethodMatching", `${field}.method`));
  if (queryParams.length > 0) {
    refusals.push(...lacks(context, "HTTPRouteQueryParamMatching", `${field}.queryParams`));
    refusals.push(...judgeQueryParams(queryParams, `${field}.queryParams`));
  }
  return {
    match: {
      path: path.match,
      ...(method !== undefined && { method }),
      headers: translateHeaders(headers),
      queryParams: firstOfEachName(queryParams.map(valueMatchOf)),
    },
    refusals,
  };
}

/** Requests are matched after their path has been normalised, and so the path of a match is too. */
function translatePath(
  { type, value }: HTTPPathMatch,
  field: string,
): { match: PathMatch; refusals: Refusal[] } {
  switch (type) {
    case "RegularExpression":
      return {
        match: { type: "regex", value },
        refusals: judgeExpression(value, `${field}.value`),
      };
    case "Exact":
    case "PathPrefix": {
      const target = normalizePath(value);
      if ("refused" in target || target.path === "*" || target.search !== "") {
        const why = "refused" in target ? target.refused : "it must be a path that begins with /";
        return {
          match: { type: "exact", value },
          refusals: [
            unsupported(`${field}.value`, `no request can have the path ${JSON.stringify(value)}: ${why}`),
          ],
        };
      }
      const match: PathMatch =
        type === "Exact"
          ? { type: "exact", value: target.path }
          : { type: "prefix", value: withoutTrailingSlash(target.path) };
      return { match, refusals: [] };
    }
    default:
      return {
        match: { type: "exact", value },
        refusals: [unsupported(`${field}.type`, `${String(type)} is not a known type of path match`)],
      };
  }
}

/** Spec: a trailing slash of a prefix is ignored. */
function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export interface NamedMatch {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

/** Spec: header names have no case, and of several entries with one name only the first counts. */
export function translateHeaders(headers: readonly NamedMatch[]): readonly ValueMatch[] {
  return firstOfEachName(
    headers.map((header) => valueMatchOf({ ...header, name: header.name.toLowerCase() })),
  );
}

export function judgeHeaders(headers: readonly NamedMatch[], field: string): Refusal[] {
  return headers.flatMap(({ type, name, value }, index) => {
    const at = `${field}[${index}]`;
    if (!isFieldName(name)) return [unsupported(`${at}.name`, "is not a name that a header can have")];
    if (type === "RegularExpression") return judgeExpression(value, `${at}.value`);
    if (type !== "Exact") return [unsupported(`${at}.type`, `${type} is not a known type of match`)];
    return isFieldValue(value) ? [] : [unsupported(`${at}.value`, "has characters that no header can have")];
  });
}

// oxlint-disable-next-line no-control-regex
const unfitForQuery = /[\u0000-\u001f\u007f\u2028\u2029]/;

function judgeQueryParams(queryParams: readonly NamedMatch[], field: string): Refusal[] {
  return queryParams.flatMap(({ type, value }, index) => {
    const at = `${field}[${index}]`;
    if (type === "RegularExpression") return judgeExpression(value, `${at}.value`);
    if (type !== "Exact") return [unsupported(`${at}.type`, `${type} is not a known type of match`)];
    return unfitForQuery.test(value)
      ? [unsupported(`${at}.value`, "has characters that no query can have")]
      : [];
  });
}

export function judgeExpression(source: string, field: string): Refusal[] {
  const verdict = parseRegularExpression(source);
  return verdict.ok ? [] : [unsupported(field, verdict.problem)];
}

function valueMatchOf({ type, name, value }: NamedMatch): ValueMatch {
  return { name, type: type === "RegularExpression" ? "regex" : "exact", value };
}

function firstOfEachName(matches: readonly ValueMatch[]): readonly ValueMatch[] {
  if (matches.length === 0) return none;
  const isFirst = ({ name }: ValueMatch, index: number) =>
    matches.findIndex((one) => one.name === name) === index;
  return withoutGaps(matches.map((match, index) => (isFirst(match, index) ? match : undefined)));
}

import {
  renderPathPattern,
  type HeaderMatch,
  type PathMatch,
  type RequestMatch,
  type ValueMatch,
} from "../../../model/index.ts";
import type { HeaderMatcher, RouteMatch, StringMatcher } from "../generated/messages.ts";

type PathPart = Pick<RouteMatch, "path" | "prefix" | "pathSeparatedPrefix" | "safeRegex">;

export function renderMatch(match: RequestMatch, more: readonly HeaderMatcher[] = []): RouteMatch {
  const headers: HeaderMatcher[] = [
    ...(match.method === undefined ? [] : [headerEquals(":method", match.method)]),
    ...match.headers.map(renderHeader),
    ...more,
  ];
  const queryParameters = match.queryParams.map((parameter) => ({
    name: parameter.name,
    stringMatch: renderValue(parameter),
  }));
  return {
    ...renderPath(match.path),
    ...(headers.length > 0 ? { headers } : {}),
    ...(queryParameters.length > 0 ? { queryParameters } : {}),
  };
}

function renderHeader(header: HeaderMatch): HeaderMatcher {
  // Envoy knows the Host header by its HTTP/2 name.
  const name = header.name === "host" ? ":authority" : header.name;
  if (!header.invert) return { name, stringMatch: renderValue(header) };
  // An absent header is like an empty one to all matches but this.
  if (header.type === "regex" && header.value === ".*")
    return { name, presentMatch: true, invertMatch: true };
  return { name, stringMatch: renderValue(header), invertMatch: true, treatMissingHeaderAsEmpty: true };
}

export function headerEquals(name: string, value: string): HeaderMatcher {
  return { name, stringMatch: { exact: value } };
}

function renderPath(match: PathMatch): PathPart {
  const { type, value } = match;
  // Escapes are compared without regard to the case of their digits, which plain comparison cannot do.
  if (type === "regex" || value.includes("%")) return { safeRegex: { regex: renderPathPattern(match) } };
  if (type === "exact") return { path: value };
  const prefix = value.replace(/\/+$/, "");
  return prefix === "" ? { prefix: "/" } : { pathSeparatedPrefix: prefix };
}

function renderValue({ type, value }: ValueMatch): StringMatcher {
  return type === "exact" ? { exact: value } : { safeRegex: { regex: value } };
}

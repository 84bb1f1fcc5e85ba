import {
  renderPathPattern,
  type PathMatch,
  type RequestMatch,
  type ValueMatch,
} from "../../../model/index.ts";
import type { HeaderMatcher, RouteMatch, StringMatcher } from "../generated/messages.ts";

type PathPart = Pick<RouteMatch, "path" | "prefix" | "pathSeparatedPrefix" | "safeRegex">;

export function renderMatch(match: RequestMatch, more: readonly HeaderMatcher[] = []): RouteMatch {
  const headers: HeaderMatcher[] = [
    ...(match.method === undefined ? [] : [headerEquals(":method", match.method)]),
    ...match.headers.map((header) => ({
      // Envoy knows the Host header by its HTTP/2 name.
      name: header.name === "host" ? ":authority" : header.name,
      stringMatch: renderValue(header),
    })),
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

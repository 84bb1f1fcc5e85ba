/*
 * A request's target becomes one path, and that path is what rules are matched against, what an authorizer sees and
 * what is forwarded. There is no second reading of it anywhere (attacks on gateways live in the gap between two).
 *
 * 1. Refused with 400: control and non-ASCII bytes, spaces, `\`, `#`, `%` without two hex digits, `%00`.
 * 2. Escapes of unreserved characters are decoded (RFC 3986 6.2.2.2): `%61` is `a`, `%2e` is `.`. All others are kept as
 *    they are, hex digits in the case they came in. `%2F` and `%5C` are therefore ordinary characters of a segment.
 *    `"<>^`{|}` are escaped, because no URL may have them.
 * 3. Dot segments are removed (RFC 3986 5.2.4), those that were escaped too. `..` never leaves the root.
 * 4. Repeated slashes are merged.
 * 5. Refused with 400: hidden dot segments. `/a/..;/b`, `/a/..%2Fb` and the like have no dot segment by any RFC, but
 *    servers that cut path parameters off, or decode `%2F`, see one, and would leave the prefix that was matched. A
 *    segment with other names before the dots (`/api..;/b`) means the same to everybody and stays.
 *
 * Steps 2 to 4 are what Envoy does with `normalize_path`, `merge_slashes` and escaped slashes kept unchanged, in that
 * order. Envoy is more lenient in step 1 (it turns `\` into `/` and lets a stray `%` pass); step 5 and the stray `%`
 * are a route there that answers 400 to paths that match `refusedPathPattern`.
 *
 * The result does not change when it is normalised again.
 */
import { normalizeHost } from "./hostname.ts";

export interface NormalizedTarget {
  /** What rules are matched against and what is forwarded. `*` for `OPTIONS *`. */
  readonly path: string;
  /** Without the question mark, otherwise untouched. */
  readonly query: string;
  /** To be put behind the path when forwarding: the query with its question mark, `?` for an empty one, or nothing. */
  readonly search: string;
  /** As received. */
  readonly raw: string;
  /** Of an absolute-form target, not yet normalised; it takes the place of the Host header (RFC 9112 3.2.2). */
  readonly authority?: string;
}

export interface RefusedTarget {
  /** Why, for the log and for explanations; the answer is 400. */
  readonly refused: string;
}

/** RE2, for proxies that normalise by themselves: a path that matches in full after normalisation is refused with 400. */
export const refusedPathPattern =
  "(?:.*(?:/|%2[Ff]|%5[Cc])\\.\\.?(?:(?:;|%2[Ff]|%3[Bb]|%5[Cc]).*|/.*)?|.*%(?:[^0-9A-Fa-f].*|[0-9A-Fa-f][^0-9A-Fa-f].*|[0-9A-Fa-f]?))";

const hiddenDotSegment = /(?:\/|%2[Ff]|%5[Cc])\.\.?(?:$|[/;]|%2[Ff]|%3[Bb]|%5[Cc])/;
const strayPercent = /%(?![0-9A-Fa-f]{2})/;
const escaped = /%[0-9A-Fa-f]{2}|["<>^`{|}]/g;
const unreserved = /^[A-Za-z0-9._~-]$/;
const repeatedSlashes = /\/{2,}/g;
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is;

/** Of each ASCII character: may stay as it is, makes the path go through the steps, or is refused. */
const stays = 0;
const needsWork = 1;
const refused = 2;
const kinds = new Uint8Array(128).map((_, code) => {
  if (code <= 0x20 || code === 0x7f) return refused;
  const character = String.fromCharCode(code);
  if ("\\#".includes(character)) return refused;
  return '%"<>^`{|}'.includes(character) ? needsWork : stays;
});

export function normalizePath(target: string): NormalizedTarget | RefusedTarget {
  if (target.charCodeAt(0) === 0x2f) return normalizeOriginForm(target, target, undefined);
  if (target === "*") return { path: "*", query: "", search: "", raw: target };
  const absolute = absoluteForm.exec(target);
  if (!absolute) return { refused: "the target is neither a path nor an http or https URL" };
  const authority = absolute[1]!;
  if (normalizeHost(authority) === undefined) return { refused: "the host of the target is malformed" };
  const rest = absolute[2]!;
  return normalizeOriginForm(rest.startsWith("/") ? rest : `/${rest}`, target, authority);
}

function normalizeOriginForm(
  target: string,
  raw: string,
  authority: string | undefined,
): NormalizedTarget | RefusedTarget {
  const { length } = target;
  let pathEnd = length;
  let isNormal = true;
  let afterSlash = false;
  for (let position = 0; position < length; position++) {
    const code = target.charCodeAt(position);
    const kind = code < 128 ? kinds[code] : refused;
    if (kind === refused) return { refused: describeRefused(code) };
    if (pathEnd < length) continue;
    if (code === 0x3f) pathEnd = position;
    else if (kind === needsWork || (afterSlash && (code === 0x2f || code === 0x2e))) isNormal = false;
    afterSlash = code === 0x2f;
  }
  const given = pathEnd < length ? target.slice(0, pathEnd) : target;
  const path = isNormal ? given : normalizeSegments(given);
  if (typeof path !== "string") return path;
  const query = pathEnd < length ? target.slice(pathEnd + 1) : "";
  const search = pathEnd < length ? target.slice(pathEnd) : "";
  return authority === undefined ? { path, query, search, raw } : { path, query, search, raw, authority };
}

function describeRefused(code: number): string {
  if (code === 0x23) return "the target has a fragment";
  if (code === 0x5c) return "the target has a backslash";
  const hex = code.toString(16).toUpperCase().padStart(2, "0");
  return `the target has the character 0x${hex}, which must be escaped`;
}

function normalizeSegments(given: string): string | RefusedTarget {
  if (strayPercent.test(given)) return { refused: "the path has a % that begins no escape" };
  if (given.includes("%00")) return { refused: "the path has an escaped NUL" };
  const path = removeDotSegments(given.replace(escaped, normalizeEscape)).replace(repeatedSlashes, "/");
  return hiddenDotSegment.test(path)
    ? { refused: "the path hides a dot segment behind a path parameter or an escaped slash" }
    : path;
}

function normalizeEscape(found: string): string {
  if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
  const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
  return unreserved.test(character) ? character : found;
}

/** Empty segments count as segments here: `/a//../b` is `/a/b`. */
function removeDotSegments(path: string): string {
  if (!path.includes("/.")) return path;
  const given = path.split("/");
  const kept: string[] = [];
  for (let position = 1; position < given.length; position++) {
    const segment = given[position]!;
    const isDots = segment === "." || segment === "..";
    if (segment === "..") kept.pop();
    if (!isDots) kept.push(segment);
    else if (position === given.length - 1) kept.push("");
  }
  return `/${kept.join("/")}`;
}

/**
 * The path with the hex digits of its escapes in upper case. Escapes that differ only in case mean the same
 * (RFC 3986 6.2.2.1): paths are compared like this, though they are forwarded as they came.
 */
export function comparablePath(path: string): string {
  return path.includes("%") ? path.replace(/%[0-9A-Fa-f]{2}/g, (found) => found.toUpperCase()) : path;
}

/**
 * The first value of a query parameter; `""` for one without `=`, `undefined` for none. Nothing is decoded, neither `%41`
 * nor `+`: names and values are compared as they were sent, which is what Envoy's routes do.
 */
export function firstQueryValue(query: string, name: string): string | undefined {
  const { length } = query;
  for (let start = 0; start < length;) {
    const ampersand = query.indexOf("&", start);
    const end = ampersand < 0 ? length : ampersand;
    const nameEnd = start + name.length;
    if (nameEnd <= end && query.startsWith(name, start)) {
      if (nameEnd === end) return "";
      if (query.charCodeAt(nameEnd) === 0x3d) return query.slice(nameEnd + 1, end);
    }
    start = end + 1;
  }
  return undefined;
}

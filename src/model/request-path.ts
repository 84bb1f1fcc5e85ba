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
  /** Why, for the log and for `explain`; the answer is 400. */
  readonly refused: string;
}

const plain = /^(?:\/[A-Za-z0-9_~!$&'()*+,=:@|-][A-Za-z0-9_~!$&'()*+,;=:@|.-]*)+\/?$|^\/$/;
const absoluteForm = /^(https?):\/\/([^/?#]*)(.*)$/i;
const hexEscape = /%[0-9a-fA-F]{2}/g;
// eslint-disable-next-line no-control-regex
const refusedCharacter = /[^\x21-\x7e]|[\\#]/;
const hiddenDotSegment = /(?:\/|%2[Ff]|%5[Cc])\.\.?(?:$|\/|;|%2[Ff]|%3[Bb]|%5[Cc])/;

export function normalizePath(target: string): NormalizedTarget | RefusedTarget {
  if (target.charCodeAt(0) === 0x2f) return normalizeOriginForm(target, target, undefined);
  if (target === "*") return { path: "*", query: "", search: "", raw: target };
  const absolute = absoluteForm.exec(target);
  if (!absolute) return { refused: "the target is neither a path nor an http or https URL" };
  const authority = absolute[2]!;
  if (normalizeHost(authority) === undefined) return { refused: "the URL's host is malformed" };
  const rest = absolute[3]!;
  return normalizeOriginForm(rest.startsWith("/") ? rest : `/${rest}`, target, authority);
}

function normalizeOriginForm(
  target: string,
  raw: string,
  authority: string | undefined,
): NormalizedTarget | RefusedTarget {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const search = mark < 0 ? "" : target.slice(mark);
  if (refusedCharacter.test(target)) return { refused: "the target has a character that no URL may have" };
  const normalized = plain.test(path) ? path : normalizeSegments(path);
  if (typeof normalized !== "string") return normalized;
  const result = { path: normalized, query: search.slice(1), search, raw };
  return authority === undefined ? result : { ...result, authority };
}

function normalizeSegments(path: string): string | RefusedTarget {
  if (/%(?![0-9a-fA-F]{2})/.test(path)) return { refused: "the path has a % that begins no escape" };
  if (path.includes("%00")) return { refused: "the path has an escaped NUL" };
  const decoded = path.replace(hexEscape, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape;
  });
  const segments: string[] = [];
  const given = decoded.split("/");
  for (let position = 1; position < given.length; position++) {
    const segment = given[position]!;
    const isLast = position === given.length - 1;
    if (segment === "." || segment === "..") {
      if (segment === "..") segments.pop();
      if (isLast) segments.push("");
    } else {
      segments.push(segment);
    }
  }
  const normalized = `/${segments.join("/")}`.replace(/\/{2,}/g, "/");
  if (hiddenDotSegment.test(normalized)) {
    return { refused: "the path hides a dot segment behind a path parameter or an escaped slash" };
  }
  return normalized;
}

/** The first value of a query parameter; `""` for one without `=`. */
export function firstQueryValue(query: string, name: string): string | undefined {
  for (let start = 0; start <= query.length;) {
    const found = query.indexOf("&", start);
    const end = found < 0 ? query.length : found;
    const equals = query.indexOf("=", start);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    if (nameEnd - start === name.length && query.startsWith(name, start)) {
      return nameEnd === end ? "" : query.slice(nameEnd + 1, end);
    }
    start = end + 1;
  }
  return undefined;
}

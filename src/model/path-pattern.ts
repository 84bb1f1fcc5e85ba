import type { PathMatch } from "./rule.ts";

/**
 * A regular expression (RE2, full match) that takes exactly the paths that `match` takes: for proxies that cannot compare the
 * escapes of a path without regard to the case of their hex digits. Only values with a `%` need it.
 */
export function renderPathPattern(match: PathMatch): string {
  if (match.type === "regex") return match.value;
  const value = match.type === "prefix" && match.value.endsWith("/") ? match.value.slice(0, -1) : match.value;
  const literal = value.replace(/%[0-9A-Fa-f]{2}|[\\^$.*+?()[\]{}|]/g, (found) =>
    found.length === 1 ? `\\${found}` : `%${inBothCases(found[1]!)}${inBothCases(found[2]!)}`,
  );
  return match.type === "exact" ? literal : `${literal}(?:/.*)?`;
}

function inBothCases(digit: string): string {
  const upper = digit.toUpperCase();
  return /[A-F]/.test(upper) ? `[${upper}${digit.toLowerCase()}]` : digit;
}

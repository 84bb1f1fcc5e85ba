/*
 * Rewrites of paths. Envoy replaces what a regular expression matches; the expression here is always anchored, and both
 * sides are literal text. The query is kept by Envoy.
 *
 * What is left of the path after the prefix begins with a slash or is empty, so without trailing slashes on either side there is
 * exactly one slash at the seam; a replacement of `/` takes the slash that follows with it.
 */
import { renderPathPattern, type PathChange } from "../../../model/index.ts";
import type { RegexMatchAndSubstitute } from "../generated/messages.ts";

export function renderPathChange(change: PathChange): RegexMatchAndSubstitute | undefined {
  if (change.type === "full") return substitute("^.+$", startingWithSlash(change.value));
  const prefix = withoutTrailingSlashes(change.prefix);
  const value = withoutTrailingSlashes(change.value);
  if (prefix === "") return value === "" ? undefined : substitute("^/", `${startingWithSlash(value)}/`);
  const pattern = `^${renderPathPattern({ type: "exact", value: prefix })}`;
  return value === "" ? substitute(`${pattern}/?`, "/") : substitute(pattern, startingWithSlash(value));
}

function substitute(regex: string, text: string): RegexMatchAndSubstitute {
  return { pattern: { regex }, substitution: text.replaceAll("\\", "\\\\") };
}

function withoutTrailingSlashes(value: string): string {
  return value.replace(/\/+$/, "");
}

function startingWithSlash(value: string): string {
  return value.startsWith("/") ? value : `/${value}`;
}

import type { PathChange } from "./filter.ts";

/**
 * The path of a rewrite or redirect. `path` is normalised and, for a prefix change, was matched by that prefix.
 * What is left of the path after the prefix always begins with a slash (or is empty), so taking trailing slashes off
 * the prefix and off the replacement leaves exactly one slash at the seam. An empty result is the root.
 */
export function changePath(path: string, change: PathChange): string {
  if (change.type === "full") return startingWithSlash(change.value);
  const rest = path.slice(withoutTrailingSlashes(change.prefix).length);
  const changed = withoutTrailingSlashes(change.value) + startingWithSlashOrEmpty(rest);
  return startingWithSlash(changed);
}

function withoutTrailingSlashes(value: string): string {
  let end = value.length;
  while (end > 0 && value.charCodeAt(end - 1) === 0x2f) end--;
  return end === value.length ? value : value.slice(0, end);
}

function startingWithSlashOrEmpty(rest: string): string {
  return rest === "" ? "" : startingWithSlash(rest);
}

function startingWithSlash(value: string): string {
  return value.charCodeAt(0) === 0x2f ? value : `/${value}`;
}

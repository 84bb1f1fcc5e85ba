/**
 * Follows a path link by link and says on the way which names decide where it leads: whoever watches those names learns
 * when it leads elsewhere. That is how mounted ConfigMaps change (`..data` becomes another link), and `current` links of
 * deployments, and how a path begins to exist.
 */
import { lstatSync, readlinkSync, statSync, type Stats } from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";
import { codeOf } from "./read-bounded.ts";

export type Resolved =
  | { readonly outcome: "found"; readonly real: string; readonly stats: Stats }
  | { readonly outcome: "missing" }
  | { readonly outcome: "failed"; readonly error: unknown };

/** Called before the name is looked at, so that nothing happens unseen in between. */
export type Notice = (directory: string, name: string) => void;

const mostLinks = 40;

export function resolvePath(path: string, notice: Notice): Resolved {
  try {
    return follow(resolve(path), notice);
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? { outcome: "missing" } : { outcome: "failed", error };
  }
}

function follow(path: string, notice: Notice): Resolved {
  let current = parse(path).root;
  let names = namesIn(path);
  let stats = lstatSync(current);
  let links = 0;
  while (names.length > 0) {
    const [name = "", ...rest] = names;
    if (rest.length === 0 || isLinkOrMissing(join(current, name))) notice(current, name);
    stats = lstatSync(join(current, name));
    if (!stats.isSymbolicLink()) {
      current = join(current, name);
      names = rest;
      continue;
    }
    if (++links > mostLinks) return { outcome: "failed", error: circle() };
    const target = resolve(current, readlinkSync(join(current, name)));
    const opened = openedFile(join(current, name), target);
    if (opened) {
      current = join(current, name);
      stats = opened;
      names = rest;
      continue;
    }
    names = [...namesIn(target), ...rest];
    current = parse(target).root;
  }
  return { outcome: "found", real: current, stats };
}

/** The kernel's own links to open files, as `<(helm template …)` gives them: they lead to `pipe:[123]`, which is no path, but can be opened. */
function openedFile(link: string, target: string): Stats | undefined {
  if (lstatSync(target, { throwIfNoEntry: false })) return undefined;
  return statSync(link, { throwIfNoEntry: false });
}

function isLinkOrMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;
}

function namesIn(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((name) => name !== "");
}

function circle(): Error {
  return Object.assign(new Error("too many symbolic links"), { code: "ELOOP" });
}

/** Whether a directory is, or is inside of, another. Both are resolved. */
export function isWithin(inner: string, outer: string): boolean {
  for (let path = inner; ; path = dirname(path)) {
    if (path === outer) return true;
    if (path === dirname(path)) return false;
  }
}

/*
 * Has somebody changed what is ours in an object? Only fields that we ask for count: the API server fills in others, and other
 * writers may have fields of their own.
 *
 * The API server also writes some values its own way (1000m of CPU become 1), so after an apply what it answered is what counts as settled:
 * `project(wanted, answer)`. Drift is a later difference from that. `covers` is the strict comparison, for objects whose answer
 * nobody remembers.
 */
import { deepEqual } from "../../incremental/index.ts";

/** Taken as a whole, by the API server too: one more label in a Service's selector, and it selects nothing. */
const wholeFields: ReadonlySet<string> = new Set(["selector", "podSelector", "nodeSelector"]);

export function covers(wanted: unknown, live: unknown): boolean {
  return deepEqual(project(wanted, live), wanted);
}

/** Those parts of `live` that have a counterpart in `wanted`. */
export function project(wanted: unknown, live: unknown): unknown {
  if (Array.isArray(wanted)) return Array.isArray(live) ? projectList(wanted, live) : live;
  if (!isRecord(wanted) || !isRecord(live)) return live;
  return Object.fromEntries(
    Object.keys(wanted)
      .filter((key) => Object.hasOwn(live, key))
      .map((key) => [key, wholeFields.has(key) ? live[key] : project(wanted[key], live[key])]),
  );
}

// Lists whose items have names (containers, ports, volumes) may get items of others; in all the rest, every item is ours.
function projectList(wanted: readonly unknown[], live: readonly unknown[]): readonly unknown[] {
  const name = identity(wanted);
  if (name === undefined) {
    return live.map((item, index) => (index < wanted.length ? project(wanted[index], item) : item));
  }
  const byName = new Map(live.filter(isRecord).map((item) => [item[name], item]));
  return wanted.filter(isRecord).flatMap((item) => {
    const found = byName.get(item[name]);
    return found ? [project(item, found)] : [];
  });
}

function identity(items: readonly unknown[]): string | undefined {
  return ["name", "uid", "mountPath"].find((key) => {
    const values = items.map((item) => (isRecord(item) ? item[key] : undefined));
    return items.length > 0 && !values.includes(undefined) && new Set(values).size === values.length;
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/*
 * Which object a reference to nothing may have meant. Statuses do not say it: a route with one slip in it would be judged anew
 * whenever an object of that kind comes or goes. It is added where people read.
 */
import { nearest, resourceKey, type Resource } from "../resources/index.ts";

/** What to add to a message about an object that is not there: `; did you mean Service shop/web?`, or nothing. */
export type Hint = (message: string) => string;

export const noHint: Hint = () => "";

/** `Service shop/wbe does not exist`, `Gateway shop/web of ListenerSet shop/more is not there`, `there is no HTTPProxy shop/crat` */
const absence =
  /\b([A-Z]\w+) ([^\s,:]+)(?: of ListenerSet \S+)? (?:does not exist|is not there)|\bthere is no ([A-Z]\w+) ([^\s,:]+)/;
/** A name this short is like too many others. */
const shortestName = 3;
/** Comparing names takes a while, and with more slips than these nobody reads them one by one. */
const mostHints = 100;

/** The objects are only looked at if there is something to find, and then once. */
export function hintsFrom(resources: () => Iterable<Resource>): Hint {
  let places: ReturnType<typeof placesByName> | undefined;
  let asked = 0;
  return (message) => {
    const [, absent, absentKey, missing, missingKey] = absence.exec(message) ?? [];
    const kind = absent ?? missing;
    const key = absentKey ?? missingKey;
    if (kind === undefined || key === undefined || asked++ >= mostHints) return "";
    places ??= placesByName(resources());
    const meant = meantKey(key, places.get(kind) ?? new Map<string, readonly string[]>());
    return meant === undefined ? "" : `; did you mean ${kind} ${meant}?`;
  };
}

/** Kind → name → the namespaces that have it; `""` for what has none. */
function placesByName(resources: Iterable<Resource>): ReadonlyMap<string, ReadonlyMap<string, string[]>> {
  const kinds = new Map<string, Map<string, string[]>>();
  for (const resource of resources) {
    const { namespace, name } = splitKey(resourceKey(resource));
    const names = kinds.get(resource.kind) ?? new Map<string, string[]>();
    kinds.set(resource.kind, names);
    const known = names.get(name);
    if (known) known.push(namespace);
    else names.set(name, [namespace]);
  }
  return kinds;
}

/** A name like it beside it, or the same name in another namespace. */
function meantKey(key: string, places: ReadonlyMap<string, readonly string[]>): string | undefined {
  const { namespace, name } = splitKey(key);
  const same = places.get(name) ?? [];
  if (same.includes(namespace)) return undefined;
  const beside = [...places].filter(([, namespaces]) => namespaces.includes(namespace)).map(([one]) => one);
  const like = name.length < shortestName ? undefined : nearest(name, beside);
  if (like !== undefined) return namespace === "" ? like : `${namespace}/${like}`;
  const elsewhere = nearest(namespace, same) ?? (same.length === 1 ? same[0] : undefined);
  return elsewhere === undefined ? undefined : `${elsewhere}/${name}`;
}

function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) };
}

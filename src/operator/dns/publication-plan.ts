/*
 * What must change in a zone so that a name is published, or is not any more, given what stands there. The name is ours if our mark stands beside it, or if we have
 * recorded that we published it and nobody else's mark does.
 *
 *   publish   the mark first, then what is of a wrong type goes, then what differs is put: whoever stops half-way leaves nothing that is nobody's
 *   remove    the mark last, for the same reason
 */
import { readMark, markName } from "./ownership-mark.ts";
import type { RecordSet, RecordSetChange } from "./provider.ts";

export type Plan =
  | { readonly type: "changes"; readonly changes: readonly RecordSetChange[] }
  /** It is somebody else's. */
  | { readonly type: "taken"; readonly by: string };

export interface NameFacts {
  readonly name: string;
  /** What `look` found, of whatever names. */
  readonly found: readonly RecordSet[];
  readonly cluster: string;
  /** Our own notes say that it is published here. */
  readonly wasPublished: boolean;
}

const own = new Set(["A", "AAAA", "CNAME"]);

export function planPublication(
  facts: NameFacts,
  wanted: { readonly sets: readonly RecordSet[]; readonly mark: RecordSet },
): Plan {
  const { name, cluster, wasPublished } = facts;
  const { here, mark, texts } = standing(facts);
  const holder = readMark(mark);
  if (holder !== undefined && holder !== cluster) {
    return { type: "taken", by: `Gatewright in the cluster ${holder} has published ${name}` };
  }
  if (holder === undefined && !wasPublished && here.length > 0) {
    const what = here.map(({ type, values }) => `${type} ${values.join(", ")}`).join("; ");
    return { type: "taken", by: `${name} is ${what}, which Gatewright has not published` };
  }
  if (texts && wanted.sets.some(({ type }) => type === "CNAME")) {
    return { type: "taken", by: `${name} has TXT records, beside which there can be no CNAME` };
  }
  const put = (set: RecordSet, before: RecordSet | undefined): readonly RecordSetChange[] =>
    before && isSame(before, set) ? [] : [{ type: "put", set, found: before ?? null }];
  const types = new Set(wanted.sets.map(({ type }) => type));
  const wrong = here.filter(({ type }) => !types.has(type));
  return {
    type: "changes",
    changes: [
      ...put(wanted.mark, mark),
      ...wrong.map((set) => ({ type: "remove" as const, set, found: set })),
      ...wanted.sets.flatMap((set) =>
        put(
          set,
          here.find(({ type }) => type === set.type),
        ),
      ),
    ],
  };
}

/** `recorded`: what our notes say that we published. Without a mark only that is removed. */
export function planRemoval(facts: NameFacts, recorded: readonly RecordSet[]): readonly RecordSetChange[] {
  const { cluster, wasPublished } = facts;
  const { here, mark } = standing(facts);
  const holder = readMark(mark);
  const isOurs = holder === undefined ? wasPublished : holder === cluster;
  if (!isOurs) return [];
  const remove = (set: RecordSet): RecordSetChange => {
    const targetZone = set.targetZone ?? recorded.find(({ type }) => type === set.type)?.targetZone;
    return { type: "remove", set: { ...set, ...(targetZone !== undefined && { targetZone }) }, found: set };
  };
  const sets =
    holder === undefined ? here.filter((set) => recorded.some((one) => hasSameValues(one, set))) : here;
  return [...sets, ...(holder !== undefined && mark ? [mark] : [])].map(remove);
}

function standing({ name, found }: NameFacts) {
  const marked = markName(name);
  return {
    here: found.filter((set) => set.name === name && own.has(set.type)),
    texts: found.find((set) => set.name === name && set.type === "TXT"),
    mark: found.find((set) => set.name === marked && set.type === "TXT"),
  };
}

/** An alias has no time to live of its own. */
function isSame(a: RecordSet, b: RecordSet): boolean {
  const isAlias = a.targetZone !== undefined || b.targetZone !== undefined;
  return hasSameValues(a, b) && (isAlias ? a.targetZone === b.targetZone : a.ttl === b.ttl);
}

function hasSameValues(a: RecordSet, b: RecordSet): boolean {
  return a.type === b.type && a.values.toSorted().join("\n") === b.values.toSorted().join("\n");
}

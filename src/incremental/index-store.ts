// Groups of values, each ordered by member key.
//
// A group is two parallel arrays: the members' keys, which only this file sees and changes in place, and their values,
// which readers hold and which are therefore copied for each batch. Few edits are placed by binary search; many are sorted
// and merged in one pass. Nothing is ever sorted as a whole. Most groups have one member: of those just its key is kept.

import { GroupingStore, type Edit } from "./grouping-store.ts";

interface Group<S> {
  keys: string[];
  values: readonly S[];
}

export class IndexStore<S> extends GroupingStore<S, readonly S[]> {
  /** The members' keys, in order. */
  readonly #members = new Map<string, string | string[]>();

  protected edit(name: string, edits: readonly Edit<S>[]): void {
    const members = this.#members.get(name);
    const [first] = edits;
    if (members === undefined && edits.length === 1 && first?.value !== undefined) {
      this.#members.set(name, first.key);
      this.write(this.cellFor(name), [first.value]);
      return;
    }
    const keys = typeof members === "string" ? [members] : (members ?? []);
    const group: Group<S> = { keys, values: this.cells.get(name)?.value ?? [] };
    if (edits.length <= 4 + keys.length / 64) placeEach(group, edits);
    else mergeAll(group, edits);

    if (group.keys.length > 0) {
      this.#members.set(name, group.keys.length === 1 ? group.keys[0]! : group.keys);
      this.write(this.cellFor(name), group.values);
    } else if (this.#members.delete(name)) {
      this.write(this.cellFor(name), undefined);
    }
  }
}

function placeEach<S>(group: Group<S>, edits: readonly Edit<S>[]): void {
  const { keys } = group;
  const values = group.values.slice();
  for (const { key, value, wasMember } of edits) {
    const at = lowerBound(keys, key);
    if (value === undefined) {
      keys.splice(at, 1);
      values.splice(at, 1);
    } else if (wasMember) {
      values[at] = value;
    } else {
      keys.splice(at, 0, key);
      values.splice(at, 0, value);
    }
  }
  group.values = values;
}

function mergeAll<S>(group: Group<S>, edits: readonly Edit<S>[]): void {
  const sorted = [...edits].sort((a, b) => (a.key < b.key ? -1 : 1));
  const keys: string[] = [];
  const values: S[] = [];
  let from = 0;
  const keepUntil = (key: string | undefined): void => {
    for (; from < group.keys.length && (key === undefined || group.keys[from]! < key); from++) {
      keys.push(group.keys[from]!);
      values.push(group.values[from]!);
    }
  };
  for (const { key, value, wasMember } of sorted) {
    keepUntil(key);
    if (wasMember) from++;
    if (value === undefined) continue;
    keys.push(key);
    values.push(value);
  }
  keepUntil(undefined);
  group.keys = keys;
  group.values = values;
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/*
 * Lists that are kept. A list that `push`, `filter` or `flatMap` has grown keeps room for sixteen more items, which for
 * ten thousand routes with some lists each is more than the items themselves; `map`, `slice` and literals make exact ones.
 */

/** The items that are there; the list itself where all are. */
export function withoutGaps<T>(list: readonly (T | undefined)[]): readonly T[] {
  if (!list.includes(undefined)) return list as readonly T[];
  return list.filter((item): item is T => item !== undefined).slice();
}

/** All items of some lists; the list itself where there is but one. */
export function joined<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const filled = lists.length > 1 ? lists.filter(({ length }) => length > 0) : lists;
  return filled.length > 1 ? filled.flat().slice() : (filled[0] ?? none);
}

/** The items that `keep` says; the list itself where it keeps all. */
export function kept<T>(list: readonly T[], keep: (item: T) => boolean): readonly T[] {
  return list.every((item) => keep(item)) ? list : list.filter((item) => keep(item)).slice();
}

export const none: readonly never[] = Object.freeze([]);

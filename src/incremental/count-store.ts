import { GroupingStore, type Edit } from "./grouping-store.ts";

/** Group key → number of members, in constant time per change. A group without members does not exist. */
export class CountStore<S> extends GroupingStore<S, number> {
  protected edit(group: string, edits: readonly Edit<S>[]): void {
    let difference = 0;
    for (const { value, wasMember } of edits) difference += Number(value !== undefined) - Number(wasMember);
    if (difference === 0) return;
    const cell = this.cellFor(group);
    this.write(cell, (cell.value ?? 0) + difference || undefined);
  }
}

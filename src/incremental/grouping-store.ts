// What index and count have in common: each source key belongs to any number of groups, and per batch each
// group is told once who came, stayed with another value, or left.

import type { Cell } from "./cell.ts";
import { Store, type Engine } from "./store.ts";
import type { TraceCause } from "./trace.ts";

export type GroupsOf<S> = (value: S, key: string) => Iterable<string>;

/** What one batch does to one member of a group. */
export interface Edit<S> {
  readonly key: string;
  /** `undefined`: it left. */
  readonly value: S | undefined;
  /** Whether it was a member before. */
  readonly wasMember: boolean;
}

/** Groups of one source key: nearly always one, then without an array around it. */
type Membership = string | readonly string[];

const NO_GROUPS: readonly string[] = Object.freeze([]);

export abstract class GroupingStore<S, T> extends Store<T> {
  runs = 0;
  readonly #source: Store<S>;
  readonly #groupsOf: GroupsOf<S>;
  readonly #memberships = new Map<string, Membership>();
  #started = false;

  constructor(engine: Engine, name: string, position: number, source: Store<S>, groupsOf: GroupsOf<S>) {
    super(engine, name, position);
    this.#source = source;
    this.#groupsOf = groupsOf;
    source.followers.push(this);
  }

  /** Applies one batch's edits; there is at most one per member. */
  protected abstract edit(group: string, edits: readonly Edit<S>[]): void;

  visit(): void {
    const edits = new Map<string, Edit<S>[]>();
    const cells = this.#started ? this.#source.changed : this.#source.cells.values();
    this.#started = true;
    for (const cell of cells) this.#regroup(cell, edits);
    for (const [group, list] of edits) {
      this.edit(group, list);
      if (this.engine.tracing) this.#trace(group, list);
    }
  }

  #regroup({ key, value }: Cell<S>, edits: Map<string, Edit<S>[]>): void {
    const old = this.#memberships.get(key) ?? NO_GROUPS;
    const groups = value === undefined ? NO_GROUPS : this.#groups(value, key);
    if (typeof groups === "string") add(edits, groups, { key, value, wasMember: belongs(old, groups) });
    else for (const group of groups) add(edits, group, { key, value, wasMember: belongs(old, group) });
    if (old !== NO_GROUPS) {
      for (const group of listed(old)) {
        if (!belongs(groups, group)) add(edits, group, { key, value: undefined, wasMember: true });
      }
    }
    if (groups === NO_GROUPS) this.#memberships.delete(key);
    else if (!isSame(old, groups)) this.#memberships.set(key, groups);
  }

  /** A member whose groups cannot be told belongs to none until it changes. */
  #groups(value: S, key: string): Membership {
    const groupsOf = this.#groupsOf;
    this.runs++;
    try {
      const result = groupsOf(value, key);
      const groups = Array.isArray(result) && result.length < 2 ? (result as string[]) : [...new Set(result)];
      if (groups.length === 0) return NO_GROUPS;
      return groups.length === 1 ? this.#known(groups[0]!) : groups.map((group) => this.#known(group));
    } catch (error) {
      this.engine.fault(this.name, key, error);
      return NO_GROUPS;
    }
  }

  /** Many members have a group in common: they shall not keep a copy of its name each. Its cell gets a value in `edit`. */
  #known(group: string): string {
    return this.cellFor(group).key;
  }

  #trace(group: string, edits: readonly Edit<S>[]): void {
    const because: TraceCause[] = edits.map(({ key }) => ({ node: this.#source.name, key }));
    this.record(group, because, this.cells.get(group)?.touched === true ? [group] : []);
  }
}

function listed(membership: Membership): readonly string[] {
  return typeof membership === "string" ? [membership] : membership;
}

function belongs(membership: Membership, group: string): boolean {
  return typeof membership === "string" ? membership === group : membership.includes(group);
}

function isSame(a: Membership, b: Membership): boolean {
  return typeof a === "string" && a === b;
}

function add<S>(edits: Map<string, Edit<S>[]>, group: string, edit: Edit<S>): void {
  const list = edits.get(group);
  if (list === undefined) edits.set(group, [edit]);
  else list.push(edit);
}

/**
 * For services that know records, each with one value and an id of its own, and no sets of them. What is wanted of a set is turned into steps: a record that has the value stays, one whose value is
 * no longer wanted takes on a new one, what is missing is added and what is left is removed, in this order.
 */
import type { DnsError, DnsProvider, DnsZone, RecordSet, RecordSetChange } from "../provider.ts";
import { changeInWaves } from "./change-waves.ts";
import { attempt } from "./failure.ts";
import { requireZoneId } from "./given.ts";
import { groupBy, keyOfSet, plainValue, type RecordType } from "./record-values.ts";

export interface SingleRecord {
  readonly id: string;
  readonly name: string;
  readonly type: RecordType;
  readonly ttl: number;
  /** As in `RecordSet`. */
  readonly value: string;
}

export type RecordStep =
  | { readonly type: "add"; readonly record: Omit<SingleRecord, "id"> }
  /** The record that has this id becomes this. */
  | { readonly type: "update"; readonly record: SingleRecord }
  | { readonly type: "remove"; readonly record: SingleRecord };

export interface RecordStore {
  /** At these names at least. */
  list(names: ReadonlySet<string>): Promise<readonly SingleRecord[]>;
  perform(steps: readonly RecordStep[]): Promise<void>;
  /** The TTL that the service has for this one. */
  ttl(wanted: number): number;
  /** How many steps may be under way at a time; absent: it takes all of them in one call. */
  readonly atOnce?: number;
}

export interface SingleRecordService {
  readonly name: string;
  readonly maxChanges: number;
  /** What a zone's id is, in words. */
  readonly zoneIdIs: string;
  readonly open: (zoneId: string) => RecordStore;
  readonly failure: (doing: string, error: unknown) => DnsError;
}

export function singleRecordProvider({
  name,
  maxChanges,
  zoneIdIs,
  ...service
}: SingleRecordService): DnsProvider {
  const zones = new Map<string, SingleRecordZone>();
  const open = (zone: DnsZone): SingleRecordZone => {
    const id = requireZoneId(zone, zoneIdIs);
    const known = zones.get(id) ?? new SingleRecordZone(service.open(id));
    zones.set(id, known);
    return known;
  };
  const { failure } = service;
  return {
    name,
    maxChanges,
    look: (zone, names) => attempt("list the records of", zone, failure, async () => open(zone).look(names)),
    change: (zone, changes) =>
      attempt("change the records of", zone, failure, async () => open(zone).change(changes)),
    async stop() {
      zones.clear();
    },
  };
}

class SingleRecordZone {
  readonly #store: RecordStore;
  /** What a set that was found is made of. */
  readonly #records = new WeakMap<RecordSet, readonly SingleRecord[]>();

  constructor(store: RecordStore) {
    this.#store = store;
  }

  async look(names: readonly string[]): Promise<readonly RecordSet[]> {
    const wanted = new Set(names);
    if (wanted.size === 0) return [];
    const records = await this.#store.list(wanted);
    return groupBy(
      records.filter(({ name }) => wanted.has(name)),
      keyOfSet,
    ).map((group) => this.#remember(group));
  }

  async change(changes: readonly RecordSetChange[]): Promise<void> {
    const { atOnce } = this.#store;
    const unseen = changes.filter(({ found }) => !found || !this.#records.has(found));
    const now = await this.look(unseen.filter(({ found }) => found !== null).map(({ set }) => set.name));
    const stepsOf = (change: RecordSetChange) => this.#stepsOf(change, now);
    if (atOnce === undefined) {
      const steps = changes.flatMap(stepsOf);
      if (steps.length > 0) await this.#store.perform(steps);
      return;
    }
    await changeInWaves(changes, atOnce, async (change) => {
      for (const step of stepsOf(change)) await this.#store.perform([step]);
    });
  }

  #stepsOf({ type, set, found }: RecordSetChange, now: readonly RecordSet[]): readonly RecordStep[] {
    const standing = found && this.#records.has(found) ? found : now.find((one) => isAlike(one, set));
    const records = found === null || !standing ? [] : (this.#records.get(standing) ?? []);
    if (type === "remove") return records.map((record) => ({ type: "remove", record }));
    return stepsTowards({ ...set, ttl: this.#store.ttl(set.ttl) }, records);
  }

  #remember(records: readonly SingleRecord[]): RecordSet {
    const [{ name, type, ttl } = { name: "", type: "A" as const, ttl: 0 }] = records;
    const set = { name, type, ttl, values: records.map(({ value }) => value) };
    this.#records.set(set, records);
    return set;
  }
}

function isAlike(a: RecordSet, b: RecordSet): boolean {
  return keyOfSet(a) === keyOfSet(b);
}

function stepsTowards(
  { name, type, ttl, values }: RecordSet,
  records: readonly SingleRecord[],
): readonly RecordStep[] {
  const missing = new Set(values.map((value) => plainValue(type, value)));
  const kept: SingleRecord[] = [];
  const surplus: SingleRecord[] = [];
  for (const record of records) {
    const isWanted = missing.delete(plainValue(type, record.value));
    (isWanted ? kept : surplus).push(record);
  }
  const updates = kept.filter((record) => record.ttl !== ttl).map((record) => ({ ...record, ttl }));
  const steps: RecordStep[] = updates.map((record) => ({ type: "update", record }));
  for (const value of missing) {
    const reused = surplus.shift();
    const record = { name, type, ttl, value };
    steps.push(reused ? { type: "update", record: { ...record, id: reused.id } } : { type: "add", record });
  }
  return [...steps, ...surplus.map((record): RecordStep => ({ type: "remove", record }))];
}

// A provider whose zones are in memory: every call is kept, and any of them can be made to fail.

import {
  DnsError,
  type DnsProvider,
  type DnsProviderInputs,
  type DnsZone,
  type RecordSet,
  type RecordSetChange,
} from "../../src/operator/dns/provider.ts";

export interface MemoryCall {
  readonly call: "look" | "change" | "targetZone";
  readonly zone: string;
  readonly names: readonly string[];
}

export class MemoryProvider implements DnsProvider {
  readonly name = "memory";
  maxChanges = 100;
  /** Zone → `<name> <type>` → set. */
  readonly zones = new Map<string, Map<string, RecordSet>>();
  readonly calls: MemoryCall[] = [];
  /** What it was made with, each time. */
  readonly made: DnsProviderInputs[] = [];
  stopped = 0;
  /** Throws what the call shall fail with. */
  refuse: ((call: MemoryCall, changes: readonly RecordSetChange[]) => void) | undefined;
  /** The same, after the call came into force. */
  answered: ((call: MemoryCall) => void) | undefined;
  /** Load balancer → its zone. */
  balancers: ReadonlyMap<string, string> = new Map();

  /** As if the folder of a provider. */
  load = (): Promise<{ createProvider: (given: DnsProviderInputs) => DnsProvider }> =>
    Promise.resolve({
      createProvider: (given) => {
        this.made.push(given);
        return this;
      },
    });

  async look(zone: DnsZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    const call = this.#note({ call: "look", zone: idOf(zone), names }, []);
    this.answered?.(call);
    return [...this.#sets(zone).values()].filter(({ name }) => names.includes(name));
  }

  async change(zone: DnsZone, changes: readonly RecordSetChange[]): Promise<void> {
    if (changes.length > this.maxChanges) throw new Error("more changes than it takes");
    const names = changes.map(({ set }) => set.name);
    const call = this.#note({ call: "change", zone: idOf(zone), names }, changes);
    const sets = this.#sets(zone);
    for (const { set, found } of changes) {
      const stands = sets.get(keyOf(set));
      if (found === undefined) continue;
      if ((found === null) !== (stands === undefined)) throw new DnsError("stale", { isStale: true });
    }
    for (const { type, set } of changes) {
      if (type === "put") sets.set(keyOf(set), set);
      else sets.delete(keyOf(set));
    }
    this.answered?.(call);
  }

  async targetZone(target: string): Promise<string | undefined> {
    this.#note({ call: "targetZone", zone: "", names: [target] }, []);
    return this.balancers.get(target);
  }

  async stop(): Promise<void> {
    this.stopped++;
  }

  /** `A 192.0.2.1`, of a name; the mark is no part of it. */
  at(name: string, zone = "public"): readonly string[] {
    return [...this.#sets({ id: zone }).values()]
      .filter((set) => set.name === name)
      .map(({ type, values }) => `${type} ${values.join(" ")}`)
      .toSorted();
  }

  /** Everything that stands there. */
  all(zone = "public"): readonly string[] {
    return [...this.#sets({ id: zone }).keys()].toSorted();
  }

  put(set: RecordSet, zone = "public"): void {
    this.#sets({ id: zone }).set(keyOf(set), set);
  }

  #note(call: MemoryCall, changes: readonly RecordSetChange[]): MemoryCall {
    this.calls.push(call);
    this.refuse?.(call, changes);
    return call;
  }

  #sets(zone: DnsZone): Map<string, RecordSet> {
    const sets = this.zones.get(idOf(zone)) ?? new Map<string, RecordSet>();
    this.zones.set(idOf(zone), sets);
    return sets;
  }
}

function idOf({ id, tags }: DnsZone): string {
  return id ?? JSON.stringify(tags);
}

function keyOf({ name, type }: RecordSet): string {
  return `${name} ${type}`;
}

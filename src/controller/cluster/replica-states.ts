/*
 * What became of an item on all proxies, whichever replica of the controller they are connected to.
 *
 *   refused      if one replica's proxies refuse it
 *   pending      if one replica's proxies have not taken it, or have another version of it than ours
 *   programmed   if at least one replica has proxies, and all of those that have any say so
 *
 * A replica without proxies of the Gateway has nothing to say. Replicas read the same objects, but not at the same moment, and proxies move from
 * one to another; so before either makes something pending that was not, there is a time to wait: `undecided`. A replica that goes
 * away is believed for a while, since its proxies are still there.
 */
import type { ApplyReport, ItemState } from "../../drivers/index.ts";
import type { ModelKind } from "../../model/index.ts";

/** What a replica says of an item on its proxies; without a state, that there is nothing to say any more. */
export interface ReplicaReport {
  readonly kind: ModelKind;
  readonly key: string;
  readonly state?: ItemState;
  /** Listeners: what has been brought to the proxies. */
  readonly version?: string;
  /** Listeners: whose it is. */
  readonly gateway?: string;
}

/** A listener as we know it. */
export interface KnownListener {
  readonly version: string;
  readonly gateway: string;
}

export type Decision =
  | { readonly state: ItemState }
  /** Not to be told before this time. */
  | { readonly until: number };

export interface ReplicaStatesOptions {
  /** How long a replica may have another version than ours, ms. */
  readonly patience: number;
  /** How long all proxies may be away, ms. */
  readonly absence: number;
}

interface Replica {
  reports: Map<string, ReplicaReport>;
  /** Listeners of which it has another version than ours → since when. */
  readonly differs: Map<string, number>;
}

export class ReplicaStates {
  readonly #options: ReplicaStatesOptions;
  readonly #own = new Map<string, ReplicaReport>();
  readonly #others = new Map<string, Replica>();
  readonly #told = new Map<string, ItemState>();
  /** Listeners that no proxy has any more → since when. */
  readonly #absent = new Map<string, number>();

  constructor(options: ReplicaStatesOptions) {
    this.#options = options;
  }

  /** All that this replica has to say. */
  own(): Iterable<ReplicaReport> {
    return this.#own.values();
  }

  ownOf(id: string): ReplicaReport | undefined {
    return this.#own.get(id);
  }

  takeOwn(report: ReplicaReport): void {
    take(this.#own, report);
  }

  get hasOthers(): boolean {
    return this.#others.size > 0;
  }

  /** All that another replica has to say. Answers with what is touched by that. */
  replace(replica: string, reports: readonly ReplicaReport[]): ReadonlySet<string> {
    const known = this.#others.get(replica) ?? { reports: new Map(), differs: new Map() };
    const touched = new Set([...known.reports.keys(), ...reports.map(idOf)]);
    known.reports = new Map();
    for (const report of reports) take(known.reports, report);
    this.#others.set(replica, known);
    return touched;
  }

  /** What another replica has to say that is new. */
  change(replica: string, reports: readonly ReplicaReport[]): ReadonlySet<string> {
    const known = this.#others.get(replica);
    if (!known) return new Set();
    for (const report of reports) take(known.reports, report);
    return new Set(reports.map(idOf));
  }

  forget(replica: string): ReadonlySet<string> {
    const known = this.#others.get(replica);
    this.#others.delete(replica);
    return new Set(known?.reports.keys());
  }

  /** The item is gone. */
  drop(id: string): void {
    this.#own.delete(id);
    this.#told.delete(id);
    this.#absent.delete(id);
    for (const { differs } of this.#others.values()) differs.delete(id);
  }

  /** What is true of an item other than a listener. */
  decideItem(id: string): ItemState {
    return this.#refusal(id) ?? { type: "programmed" };
  }

  decideListener(id: string, known: KnownListener, now: number): Decision {
    const decision = this.#decide(id, known, now);
    if ("state" in decision) this.#told.set(id, decision.state);
    return decision;
  }

  #decide(id: string, known: KnownListener, now: number): Decision {
    const refusal = this.#refusal(id);
    if (refusal) return { state: refusal };
    const states: ItemState[] = [];
    const own = this.#own.get(id)?.state;
    if (own && !isAbsent(own)) states.push(own);
    let until = Infinity;
    for (const [name, replica] of this.#others) {
      const said = this.#saidBy(name, replica, id, known, now);
      if (typeof said === "number") until = Math.min(until, said);
      else if (said && !isAbsent(said)) states.push(said);
    }
    if (until < Infinity) return { until };
    if (states.length === 0) return this.#decideAbsence(id, own, now);
    this.#absent.delete(id);
    return { state: states.find(({ type }) => type === "pending") ?? states[0]! };
  }

  /** A number: up to when it may still come to have our version. */
  #saidBy(
    name: string,
    replica: Replica,
    id: string,
    { version, gateway }: KnownListener,
    now: number,
  ): ItemState | number | undefined {
    const said = replica.reports.get(id);
    if (said?.version === version) {
      replica.differs.delete(id);
      return said.state;
    }
    // Without proxies of that Gateway it does not matter what it knows.
    if (!hasProxies(replica, gateway)) return undefined;
    const since = replica.differs.get(id) ?? now;
    replica.differs.set(id, since);
    if (now < since + this.#options.patience) return since + this.#options.patience;
    return { type: "pending", message: `Proxies of controller ${name} do not have the newest version yet.` };
  }

  #decideAbsence(id: string, own: ItemState | undefined, now: number): Decision {
    const state = own ?? { type: "pending", message: "No proxy has answered yet.", isAbsent: true };
    // Where there is nobody to move to, the driver has given them time already; so has whoever forgot a replica.
    if (this.#others.size === 0 || this.#told.get(id)?.type !== "programmed") return { state };
    const since = this.#absent.get(id) ?? now;
    this.#absent.set(id, since);
    if (now < since + this.#options.absence) return { until: since + this.#options.absence };
    return { state };
  }

  #refusal(id: string): ItemState | undefined {
    const own = this.#own.get(id)?.state;
    if (own?.type === "refused") return own;
    for (const { reports } of this.#others.values()) {
      const state = reports.get(id)?.state;
      if (state?.type === "refused") return state;
    }
    return undefined;
  }
}

export function idOf({ kind, key }: Pick<ApplyReport, "kind" | "key">): string {
  return `${kind}|${key}`;
}

function take(reports: Map<string, ReplicaReport>, report: ReplicaReport): void {
  const id = idOf(report);
  if (report.state) reports.set(id, report);
  else reports.delete(id);
}

function hasProxies({ reports }: Replica, gateway: string): boolean {
  for (const { gateway: of, state } of reports.values()) {
    if (of === gateway && state && !isAbsent(state)) return true;
  }
  return false;
}

function isAbsent(state: ItemState): boolean {
  return state.type === "pending" && state.isAbsent === true;
}

/*
 * Publishes DNSRecords. Names are the unit: whatever happens to a DNSRecord makes its name due, and a round looks at all names that are due together, so that a
 * thousand of them are a few calls.
 *
 * State: the DNSRecords by the name that they ask for; when each name is due; and notes of what was published, which are ahead of the statuses
 * until these have been written and come back. Who starts without notes goes by the statuses, and by the marks in the zones for what was done just before the
 * end and not written: nothing is lost, and nothing is left behind.
 */
import {
  KubernetesError,
  statusWriter,
  type EventRecorder,
  type KubernetesClient,
  type KubernetesObject,
  type StatusWriter,
} from "../../kubernetes/index.ts";
import type { DnsRecordStatus } from "../../resources/index.ts";
import { messageOf } from "../error-message.ts";
import type { CurrentProvider } from "./current-provider.ts";
import { publishes, type DnsDialect, type DnsSettings } from "./dns-settings.ts";
import { judgeName, type NameWork, type Notes, type ZoneTask } from "./name-work.ts";
import { DnsError, type DnsZone } from "./provider.ts";
import { domainOf, isObserved, keyOf, recordSetsOf, specOf, zoneKey } from "./record-facts.ts";
import { mergeRecordStatus, published, type Published, type ZoneOutcome } from "./record-status.ts";
import { workOnZone, type TaskResult } from "./zone-work.ts";

export interface PublisherOptions {
  readonly client: KubernetesClient;
  readonly dialect: DnsDialect;
  readonly provider: Pick<CurrentProvider, "get" | "explain">;
  /** Tells this cluster from others on the same zone. */
  readonly cluster: () => Promise<string>;
  readonly canWrite: () => boolean;
  readonly recorder?: Pick<EventRecorder, "record">;
  /** There is something due. */
  readonly ask: () => void;
  readonly trouble?: (where: string, message: string | undefined) => void;
  readonly now?: () => number;
}

/** After failures, ms. */
export const publishAgain = 30_000;
export const removeAgain = 15_000;
const firstPause = 1_000;
const longestPause = 60_000;
/** Of a name that is somebody else's. */
const longestWait = 5 * 60_000;

interface Noted {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  readonly zones: Map<string, ZoneOutcome>;
}

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #now: () => number;
  readonly #statuses: StatusWriter;
  readonly #byName = new Map<string, Map<string, KubernetesObject>>();
  readonly #records = new Map<string, KubernetesObject>();
  readonly #due = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #notes = new Map<string, Noted>();
  /** Names that a DNSRecord had before it was given another, to be removed where they were published. */
  readonly #left = new Map<string, readonly ZoneTask[]>();
  /** To be looked at though they are published: the place where that was is another now. */
  readonly #doubted = new Set<string>();
  #settings: DnsSettings | undefined;
  #pausedUntil = 0;
  #pause = firstPause;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#statuses = statusWriter(options.client, {
      canWrite: options.canWrite,
      trouble: (message) => options.trouble?.("status of DNSRecords", message),
    });
  }

  use(settings: DnsSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    const isElsewhere =
      before !== undefined &&
      (before.provider !== settings.provider ||
        JSON.stringify(before.providerSettings) !== JSON.stringify(settings.providerSettings));
    if (isElsewhere) for (const name of this.#byName.keys()) this.#doubted.add(name);
    this.#lookAtAll();
  }

  #lookAtAll(): void {
    for (const name of this.#byName.keys()) this.#due.set(name, 0);
    this.#options.ask();
  }

  /** We have begun to lead: others have written what the statuses say. */
  lookAnew(): void {
    this.#notes.clear();
    this.#lookAtAll();
  }

  /** What is known of every DNSRecord, zone by zone. */
  *outcomes(): Generator<ZoneOutcome> {
    for (const record of this.#records.values()) yield* this.#noted(record).zones.values();
  }

  /** What failed before may succeed now. */
  providerChanged(): void {
    this.#pausedUntil = 0;
    for (const name of this.#due.keys()) this.#due.set(name, 0);
    this.#options.ask();
  }

  recordChanged(key: string, after: KubernetesObject | undefined): void {
    const before = this.#records.get(key);
    const names = [before, after].flatMap((record) => (record ? [nameOf(record)] : []));
    if (before) this.#removeFrom(nameOf(before), key);
    if (after) {
      this.#records.set(key, after);
      const records = this.#byName.get(nameOf(after)) ?? new Map<string, KubernetesObject>();
      this.#byName.set(nameOf(after), records.set(key, after));
    } else {
      this.#records.delete(key);
      this.#statuses.forget(key);
    }
    if (before && after && before.metadata.uid === after.metadata.uid && nameOf(before) !== nameOf(after))
      this.#leave(before, after);
    if (this.#notes.get(key)?.uid !== after?.metadata.uid) this.#notes.delete(key);
    const isLeaving =
      after?.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined;
    for (const name of names) {
      // A failure is not tried again sooner because its own status was written.
      const isNews =
        !before || !after || isLeaving || before.metadata.generation !== after.metadata.generation;
      if (isNews || !this.#due.has(name)) this.#due.set(name, 0);
    }
    this.#options.ask();
  }

  /** Resolves to when the next must come, ms. */
  async round(): Promise<number | undefined> {
    const settings = this.#settings;
    if (!settings || !this.#options.canWrite()) return undefined;
    if (this.#pausedUntil > this.#now()) return this.#next();
    const due = this.#takeDue();
    const works = due.flatMap((name) => {
      const records = [...(this.#byName.get(name)?.values() ?? [])];
      return records.length === 0 ? [] : [this.#judge(name, records, settings)];
    });
    const left = this.#removalsOfLeft(due, settings);
    const results = await this.#workOn([...left, ...works.flatMap(({ tasks }) => tasks)], settings);
    this.#concludeLeft(due, results);
    await Promise.all(works.map((work) => this.#conclude(work, results)));
    return this.#next();
  }

  /** Resolves when no status waits to be written. */
  settled(): Promise<void> {
    return this.#statuses.settled();
  }

  async stop(): Promise<void> {
    await this.#statuses.stop();
  }

  #removeFrom(name: string, key: string): void {
    const records = this.#byName.get(name);
    records?.delete(key);
    if (records?.size === 0) {
      this.#byName.delete(name);
      this.#failures.delete(name);
    }
  }

  /** What was published under the old name says nothing of who has the new one. */
  #leave(before: KubernetesObject, after: KubernetesObject): void {
    const name = nameOf(before);
    const found = recordSetsOf(before, name, this.#options.dialect);
    const sets = typeof found === "string" ? [] : found;
    const removals = [{ record: before, sets, wasPublished: true }];
    const tasks = [...this.#noted(before).zones.values()].flatMap(({ zone, outcome }) =>
      outcome.status === "True" ? [{ name, zone, removals }] : [],
    );
    if (tasks.length > 0) this.#left.set(name, tasks);
    const { uid, generation } = after.metadata;
    this.#notes.set(keyOf(after), { uid, generation, zones: new Map() });
  }

  /** What is asked for again is published anew, over what stands. */
  #removalsOfLeft(due: readonly string[], settings: DnsSettings): readonly ZoneTask[] {
    if (!publishes(settings)) this.#left.clear();
    return due.flatMap((name) => (this.#byName.has(name) ? [] : (this.#left.get(name) ?? [])));
  }

  #concludeLeft(due: readonly string[], results: ReadonlyMap<ZoneTask, TaskResult>): void {
    for (const name of due) {
      // Something has happened to it meanwhile: the next round sees to it.
      if (this.#due.has(name)) continue;
      const found = (this.#left.get(name) ?? []).flatMap((task) => results.get(task) ?? []);
      if (found.every(({ type }) => type === "done")) this.#left.delete(name);
      else this.#plan(name, removeAgain);
    }
  }

  #takeDue(): readonly string[] {
    const now = this.#now();
    const due = [...this.#due].filter(([, at]) => at <= now).map(([name]) => name);
    for (const name of due) this.#due.delete(name);
    return due;
  }

  #next(): number | undefined {
    const soonest = Math.min(...this.#due.values());
    if (soonest === Infinity) return undefined;
    return Math.max(soonest - this.#now(), this.#pausedUntil - this.#now(), 0);
  }

  #judge(name: string, records: readonly KubernetesObject[], settings: DnsSettings): NameWork {
    const isDoubted = this.#doubted.delete(name);
    const notes = (record: KubernetesObject): Notes => {
      const { zones, generation } = this.#noted(record);
      return {
        zones: [...zones.values()],
        isCurrent: !isDoubted && generation === record.metadata.generation,
      };
    };
    if (
      domainOf({ apiVersion: "", kind: "", metadata: { name: "" }, spec: { dnsName: name } }) === undefined
    ) {
      return this.#withoutName(name, records, settings);
    }
    return judgeName(name, records, { settings, dialect: this.#options.dialect, notes });
  }

  #withoutName(name: string, records: readonly KubernetesObject[], settings: DnsSettings): NameWork {
    const { isLaconic } = this.#options.dialect;
    const outcome = published.invalid(
      isLaconic ? undefined : `spec.dnsName: ${JSON.stringify(name)} is no name`,
    );
    const live = records.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return {
      name,
      tasks: [],
      outcomes: new Map(live.map((record) => [record, settings.zones.map((zone) => ({ zone, outcome }))])),
      leaving: records.filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
      withoutTtl: [],
    };
  }

  /** From the status, until there are notes of our own. */
  #noted(record: KubernetesObject): Noted {
    const key = keyOf(record);
    const noted = this.#notes.get(key);
    if (noted && noted.uid === record.metadata.uid) return noted;
    const { zones = [], observedGeneration } = (record["status"] ?? {}) as DnsRecordStatus;
    const outcomes = zones.flatMap(({ dnsZone, conditions = [] }) => {
      const found = conditions.find(({ type }) => type === "Published");
      if (!found) return [];
      const outcome = {
        status: found.status,
        reason: found.reason ?? "",
        message: found.message ?? "",
      } as Published;
      return [[zoneKey(dnsZone as DnsZone), { zone: dnsZone as DnsZone, outcome }] as const];
    });
    const generation = isObserved(record) ? record.metadata.generation : observedGeneration;
    return { uid: record.metadata.uid, generation, zones: new Map(outcomes) };
  }

  async #workOn(all: readonly ZoneTask[], settings: DnsSettings): Promise<ReadonlyMap<ZoneTask, TaskResult>> {
    const results = new Map<ZoneTask, TaskResult>();
    const byZone = new Map<string, ZoneTask[]>(settings.zones.map((zone) => [zoneKey(zone), []]));
    for (const task of all) {
      const key = zoneKey(task.zone);
      byZone.set(key, [...(byZone.get(key) ?? []), task]);
    }
    for (const tasks of byZone.values()) {
      const [first] = tasks;
      if (!first) continue;
      const found = await this.#workOnOne(first.zone, tasks);
      for (const task of tasks)
        results.set(
          task,
          found.get(task.name) ?? { type: "failed", error: new Error("it was not tried: another leads now") },
        );
    }
    return results;
  }

  async #workOnOne(zone: DnsZone, tasks: readonly ZoneTask[]): Promise<ReadonlyMap<string, TaskResult>> {
    const { provider, canWrite, cluster } = this.#options;
    const found = await workOnZone(zone, tasks, {
      provider: () => provider.get(),
      cluster,
      prepare: (record, targetZone) => this.#prepare(record, targetZone),
      mayGoOn: canWrite,
    });
    const throttled = [...found.values()].find(
      (result) => result.type === "failed" && result.error instanceof DnsError && result.error.isThrottled,
    );
    if (throttled?.type === "failed") {
      const { retryAfter } = throttled.error as DnsError;
      this.#pausedUntil = this.#now() + (retryAfter ?? this.#pause);
      this.#pause = Math.min(this.#pause * 2, longestPause);
    } else this.#pause = firstPause;
    return found;
  }

  async #conclude(work: NameWork, results: ReadonlyMap<ZoneTask, TaskResult>): Promise<void> {
    const { dialect } = this.#options;
    const again: number[] = [];
    const outcomes = new Map([...work.outcomes].map(([record, zones]) => [record, [...zones]]));
    const stuck = new Map<KubernetesObject, ZoneOutcome[]>();
    for (const task of work.tasks) {
      const result = results.get(task);
      if (!result) continue;
      if (task.publication) {
        const { record, isReplaced } = task.publication;
        const outcome = this.#outcomeOf(result, isReplaced);
        outcomes.get(record)?.push({ zone: task.zone, outcome });
        if (result.type !== "done") again.push(this.#waitFor(work.name, result));
      }
      if (result.type === "done") continue;
      const why = result.type === "failed" ? this.#options.provider.explain(result.error) : result.by;
      for (const { record } of task.publication ? [] : task.removals) {
        const zone = { zone: task.zone, outcome: published.notRemoved(why) };
        const list = outcomes.get(record) ?? stuck.get(record) ?? [];
        list.push(zone);
        if (!outcomes.has(record)) stuck.set(record, list);
        again.push(this.#isPaused(result) ? 0 : removeAgain);
      }
    }
    for (const [record, zones] of outcomes) this.#note(record, zones);
    for (const [record, zones] of stuck) this.#noteStuck(record, zones);
    for (const record of work.withoutTtl) this.#warn(record, "ZeroTTL", "Record is missing TTL value");
    const leaving = work.leaving.filter((record) => !stuck.has(record));
    const isFree = await Promise.all(leaving.map((record) => this.#release(record, dialect.finalizer)));
    if (isFree.includes(false)) again.push(removeAgain);
    if (again.length === 0) this.#failures.delete(work.name);
    else this.#plan(work.name, Math.min(...again));
  }

  #plan(name: string, wait: number): void {
    const at = this.#now() + wait;
    this.#due.set(name, Math.min(this.#due.get(name) ?? Infinity, at));
  }

  #isPaused(result: TaskResult): boolean {
    return result.type === "failed" && result.error instanceof DnsError && result.error.isThrottled;
  }

  /** A name that is somebody else's may be so for ever. */
  #waitFor(name: string, result: TaskResult): number {
    if (this.#isPaused(result)) return 0;
    if (result.type !== "taken") return publishAgain;
    const failures = this.#failures.get(name) ?? 0;
    this.#failures.set(name, failures + 1);
    return Math.min(publishAgain * 2 ** failures, longestWait);
  }

  #outcomeOf(result: TaskResult, isReplaced: boolean): Published {
    switch (result.type) {
      case "done":
        return published.success(isReplaced);
      case "taken":
        return published.taken(result.by);
      case "failed":
        return published.failure(isReplaced, this.#options.provider.explain(result.error));
    }
  }

  #note(record: KubernetesObject, zones: readonly ZoneOutcome[]): void {
    const { uid, generation } = record.metadata;
    const before = this.#noted(record).zones;
    for (const { zone, outcome } of zones) {
      const { status, reason, message } = outcome;
      const isNews = before.get(zoneKey(zone))?.outcome.message !== message;
      if (isNews && status !== "Unknown" && reason !== "ProviderSuccess") this.#warn(record, reason, message);
    }
    const order = new Map((this.#settings?.zones ?? []).map((zone, i) => [zoneKey(zone), i]));
    const placeOf = ({ zone }: ZoneOutcome) => order.get(zoneKey(zone)) ?? order.size;
    const sorted = zones.toSorted((a, b) => placeOf(a) - placeOf(b));
    this.#notes.set(keyOf(record), {
      uid,
      generation,
      zones: new Map(sorted.map((one) => [zoneKey(one.zone), one])),
    });
    this.#writeStatus(record, sorted);
  }

  /** For people who look at the object. */
  #warn(record: KubernetesObject, reason: string, message: string): void {
    const { apiVersion, kind, metadata } = record;
    this.#options.recorder?.record({
      object: { apiVersion, kind, ...metadata },
      type: "Warning",
      reason,
      message,
    });
  }

  /** Of one that cannot go yet, the zones that keep it. */
  #noteStuck(record: KubernetesObject, stuck: readonly ZoneOutcome[]): void {
    const { zones } = this.#noted(record);
    const wasTrue = ({ zone }: ZoneOutcome) => zones.get(zoneKey(zone))?.outcome.status === "True";
    const shown = stuck.map((one) =>
      wasTrue(one) ? one : { ...one, outcome: { ...one.outcome, status: "False" as const } },
    );
    this.#note(record, shown);
  }

  #writeStatus(record: KubernetesObject, zones: readonly ZoneOutcome[]): void {
    const { name, namespace, generation } = record.metadata;
    const key = keyOf(record);
    this.#statuses.write({
      key,
      type: this.#options.dialect.records,
      name,
      namespace,
      known: () => {
        const known = this.#records.get(key) ?? record;
        return {
          resourceVersion: known.metadata.resourceVersion,
          status: known["status"] as Readonly<Record<string, unknown>> | undefined,
        };
      },
      merge: (status) => {
        const merged = mergeRecordStatus(status as DnsRecordStatus | undefined, zones, {
          generation,
          now: new Date(this.#now()).toISOString(),
        });
        return merged as Readonly<Record<string, unknown>>;
      },
    });
  }

  /** Nothing is published of which the finalizer does not keep us from forgetting. False: the record is gone. */
  async #prepare(record: KubernetesObject, targetZone: string | undefined): Promise<boolean> {
    const { dialect } = this.#options;
    const { targetZoneAnnotation, finalizer } = dialect;
    const isPrepared = ({ metadata }: KubernetesObject) =>
      (metadata.finalizers ?? []).includes(finalizer) &&
      (targetZone === undefined || metadata.annotations?.[targetZoneAnnotation] === targetZone);
    if (isPrepared(record)) return true;
    return await this.#patch(record, (live) => {
      if (live.metadata.deletionTimestamp !== undefined || isPrepared(live)) return undefined;
      const { finalizers = [] } = live.metadata;
      return {
        ...(!finalizers.includes(finalizer) && { finalizers: [...finalizers, finalizer] }),
        ...(targetZone !== undefined && { annotations: { [targetZoneAnnotation]: targetZone } }),
      };
    });
  }

  async #release(record: KubernetesObject, finalizer: string): Promise<boolean> {
    try {
      await this.#patch(record, ({ metadata: { finalizers = [] } }) =>
        finalizers.includes(finalizer)
          ? { finalizers: finalizers.filter((one) => one !== finalizer) }
          : undefined,
      );
      return true;
    } catch (error) {
      this.#options.trouble?.(`DNSRecord ${keyOf(record)}`, messageOf(error));
      return false;
    }
  }

  /** False: it is gone, or another of that name stands there. */
  async #patch(
    record: KubernetesObject,
    change: (live: KubernetesObject) => object | undefined,
  ): Promise<boolean> {
    const { client, dialect } = this.#options;
    const { name, namespace, uid } = record.metadata;
    let live: KubernetesObject | undefined = this.#records.get(keyOf(record)) ?? record;
    for (let attempt = 0; ; attempt++) {
      if (!live || live.metadata.uid !== uid) return false;
      const metadata = change(live);
      if (!metadata) return true;
      try {
        const { resourceVersion } = live.metadata;
        await client.patch(dialect.records, name, namespace, { metadata: { ...metadata, resourceVersion } });
        return true;
      } catch (error) {
        if (!(error instanceof KubernetesError)) throw error;
        if (error.isNotFound) return false;
        if (!error.isConflict || attempt > 3) throw error;
        live = await client.get(dialect.records, name, namespace);
      }
    }
  }
}

/** Records whose name is none share what they wrote. */
function nameOf(record: KubernetesObject): string {
  return domainOf(record) ?? specOf(record).dnsName ?? "";
}

/*
 * What is to be done about one name, given all DNSRecords that ask for it. Pure.
 *
 *   the owner     is published in every zone where it is not yet, in this version; it goes from zones that are no longer asked for
 *   the losers    are told that the name is taken
 *   the leaving   take what they published with them, unless the owner has taken the name over; then they may go
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { judgeClaims } from "./claims.ts";
import { admitsRecord, publishes, type DnsDialect, type DnsSettings } from "./dns-settings.ts";
import type { DnsZone, RecordSet } from "./provider.ts";
import { isManaged, keyOf, recordSetsOf, specOf, zoneKey } from "./record-facts.ts";
import { published, type ZoneOutcome } from "./record-status.ts";

export interface Publication {
  readonly record: KubernetesObject;
  readonly sets: readonly RecordSet[];
  /** Another version of it, or the same, stands there by our notes. */
  readonly isReplaced: boolean;
}

export interface Removal {
  readonly record: KubernetesObject;
  readonly sets: readonly RecordSet[];
  readonly wasPublished: boolean;
}

export interface ZoneTask {
  readonly name: string;
  readonly zone: DnsZone;
  readonly publication?: Publication;
  readonly removals: readonly Removal[];
}

export interface NameWork {
  readonly name: string;
  readonly tasks: readonly ZoneTask[];
  /** What is known already, by DNSRecord. */
  readonly outcomes: ReadonlyMap<KubernetesObject, readonly ZoneOutcome[]>;
  /** Those that may go when every task that concerns them is done. */
  readonly leaving: readonly KubernetesObject[];
  /** Passed over, since their time to live is nothing. */
  readonly withoutTtl: readonly KubernetesObject[];
}

export interface WorkFacts {
  readonly settings: DnsSettings;
  readonly dialect: DnsDialect;
  /** Where a record is published by our notes, and whether in this version. */
  readonly notes: (record: KubernetesObject) => Notes;
}

export interface Notes {
  readonly zones: readonly ZoneOutcome[];
  readonly isCurrent: boolean;
}

export function judgeName(name: string, records: readonly KubernetesObject[], facts: WorkFacts): NameWork {
  const { settings, dialect } = facts;
  const { owner, losers, leaving } = judgeClaims(
    records.filter(({ metadata }) =>
      metadata.deletionTimestamp === undefined
        ? admitsRecord(settings, metadata.namespace ?? "")
        : (metadata.finalizers ?? []).includes(dialect.finalizer),
    ),
  );
  const outcomes = new Map<KubernetesObject, readonly ZoneOutcome[]>();
  const everywhere = (outcome: ZoneOutcome["outcome"]) => settings.zones.map((zone) => ({ zone, outcome }));
  for (const loser of losers) {
    const by = dialect.isLaconic || !owner ? undefined : `DNSRecord ${keyOf(owner)} is older`;
    outcomes.set(loser, everywhere(isManaged(loser) ? published.taken(by) : published.unmanaged));
  }
  const tasks = new TaskList(name);
  const withoutTtl: KubernetesObject[] = [];
  const ownerSets = owner && isManaged(owner) ? recordSetsOf(owner, name, dialect) : undefined;
  const hasTtl = owner !== undefined && (specOf(owner).recordTTL ?? 0) > 0;
  const takesOver = ownerSets !== undefined && typeof ownerSets !== "string" && hasTtl;
  if (owner && publishes(settings)) {
    if (ownerSets === undefined) outcomes.set(owner, everywhere(published.unmanaged));
    else if (!hasTtl) withoutTtl.push(owner);
    else if (typeof ownerSets === "string") {
      outcomes.set(owner, everywhere(published.invalid(dialect.isLaconic ? undefined : ownerSets)));
    } else outcomes.set(owner, publishOwner(owner, ownerSets, facts, tasks));
  }
  if (publishes(settings)) {
    for (const record of leaving) removeLeaving(record, { owner, takesOver, name }, facts, tasks);
  }
  return { name, tasks: tasks.all, outcomes, leaving, withoutTtl };
}

/** Resolves to what needs no work: it stands. */
function publishOwner(
  record: KubernetesObject,
  sets: readonly RecordSet[],
  { settings, notes }: WorkFacts,
  tasks: TaskList,
): readonly ZoneOutcome[] {
  const { zones, isCurrent } = notes(record);
  const noted = new Map(zones.map((one) => [zoneKey(one.zone), one]));
  const standing: ZoneOutcome[] = [];
  for (const zone of settings.zones) {
    const before = noted.get(zoneKey(zone));
    noted.delete(zoneKey(zone));
    const isPublished = before?.outcome.status === "True";
    if (before && isPublished && isCurrent) standing.push(before);
    else tasks.publish(zone, { record, sets, isReplaced: isPublished });
  }
  for (const { zone, outcome } of noted.values()) {
    if (outcome.status === "True") tasks.remove(zone, { record, sets, wasPublished: true });
  }
  return standing;
}

function removeLeaving(
  record: KubernetesObject,
  { owner, takesOver, name }: { owner: KubernetesObject | undefined; takesOver: boolean; name: string },
  { settings, dialect, notes }: WorkFacts,
  tasks: TaskList,
): void {
  const found = recordSetsOf(record, name, dialect);
  const sets = typeof found === "string" ? [] : found;
  const published = notes(record).zones.filter(({ outcome }) => outcome.status === "True");
  const isPublished = new Set(published.map(({ zone }) => zoneKey(zone)));
  const asked = new Map(settings.zones.map((zone) => [zoneKey(zone), zone]));
  for (const { zone } of published)
    if (!asked.has(zoneKey(zone))) tasks.remove(zone, { record, sets, wasPublished: true });
  if (takesOver) return;
  for (const [key, zone] of asked) {
    const wasPublished = isPublished.has(key);
    // Whoever else asks for the name keeps what stands there, unless it is ours by our notes. If nobody does, the mark may tell of what was published and not noted.
    if (wasPublished || !owner) tasks.remove(zone, { record, sets, wasPublished });
  }
}

class TaskList {
  readonly #name: string;
  readonly #byZone = new Map<string, { zone: DnsZone; publication?: Publication; removals: Removal[] }>();

  constructor(name: string) {
    this.#name = name;
  }

  get all(): readonly ZoneTask[] {
    return [...this.#byZone.values()].map((task) => ({ name: this.#name, ...task }));
  }

  publish(zone: DnsZone, publication: Publication): void {
    this.#in(zone).publication = publication;
  }

  remove(zone: DnsZone, removal: Removal): void {
    this.#in(zone).removals.push(removal);
  }

  #in(zone: DnsZone) {
    const key = zoneKey(zone);
    const task = this.#byZone.get(key) ?? { zone, removals: [] };
    this.#byZone.set(key, task);
    return task;
  }
}

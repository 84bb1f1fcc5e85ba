/*
 * Changes to one zone, for many names at once. What belongs to one name stays together, so many names share a call. If a call fails because of one
 * of them, the others are not to suffer: the names are halved until the culprit is alone. What is refused for another reason (asked too often, wrong credentials) would be
 * refused again, so it is not tried again here.
 */
import { DnsError, type DnsProvider, type DnsZone, type RecordSetChange } from "./provider.ts";

export interface NameChanges {
  readonly name: string;
  readonly changes: readonly RecordSetChange[];
}

/** Name → what went wrong. Those that are not in it are done. */
export type Failures = ReadonlyMap<string, unknown>;

export async function applyChanges(
  provider: DnsProvider,
  zone: DnsZone,
  names: readonly NameChanges[],
): Promise<Failures> {
  const failures = new Map<string, unknown>();
  const wanted = names.filter(({ changes }) => changes.length > 0);
  const batches = batchesOf(wanted, provider.maxChanges);
  for (const [i, batch] of batches.entries()) {
    const refusal = await applyBatch(provider, zone, batch, failures);
    if (!refusal) continue;
    for (const { name } of batches.slice(i + 1).flat()) failures.set(name, refusal);
    break;
  }
  return failures;
}

/** Resolves to an error that all that follow would meet too. */
async function applyBatch(
  provider: DnsProvider,
  zone: DnsZone,
  names: readonly NameChanges[],
  failures: Map<string, unknown>,
): Promise<DnsError | undefined> {
  try {
    await changeAll(
      provider,
      zone,
      names.flatMap(({ changes }) => changes),
    );
    return undefined;
  } catch (error) {
    const isGeneral = error instanceof DnsError && (error.isThrottled || error.isDenied);
    if (isGeneral || names.length === 1) {
      for (const { name } of names) failures.set(name, error);
      return isGeneral ? error : undefined;
    }
    const half = Math.ceil(names.length / 2);
    const first = await applyBatch(provider, zone, names.slice(0, half), failures);
    if (first) for (const { name } of names.slice(half)) failures.set(name, first);
    return first ?? (await applyBatch(provider, zone, names.slice(half), failures));
  }
}

/** A service that takes less at once than a single name needs gets it in several calls. */
async function changeAll(
  provider: DnsProvider,
  zone: DnsZone,
  changes: readonly RecordSetChange[],
): Promise<void> {
  for (let at = 0; at < changes.length; at += provider.maxChanges) {
    await provider.change(zone, changes.slice(at, at + provider.maxChanges));
  }
}

function batchesOf(names: readonly NameChanges[], most: number): readonly (readonly NameChanges[])[] {
  const batches: NameChanges[][] = [];
  let room = 0;
  for (const one of names) {
    if (one.changes.length > room) {
      batches.push([]);
      room = most;
    }
    batches.at(-1)?.push(one);
    room -= one.changes.length;
  }
  return batches;
}

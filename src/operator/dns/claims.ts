/*
 * Whose a name is when several DNSRecords ask for it: the oldest's, then by namespace and name. One that is unmanaged claims its name all the same; one that is being
 * deleted does not.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";

export interface Claims {
  /** Undefined: only such as are being deleted ask for it. */
  readonly owner: KubernetesObject | undefined;
  readonly losers: readonly KubernetesObject[];
  readonly leaving: readonly KubernetesObject[];
}

export function judgeClaims(records: readonly KubernetesObject[]): Claims {
  const isLeaving = ({ metadata }: KubernetesObject) => metadata.deletionTimestamp !== undefined;
  const [owner, ...losers] = records.filter((record) => !isLeaving(record)).toSorted(byAge);
  return { owner, losers, leaving: records.filter(isLeaving) };
}

function byAge({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): number {
  return (
    compare(a.creationTimestamp ?? "", b.creationTimestamp ?? "") ||
    compare(a.namespace ?? "", b.namespace ?? "") ||
    compare(a.name, b.name)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What became of a DNSRecord in each zone, in the platform's words. */
import { deepEqual } from "../../incremental/index.ts";
import type { DnsRecordStatus } from "../../resources/index.ts";
import { zoneKey } from "./record-facts.ts";
import type { DnsZone } from "./provider.ts";

export interface Published {
  readonly status: "True" | "False" | "Unknown";
  readonly reason:
    "ProviderSuccess" | "ProviderError" | "UnmanagedDNS" | "InternalError" | "DomainAlreadyInUse";
  readonly message: string;
}

export const published = {
  success: (isReplaced: boolean): Published => ({
    status: "True",
    reason: "ProviderSuccess",
    message: `The DNS provider succeeded in ${isReplaced ? "replacing" : "ensuring"} the record`,
  }),
  failure: (isReplaced: boolean, error: string): Published => ({
    status: "False",
    reason: "ProviderError",
    message: `The DNS provider failed to ${isReplaced ? "replace" : "ensure"} the record: ${error}`,
  }),
  /** Still there, though it shall not be. */
  notRemoved: (error: string): Published => ({
    status: "True",
    reason: "ProviderError",
    message: `The DNS provider failed to delete the record: ${error}`,
  }),
  unmanaged: {
    status: "Unknown",
    reason: "UnmanagedDNS",
    message: "DNS record is currently not being managed by the operator",
  },
  taken: (by?: string): Published => ({
    status: "False",
    reason: "DomainAlreadyInUse",
    message: `Domain name is already in use${by === undefined ? "" : `: ${by}`}`,
  }),
  invalid: (why?: string): Published => ({
    status: "False",
    reason: "InternalError",
    message: `Pre-publish validation failed${why === undefined ? "" : `: ${why}`}`,
  }),
} as const;

export interface ZoneOutcome {
  readonly zone: DnsZone;
  readonly outcome: Published;
}

/** Zones that are not mentioned are gone; the same object if there is nothing to change. */
export function mergeRecordStatus(
  existing: DnsRecordStatus | undefined,
  outcomes: readonly ZoneOutcome[],
  { generation, now }: { readonly generation: number | undefined; readonly now: string },
): DnsRecordStatus {
  const standing = new Map(
    (existing?.zones ?? []).map((entry) => [zoneKey(entry.dnsZone as DnsZone), entry]),
  );
  const zones = outcomes.map(({ zone, outcome }) => {
    const { conditions = [] } = standing.get(zoneKey(zone)) ?? {};
    const old = conditions.find(({ type }) => type === "Published");
    const lastTransitionTime =
      old?.status === outcome.status && old.lastTransitionTime !== undefined ? old.lastTransitionTime : now;
    const others = conditions.filter(({ type }) => type !== "Published");
    return { dnsZone: zone, conditions: [{ type: "Published", ...outcome, lastTransitionTime }, ...others] };
  });
  const status: DnsRecordStatus = {
    ...existing,
    zones,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  return existing && deepEqual(existing, status) ? existing : status;
}

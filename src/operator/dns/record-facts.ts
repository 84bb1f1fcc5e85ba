/** What a DNSRecord says, whoever wrote it. */
import { isIPv4, isIPv6 } from "node:net";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { DnsRecordSpec, DnsRecordStatus } from "../../resources/index.ts";
import type { DnsDialect } from "./dns-settings.ts";
import { parseDomainName } from "./domain-name.ts";
import { canonicalAddress } from "./load-balancer-targets.ts";
import type { DnsZone, RecordSet } from "./provider.ts";

export function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

export function specOf(record: KubernetesObject): Partial<DnsRecordSpec> {
  return (record["spec"] ?? {}) as Partial<DnsRecordSpec>;
}

/** The name that it asks for; undefined: it is none. */
export function domainOf(record: KubernetesObject): string | undefined {
  return parseDomainName(specOf(record).dnsName ?? "");
}

export function isManaged(record: KubernetesObject): boolean {
  return specOf(record).dnsManagementPolicy !== "Unmanaged";
}

/** The sets that it asks for, or what is wrong with its targets. */
export function recordSetsOf(
  record: KubernetesObject,
  domain: string,
  { targetZoneAnnotation }: DnsDialect,
): readonly RecordSet[] | string {
  const { targets = [], recordTTL: ttl = 0, recordType } = specOf(record);
  if (recordType === "CNAME") {
    const name = targets.length === 1 ? parseDomainName(targets[0] ?? "") : undefined;
    if (name === undefined)
      return `spec.targets: a CNAME has one target, which is a name, not ${targets.join(", ")}`;
    const targetZone = record.metadata.annotations?.[targetZoneAnnotation];
    return [{ name: domain, type: "CNAME", ttl, values: [name], ...(targetZone && { targetZone }) }];
  }
  const wrong = targets.find((target) => !isIPv4(target) && !isIPv6(target));
  if (wrong !== undefined) return `spec.targets: ${wrong} is no address`;
  const addresses = [...new Set(targets.map(canonicalAddress))].toSorted();
  const sets = [
    { type: "A" as const, values: addresses.filter((one) => isIPv4(one)) },
    { type: "AAAA" as const, values: addresses.filter((one) => isIPv6(one)) },
  ];
  const filled = sets.filter(({ values }) => values.length > 0);
  return filled.length > 0
    ? filled.map((set) => ({ name: domain, ttl, ...set }))
    : "spec.targets: there are none";
}

export function zoneKey({ id = "", tags = {} }: DnsZone): string {
  return JSON.stringify([id, Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** What the status says is said of the object as it stands. */
export function isObserved({ metadata, status }: KubernetesObject): boolean {
  return ((status ?? {}) as DnsRecordStatus).observedGeneration === metadata.generation;
}

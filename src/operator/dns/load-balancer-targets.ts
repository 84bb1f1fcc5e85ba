/*
 * What the names of a Gateway resolve to, by what its load balancer says:
 *
 *   addresses          all of them, each by its own kind; A stands for both kinds in a DNSRecord, AAAA for IPv6 alone
 *   names alone        a CNAME to the first: a name can be an alias of one other
 *   nothing            no record yet
 *
 * On OpenShift only the first entry counts, and one that has both an address and a name is a mistake.
 */
import { isIPv4, isIPv6 } from "node:net";
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { DnsRecordSpec } from "../../resources/index.ts";
import { parseDomainName } from "./domain-name.ts";

export type Targets = Pick<DnsRecordSpec, "recordType" | "targets">;
export type TargetsFound = Targets | { readonly problem: string } | undefined;

interface Ingress {
  readonly ip?: string;
  readonly hostname?: string;
}

export function ingressOf(service: KubernetesObject): readonly Ingress[] {
  const { loadBalancer } = (service["status"] ?? {}) as {
    loadBalancer?: { readonly ingress?: readonly Ingress[] };
  };
  return (loadBalancer?.ingress ?? []).filter(({ ip, hostname }) => Boolean(ip) || Boolean(hostname));
}

export function targetsOf(
  service: KubernetesObject,
  options: { readonly takesFirstAddress: boolean },
): TargetsFound {
  const entries = ingressOf(service);
  if (options.takesFirstAddress) return firstTarget(entries[0]);
  const addresses = entries.flatMap(({ ip = "" }) =>
    isIPv4(ip) || isIPv6(ip) ? [canonicalAddress(ip)] : [],
  );
  const targets = [...new Set(addresses)].toSorted();
  if (targets.length > 0) return { recordType: targets.every((one) => isIPv6(one)) ? "AAAA" : "A", targets };
  const name = entries.flatMap(({ hostname = "" }) => parseDomainName(hostname) ?? []).at(0);
  return name === undefined ? undefined : { recordType: "CNAME", targets: [name] };
}

function firstTarget(first: Ingress | undefined): TargetsFound {
  if (!first) return undefined;
  const { ip, hostname } = first;
  if (ip && hostname) {
    return { problem: `the load balancer has both the address ${ip} and the name ${hostname}` };
  }
  return ip
    ? { recordType: "A", targets: [canonicalAddress(ip)] }
    : { recordType: "CNAME", targets: [hostname ?? ""] };
}

/** IPv6 has several ways to write an address; name servers answer with one. */
export function canonicalAddress(address: string): string {
  return isIPv6(address) && !address.includes("%")
    ? new URL(`http://[${address}]/`).hostname.slice(1, -1)
    : address;
}

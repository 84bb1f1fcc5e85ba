/** What the admin asks for, wherever it is written, and what differs between platforms. */
import type { ResourceType } from "../../kubernetes/index.ts";
import { dnsRecordKind, openshiftDnsRecordKind, type PlatformDns } from "../../resources/index.ts";
import type { Compat } from "../profile-names.ts";
import { isWithin, parseDomainName } from "./domain-name.ts";
import type { DnsZone } from "./provider.ts";

export interface DnsSettings {
  /** Of `providers/`; or `none`; or `external-dns`, which publishes in our place. */
  readonly provider: string;
  readonly providerSettings: Readonly<Record<string, string>>;
  readonly credentials?: SecretName | undefined;
  readonly baseDomain?: string | undefined;
  /** Which names are ours to publish: those in the base domain, those below it, or whichever the provider takes. */
  readonly publishable: "in-domain" | "below-domain" | "any";
  /** DNSRecords are made even where there is no provider. */
  readonly alwaysHasRecords: boolean;
  /** The private one first: that is the order in which they are written. */
  readonly zones: readonly DnsZone[];
  /** Of Gateways; `*` is all of them. */
  readonly namespaces: readonly string[];
  /** Of DNSRecords that are published beside those of Gateways. */
  readonly moreRecordNamespaces: readonly string[];
  /** Seconds. */
  readonly ttl: number;
}

export interface SecretName {
  readonly name: string;
  readonly namespace: string;
}

export const usualTtl = 30;

export function publishes({ provider }: DnsSettings): boolean {
  return provider !== "none" && provider !== "external-dns";
}

export function admitsNamespace({ namespaces }: DnsSettings, namespace: string): boolean {
  return namespaces.includes("*") || namespaces.includes(namespace);
}

export function admitsRecord(settings: DnsSettings, namespace: string): boolean {
  return admitsNamespace(settings, namespace) || settings.moreRecordNamespaces.includes(namespace);
}

/** Whether Gateways have DNSRecords. */
export function keepsRecords(settings: DnsSettings): boolean {
  return settings.alwaysHasRecords || publishes(settings);
}

/** Whether we publish the name. One that we do not is claimed all the same. */
export function managesName({ baseDomain = "", publishable }: DnsSettings, name: string): boolean {
  if (publishable === "any") return true;
  const domain = parseDomainName(baseDomain);
  if (domain === undefined) return false;
  return isWithin(name, domain) && (publishable === "in-domain" || name !== domain);
}

/** Of Platform `cluster`. */
export function platformDns(dns: PlatformDns): DnsSettings {
  const { provider, settings = {}, credentials, baseDomain, namespaces = [], ttl = usualTtl } = dns;
  return {
    provider,
    providerSettings: settings,
    credentials,
    baseDomain,
    publishable: "in-domain",
    alwaysHasRecords: false,
    zones: [dns.privateZone, dns.publicZone].filter((zone) => zone !== undefined) as readonly DnsZone[],
    namespaces,
    moreRecordNamespaces: [],
    ttl,
  };
}

export interface DnsDialect {
  readonly records: ResourceType;
  readonly finalizer: string;
  /** On a DNSRecord: the zone of the load balancer that it is an alias of. */
  readonly targetZoneAnnotation: string;
  /** On the Service and its DNSRecords: which Gateway they belong to. */
  readonly gatewayLabel: string;
  /** Of the Service's labels, those that its DNSRecords have too; absent: all. */
  readonly copiedLabels?: readonly string[];
  /** A name is hashed, and written, with a dot at its end. */
  readonly hasDots: boolean;
  /** Only the first address of a load balancer counts, and the kind has no AAAA. */
  readonly takesFirstAddress: boolean;
  /** Messages are those that the platform has always had. Elsewhere they say more. */
  readonly isLaconic: boolean;
}

const gatewayNameLabel = "gateway.networking.k8s.io/gateway-name";

export const kubernetesDialect: DnsDialect = {
  records: dnsRecordKind,
  finalizer: "gatewright.dev/dns",
  targetZoneAnnotation: "gatewright.dev/target-hosted-zone-id",
  gatewayLabel: gatewayNameLabel,
  hasDots: false,
  takesFirstAddress: false,
  isLaconic: false,
};

/** The design has two labels and no dots; what was shipped has all of the Service's labels, and dots. */
export function openshiftDialect(compat: Compat): DnsDialect {
  const proposed = ["gateway.istio.io/managed", "istio.io/gateway-name"];
  return {
    records: openshiftDnsRecordKind,
    finalizer: "operator.openshift.io/ingress-dns",
    targetZoneAnnotation: "ingress.operator.openshift.io/target-hosted-zone-id",
    takesFirstAddress: true,
    isLaconic: true,
    ...(compat === "shipped"
      ? { gatewayLabel: gatewayNameLabel, hasDots: true }
      : { gatewayLabel: "istio.io/gateway-name", copiedLabels: proposed, hasDots: false }),
  };
}

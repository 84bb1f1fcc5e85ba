/*
 * Names on OpenShift: `dnses.config.openshift.io/cluster` has the domain and the zones, `infrastructures.config.openshift.io/cluster` the cloud, and a Secret of the
 * ingress operator the credentials. A platform without a provider has DNSRecords all the same, and nobody publishes them.
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { usualTtl, type DnsSettings } from "../dns/dns-settings.ts";
import type { DnsZone } from "../dns/provider.ts";

const operatorNamespace = "openshift-ingress-operator";
export const operandNamespace = "openshift-ingress";
const credentials = { name: "cloud-credentials", namespace: operatorNamespace };

type Texts = Readonly<Record<string, string | undefined>>;

interface PlatformStatus {
  readonly type?: string;
  readonly aws?: Texts;
  readonly azure?: Texts;
  readonly gcp?: Texts;
  readonly ibmcloud?: Texts;
  readonly powervs?: Texts;
  readonly alibabaCloud?: Texts;
}

interface Cloud {
  readonly provider: string;
  settings(platform: PlatformStatus): Texts;
  /** Names outside of the base domain are refused by us, not by the cloud. */
  readonly isBound?: boolean;
}

interface DnsSpec {
  readonly baseDomain?: string;
  readonly publicZone?: DnsZone;
  readonly privateZone?: DnsZone;
}

const aws = ({ aws: { region } = {} }: PlatformStatus) => ({ region });
const google = ({ gcp: { projectID } = {} }: PlatformStatus) => ({ project: projectID });
const azure = ({ azure: { cloudName, resourceGroupName } = {} }: PlatformStatus) => ({
  cloud: cloudName,
  resourceGroup: resourceGroupName,
});
const ibm = ({ cisInstanceCRN, dnsInstanceCRN }: Texts = {}) => ({ cisInstanceCRN, dnsInstanceCRN });
const alibaba = ({ alibabaCloud: { region } = {} }: PlatformStatus) => ({ region });

const clouds: ReadonlyMap<string, Cloud> = new Map<string, Cloud>([
  ["AWS", { provider: "aws", settings: aws, isBound: true }],
  ["Azure", { provider: "azure", settings: azure }],
  ["GCP", { provider: "google", settings: google, isBound: true }],
  ["IBMCloud", { provider: "ibm", settings: ({ ibmcloud }) => ibm(ibmcloud) }],
  ["PowerVS", { provider: "ibm", settings: ({ powervs }) => ibm(powervs) }],
  ["AlibabaCloud", { provider: "alibaba", settings: alibaba }],
]);

/** Undefined: the platform does not say yet what it is. */
export function openshiftDns(
  dns: KubernetesObject,
  infrastructure: KubernetesObject,
  moreNamespaces: readonly string[],
): DnsSettings | undefined {
  const { platformStatus } = (infrastructure["status"] ?? {}) as { platformStatus?: PlatformStatus };
  if (!platformStatus) return undefined;
  const spec = (dns["spec"] ?? {}) as DnsSpec;
  const cloud = clouds.get(platformStatus.type ?? "");
  const settings = Object.entries(cloud?.settings(platformStatus) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return {
    provider: cloud?.provider ?? "none",
    providerSettings: Object.fromEntries(settings),
    ...(cloud && { credentials }),
    baseDomain: spec.baseDomain,
    publishable: cloud?.isBound ? "below-domain" : "any",
    alwaysHasRecords: true,
    zones: [spec.privateZone, spec.publicZone].filter((zone) => zone !== undefined),
    namespaces: [operandNamespace, ...moreNamespaces],
    moreRecordNamespaces: [operatorNamespace],
    ttl: usualTtl,
  };
}

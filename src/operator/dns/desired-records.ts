/** The DNSRecords that a Gateway shall have: one per hostname, owned by its Service, so that none outlives the load balancer. */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import { managesName, type DnsDialect, type DnsSettings } from "./dns-settings.ts";
import { targetsOf } from "./load-balancer-targets.ts";
import { recordNames } from "./record-name.ts";

export interface GatewayFacts {
  readonly gateway: KubernetesObject;
  readonly hostnames: readonly string[];
  readonly service: KubernetesObject;
}

export interface DesiredRecords {
  readonly records: readonly KubernetesObject[];
  /** Why there are none. */
  readonly problem?: string;
}

export function desiredRecords(
  { gateway, hostnames, service }: GatewayFacts,
  settings: DnsSettings,
  dialect: DnsDialect,
): DesiredRecords {
  const found = targetsOf(service, dialect);
  if (!found) return { records: [] };
  const { namespace = "", name } = service.metadata;
  if ("problem" in found) return { records: [], problem: `Service ${namespace}/${name}: ${found.problem}` };
  const names = recordNames(gateway.metadata.name, hostnames, { hashesDot: dialect.hasDots });
  const { group, version, kind } = dialect.records;
  const records = [...names].map(([hostname, record]) => ({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name: record,
      namespace,
      labels: labelsOf(service, dialect),
      finalizers: [dialect.finalizer],
      ownerReferences: [{ apiVersion: "v1", kind: "Service", name, uid: service.metadata.uid ?? "" }],
    },
    spec: {
      dnsName: dialect.hasDots ? `${hostname}.` : hostname,
      ...found,
      recordTTL: settings.ttl,
      dnsManagementPolicy: managesName(settings, hostname) ? "Managed" : "Unmanaged",
    },
  }));
  return { records };
}

function labelsOf(service: KubernetesObject, { copiedLabels }: DnsDialect): Readonly<Record<string, string>> {
  const labels = Object.entries(service.metadata.labels ?? {});
  return Object.fromEntries(copiedLabels ? labels.filter(([key]) => copiedLabels.includes(key)) : labels);
}

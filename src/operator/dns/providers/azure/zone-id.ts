/** Zones as Azure names them: `/subscriptions/…/resourceGroups/…/providers/Microsoft.Network/dnsZones/example.com`, or `privateDnsZones`. */
import { DnsError, type DnsProviderInputs, type DnsZone } from "../../provider.ts";
import { findCredential, findSetting, requireZoneId } from "../given.ts";
import { plainName } from "../record-values.ts";

export interface AzureZone {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly domain: string;
  readonly isPrivate: boolean;
}

const resourceId =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft[.]Network\/(dnsZones|privateDnsZones)\/([^/]+)$/i;

/** A domain alone is a public zone of the settings' resource group. */
export function parseZoneId(zone: DnsZone, { settings, credentials }: DnsProviderInputs): AzureZone {
  const id = requireZoneId(zone, "the resource id of a DNS zone");
  const [, subscription, resourceGroup, kind, domain] = resourceId.exec(id) ?? [];
  if (subscription && resourceGroup && kind && domain) {
    const isPrivate = kind.toLowerCase() === "privatednszones";
    return { subscription, resourceGroup, domain: plainName(domain), isPrivate };
  }
  const group = findSetting(settings, "resourceGroup") ?? findCredential(credentials, "azure_resourcegroup");
  const account =
    findSetting(settings, "subscription") ?? findCredential(credentials, "azure_subscription_id");
  if (id.includes("/") || !group || !account) {
    throw new DnsError(
      `${id} is no resource id of a DNS zone, as in /subscriptions/…/resourceGroups/…/providers/Microsoft.Network/dnsZones/example.com`,
    );
  }
  return { subscription: account, resourceGroup: group, domain: plainName(id), isPrivate: false };
}

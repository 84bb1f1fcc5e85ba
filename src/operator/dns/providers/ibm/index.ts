/**
 * IBM Cloud: Internet Services (CIS) for public zones, DNS Services for private ones. Both are instances that the settings name by CRN. A zone has the id that its service gives it; those of DNS Services
 * have a colon in them.
 */
import { DnsError, type DnsProvider, type DnsProviderInputs } from "../../provider.ts";
import { secretsOf } from "../failure.ts";
import { findSetting } from "../given.ts";
import { singleRecordProvider } from "../single-records.ts";
import { credentialKey, IbmClient, publicEndpoints } from "./client.ts";
import { DnsServicesZone } from "./dns-services.ts";
import { ibmFailure } from "./failures.ts";
import { InternetServicesZone } from "./internet-services.ts";

export function createProvider(given: DnsProviderInputs, endpoints = publicEndpoints): DnsProvider {
  const secrets = secretsOf(given.credentials.get(credentialKey));
  const internetInstance = findSetting(given.settings, "cisInstanceCRN");
  const dnsInstance = findSetting(given.settings, "dnsInstanceCRN");
  if (internetInstance === undefined && dnsInstance === undefined) {
    throw new DnsError("neither of the settings cisInstanceCRN and dnsInstanceCRN is there");
  }
  const internetServices = new IbmClient(given, endpoints.internetServices, endpoints.tokens);
  const dnsServices = new IbmClient(given, endpoints.dnsServices, endpoints.tokens);
  return singleRecordProvider({
    name: "ibm",
    maxChanges: 40,
    zoneIdIs: "the id of a zone of Internet Services or DNS Services",
    failure: (doing, error) => ibmFailure(doing, error, secrets),
    open(id) {
      if (internetInstance !== undefined && !id.includes(":")) {
        return new InternetServicesZone(internetServices, internetInstance, id);
      }
      if (dnsInstance === undefined) {
        throw new DnsError(`zone ${id} is of DNS Services, and the setting dnsInstanceCRN is missing`);
      }
      return new DnsServicesZone(dnsServices, instanceId(dnsInstance), id);
    },
  });
}

/** Of `crn:v1:bluemix:public:dns-svcs:global:a/ACCOUNT:INSTANCE::`; an instance's id alone is one too. */
function instanceId(crn: string): string {
  return crn.startsWith("crn:") ? (crn.split(":")[7] ?? "") : crn;
}

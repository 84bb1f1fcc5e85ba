/**
 * IBM Cloud: Internet Services (CIS) for public zones, DNS Services for private ones. Both are instances that the settings name by CRN. A zone has the id that its service gives it; those of DNS Services
 * have a colon in them.
 */
import {
  DnsError,
  type DnsProvider,
  type DnsProviderInputs,
  type DnsZone,
  type RecordSet,
  type RecordSetChange,
} from "../../provider.ts";
import { secretsOf } from "../failure.ts";
import { findSetting, requireZoneId } from "../given.ts";
import { SingleRecordZone, type RecordStore } from "../single-records.ts";
import { credentialKey, IbmClient, publicEndpoints, type IbmEndpoints } from "./client.ts";
import { DnsServicesZone } from "./dns-services.ts";
import { ibmFailure } from "./failures.ts";
import { InternetServicesZone } from "./internet-services.ts";

export function createProvider(given: DnsProviderInputs, endpoints = publicEndpoints): DnsProvider {
  return new IbmProvider(given, endpoints);
}

class IbmProvider implements DnsProvider {
  readonly name = "ibm";
  readonly maxChanges = 40;
  readonly #secrets: readonly string[];
  readonly #internetServices: IbmClient;
  readonly #dnsServices: IbmClient;
  readonly #internetInstance: string | undefined;
  readonly #dnsInstance: string | undefined;
  readonly #zones = new Map<string, SingleRecordZone>();

  constructor(given: DnsProviderInputs, { internetServices, dnsServices, tokens }: IbmEndpoints) {
    this.#secrets = secretsOf(given.credentials.get(credentialKey));
    this.#internetInstance = findSetting(given.settings, "cisInstanceCRN");
    this.#dnsInstance = findSetting(given.settings, "dnsInstanceCRN");
    if (this.#internetInstance === undefined && this.#dnsInstance === undefined) {
      throw new DnsError("neither of the settings cisInstanceCRN and dnsInstanceCRN is there");
    }
    this.#internetServices = new IbmClient(given, internetServices, tokens);
    this.#dnsServices = new IbmClient(given, dnsServices, tokens);
  }

  look(zone: DnsZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    return this.#attempt("list the records of", zone, (open) => open.look(names));
  }

  change(zone: DnsZone, changes: readonly RecordSetChange[]): Promise<void> {
    return this.#attempt("change the records of", zone, (open) => open.change(changes));
  }

  async stop(): Promise<void> {
    this.#zones.clear();
  }

  async #attempt<Result>(
    doing: string,
    zone: DnsZone,
    work: (open: SingleRecordZone) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(this.#open(zone));
    } catch (error) {
      throw ibmFailure(`${doing} zone ${zone.id ?? ""}`, error, this.#secrets);
    }
  }

  #open(zone: DnsZone): SingleRecordZone {
    const id = requireZoneId(zone, "the id of a zone of Internet Services or DNS Services");
    const known = this.#zones.get(id) ?? new SingleRecordZone(this.#storeOf(id));
    this.#zones.set(id, known);
    return known;
  }

  #storeOf(id: string): RecordStore {
    const isPrivate = id.includes(":") || this.#internetInstance === undefined;
    if (!isPrivate) return new InternetServicesZone(this.#internetServices, this.#internetInstance ?? "", id);
    if (this.#dnsInstance === undefined) {
      throw new DnsError(`zone ${id} is of DNS Services, and the setting dnsInstanceCRN is missing`);
    }
    return new DnsServicesZone(this.#dnsServices, instanceId(this.#dnsInstance), id);
  }
}

/** Of `crn:v1:bluemix:public:dns-svcs:global:a/ACCOUNT:INSTANCE::`; an instance's id alone is one too. */
function instanceId(crn: string): string {
  return crn.startsWith("crn:") ? (crn.split(":")[7] ?? "") : crn;
}

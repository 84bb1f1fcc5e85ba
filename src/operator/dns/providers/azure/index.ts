/**
 * Azure DNS, public and private. A zone is named by its resource id. Azure takes one record set at a time; its etag is the condition of a change, so what somebody else
 * has changed since the look stays.
 */
import type { HttpClient } from "@azure/core-rest-pipeline";
import {
  DnsError,
  type DnsProvider,
  type DnsProviderInputs,
  type DnsZone,
  type RecordSet,
  type RecordSetChange,
} from "../../provider.ts";
import { workOnEach } from "../bounded-work.ts";
import { changeInWaves } from "../change-waves.ts";
import { attempt, secretsOf } from "../failure.ts";
import { findSetting } from "../given.ts";
import { hasSameValues, relativeName, type RecordType } from "../record-values.ts";
import { azureFailure, isMissing } from "./failures.ts";
import {
  plainSet,
  recordSetsOf,
  renderSet,
  type AzureClientOptions,
  type AzureRecordSet,
  type AzureRecordSets,
} from "./record-sets.ts";
import { tokenCredential } from "./token-credential.ts";
import { parseZoneId, type AzureZone } from "./zone-id.ts";

/** For tests: who carries out the requests. */
export interface AzureOptions {
  readonly httpClient?: HttpClient;
}

export function createProvider(given: DnsProviderInputs, options: AzureOptions = {}): DnsProvider {
  return new AzureProvider(given, options);
}

const clouds: ReadonlyMap<string, { readonly endpoint: string; readonly authority: string }> = new Map([
  [
    "AzurePublicCloud",
    { endpoint: "https://management.azure.com", authority: "https://login.microsoftonline.com" },
  ],
  [
    "AzureUSGovernmentCloud",
    { endpoint: "https://management.usgovcloudapi.net", authority: "https://login.microsoftonline.us" },
  ],
  [
    "AzureChinaCloud",
    { endpoint: "https://management.chinacloudapi.cn", authority: "https://login.chinacloudapi.cn" },
  ],
]);

const atOnce = 4;
const types: readonly RecordType[] = ["A", "AAAA", "CNAME", "TXT"];

interface OpenZone {
  readonly zone: AzureZone;
  readonly sets: AzureRecordSets;
  /** Pages that the zone had when it was last listed. */
  pages?: number;
}

class AzureProvider implements DnsProvider {
  readonly name = "azure";
  readonly maxChanges = 40;
  readonly #given: DnsProviderInputs;
  readonly #client: AzureClientOptions;
  readonly #secrets: readonly string[];
  readonly #zones = new Map<string, OpenZone>();
  readonly #etags = new WeakMap<RecordSet, string>();
  readonly #ending = new AbortController();

  constructor(given: DnsProviderInputs, { httpClient }: AzureOptions) {
    this.#given = given;
    this.#secrets = secretsOf(given.credentials.get("azure_client_secret"));
    const name = findSetting(given.settings, "cloud") ?? "AzurePublicCloud";
    const cloud = clouds.get(name);
    if (!cloud) {
      throw new DnsError(`there is no cloud ${name}: the setting cloud is ${[...clouds.keys()].join(", ")}`);
    }
    const credential = tokenCredential(given, { authority: cloud.authority, httpClient });
    this.#client = { endpoint: cloud.endpoint, credential, httpClient };
  }

  async look(zone: DnsZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    const wanted = new Set(names);
    if (wanted.size === 0) return [];
    return this.#attempt("list the records of", zone, (open) => {
      // Each name is a question for each type: for a few names of a large zone that is less than to read all of it.
      const isLarge = open.pages !== undefined && open.pages > wanted.size * types.length;
      return isLarge ? this.#getEach(open, [...wanted]) : this.#list(open, wanted);
    });
  }

  async change(zone: DnsZone, changes: readonly RecordSetChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#attempt("change the records of", zone, (open) =>
      changeInWaves(changes, atOnce, (change) => this.#changeOne(open, change)),
    );
  }

  async stop(): Promise<void> {
    this.#ending.abort();
  }

  async #list(open: OpenZone, wanted: ReadonlySet<string>): Promise<readonly RecordSet[]> {
    const found: RecordSet[] = [];
    let pages = 0;
    for await (const page of open.sets.list()) {
      pages++;
      for (const original of page) {
        const set = this.#remember(original, open.zone.domain);
        if (set && wanted.has(set.name)) found.push(set);
      }
    }
    open.pages = pages;
    return found;
  }

  async #getEach(open: OpenZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    const questions = names.flatMap((name) => types.map((type) => ({ name, type })));
    const found = await workOnEach(questions, atOnce, ({ name, type }) => this.#get(open, name, type));
    return found.filter((set) => set !== undefined);
  }

  async #get({ zone, sets }: OpenZone, name: string, type: RecordType): Promise<RecordSet | undefined> {
    try {
      return this.#remember(await sets.get(type, relativeName(name, zone.domain)), zone.domain);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async #changeOne(open: OpenZone, change: RecordSetChange): Promise<void> {
    const { type, set, found } = change;
    const relative = relativeName(set.name, open.zone.domain);
    const etag = found ? await this.#etagOf(open, found) : undefined;
    const ifMatch = etag === undefined ? {} : { ifMatch: etag };
    if (type === "put") {
      const conditions = found === null ? { ifNoneMatch: "*" } : ifMatch;
      await open.sets.put(set.type, relative, renderSet(set), conditions);
    } else if (found !== null) {
      // To remove what is gone is answered with 204.
      await open.sets.remove(set.type, relative, ifMatch);
    }
  }

  async #etagOf(open: OpenZone, found: RecordSet): Promise<string | undefined> {
    const known = this.#etags.get(found);
    if (known !== undefined) return known;
    // It was found by another provider than this one, before the credentials changed.
    const standing = await this.#get(open, found.name, found.type);
    if (!standing || !hasSameValues(standing, found)) {
      throw new DnsError(`${found.type} ${found.name} is no longer what it was`, { isStale: true });
    }
    return this.#etags.get(standing);
  }

  #remember(original: AzureRecordSet, domain: string): RecordSet | undefined {
    const set = plainSet(original, domain);
    if (set && original.etag !== undefined) this.#etags.set(set, original.etag);
    return set;
  }

  #attempt<Result>(doing: string, zone: DnsZone, work: (open: OpenZone) => Promise<Result>): Promise<Result> {
    const failure = (what: string, error: unknown) => azureFailure(what, error, this.#secrets);
    return attempt(doing, zone, failure, async () => work(this.#open(zone)));
  }

  #open(zone: DnsZone): OpenZone {
    const key = zone.id ?? "";
    const known = this.#zones.get(key);
    if (known) return known;
    const parsed = parseZoneId(zone, this.#given);
    const open = { zone: parsed, sets: recordSetsOf(parsed, this.#client, this.#ending.signal) };
    this.#zones.set(key, open);
    return open;
  }
}

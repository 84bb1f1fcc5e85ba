/**
 * Alibaba Cloud DNS, public zones. A zone's id is its domain. It knows records, one at a time; free editions take no TTL below ten minutes, so that is the least unless the setting `minimumTTL` says
 * otherwise.
 */
import {
  AddDomainRecordRequest,
  DeleteDomainRecordRequest,
  DescribeDomainRecordsRequest,
  DescribeSubDomainRecordsRequest,
  UpdateDomainRecordRequest,
} from "@alicloud/alidns20150109";
import {
  DnsError,
  type DnsProvider,
  type DnsProviderInputs,
  type DnsZone,
  type RecordSet,
  type RecordSetChange,
} from "../../provider.ts";
import { workOnEach } from "../bounded-work.ts";
import { secretsOf } from "../failure.ts";
import { findSetting, requireZoneId } from "../given.ts";
import { absoluteName, isRecordType, plainName, plainValue, relativeName } from "../record-values.ts";
import { SingleRecordZone, type RecordStep, type RecordStore, type SingleRecord } from "../single-records.ts";
import { createClient, type AliDnsClient, type AliDnsEndpoint } from "./client.ts";
import { alibabaFailure, isGone } from "./failures.ts";

export function createProvider(given: DnsProviderInputs, endpoint: AliDnsEndpoint = {}): DnsProvider {
  return new AlibabaProvider(given, endpoint);
}

const usualMinimumTtl = 600;
const longestTtl = 86_400;
const pageSize = 500;

class AlibabaProvider implements DnsProvider {
  readonly name = "alibaba";
  readonly maxChanges = 40;
  readonly #client: AliDnsClient;
  readonly #minimumTtl: number;
  readonly #secrets: readonly string[];
  readonly #zones = new Map<string, SingleRecordZone>();

  constructor(given: DnsProviderInputs, endpoint: AliDnsEndpoint) {
    this.#secrets = secretsOf(
      ...["alibaba_access_key_id", "alibaba_access_key_secret", "alibaba_security_token"].map((key) =>
        given.credentials.get(key),
      ),
    );
    this.#minimumTtl = parseMinimumTtl(findSetting(given.settings, "minimumTTL"));
    this.#client = createClient(given, endpoint);
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
      throw alibabaFailure(`${doing} zone ${zone.id ?? ""}`, error, this.#secrets);
    }
  }

  #open(zone: DnsZone): SingleRecordZone {
    const domain = plainName(requireZoneId(zone, "the domain of a zone"));
    const known =
      this.#zones.get(domain) ??
      new SingleRecordZone(new AlibabaZone(this.#client, domain, this.#minimumTtl));
    this.#zones.set(domain, known);
    return known;
  }
}

class AlibabaZone implements RecordStore {
  readonly atOnce = 2;
  readonly #client: AliDnsClient;
  readonly #domain: string;
  readonly #minimumTtl: number;
  /** Pages that the zone had when it was last listed. */
  #pages: number | undefined;

  constructor(client: AliDnsClient, domain: string, minimumTtl: number) {
    this.#client = client;
    this.#domain = domain;
    this.#minimumTtl = minimumTtl;
  }

  ttl(wanted: number): number {
    return Math.min(longestTtl, Math.max(this.#minimumTtl, wanted));
  }

  async list(names: ReadonlySet<string>): Promise<readonly SingleRecord[]> {
    if (this.#pages !== undefined && this.#pages > names.size) {
      const found = await workOnEach([...names], this.atOnce, (name) => this.#listName(name));
      return found.flat();
    }
    const domainName = this.#domain;
    const { records, pages } = await this.#listPages((pageNumber) =>
      this.#client.describeDomainRecords(
        new DescribeDomainRecordsRequest({ domainName, pageNumber, pageSize }),
      ),
    );
    this.#pages = pages;
    return records;
  }

  async perform(steps: readonly RecordStep[]): Promise<void> {
    for (const step of steps) await this.#performOne(step);
  }

  async #performOne({ type: kind, record }: RecordStep): Promise<void> {
    const { name, type, ttl, value } = record;
    const recordId = "id" in record ? record.id : "";
    const wanted = { RR: this.#relative(name), type, value, TTL: ttl };
    switch (kind) {
      case "add":
        await this.#client.addDomainRecord(
          new AddDomainRecordRequest({ domainName: this.#domain, ...wanted }),
        );
        return;
      case "update":
        await this.#client.updateDomainRecord(new UpdateDomainRecordRequest({ recordId, ...wanted }));
        return;
      case "remove":
        await this.#client
          .deleteDomainRecord(new DeleteDomainRecordRequest({ recordId }))
          .catch((error: unknown) => {
            if (!isGone(error)) throw error;
          });
    }
  }

  async #listName(name: string): Promise<readonly SingleRecord[]> {
    const domainName = this.#domain;
    const subDomain = name === domainName ? `@.${name}` : name;
    const { records } = await this.#listPages((pageNumber) =>
      this.#client.describeSubDomainRecords(
        new DescribeSubDomainRecordsRequest({ domainName, subDomain, pageNumber, pageSize }),
      ),
    );
    return records;
  }

  async #listPages(
    get: (page: number) => Promise<AnswerPage>,
  ): Promise<{ readonly records: readonly SingleRecord[]; readonly pages: number }> {
    const records: SingleRecord[] = [];
    let seen = 0;
    for (let page = 1; ; page++) {
      const { body } = await get(page);
      const found = body?.domainRecords?.record ?? [];
      seen += found.length;
      records.push(...found.flatMap((one) => this.#recordOf(one)));
      if (found.length === 0 || seen >= (body?.totalCount ?? 0)) return { records, pages: page };
    }
  }

  #recordOf({ recordId, RR, type, TTL: ttl = 0, value = "" }: AnswerRecord): readonly SingleRecord[] {
    if (!isRecordType(type) || recordId === undefined) return [];
    const name = absoluteName(RR ?? "@", this.#domain);
    return [{ id: recordId, name, type, ttl, value: plainValue(type, value) }];
  }

  #relative(name: string): string {
    const relative = relativeName(name, this.#domain);
    if (relative !== undefined) return relative;
    throw new DnsError(`${name} is not in the zone ${this.#domain}`);
  }
}

interface AnswerRecord {
  readonly recordId?: string;
  readonly RR?: string;
  readonly type?: string;
  readonly TTL?: number;
  readonly value?: string;
}

interface AnswerPage {
  readonly body?: {
    readonly domainRecords?: { readonly record?: readonly AnswerRecord[] };
    readonly totalCount?: number;
  };
}

function parseMinimumTtl(text: string | undefined): number {
  if (text === undefined) return usualMinimumTtl;
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestTtl) return seconds;
  throw new DnsError(`the setting minimumTTL is ${text}, which is no number of seconds up to ${longestTtl}`);
}

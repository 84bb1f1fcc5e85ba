/** The records of a zone: listed in pages, or by name where that is less; changed one at a time. */
import {
  AddDomainRecordRequest,
  DeleteDomainRecordRequest,
  DescribeDomainRecordsRequest,
  DescribeSubDomainRecordsRequest,
  UpdateDomainRecordRequest,
} from "@alicloud/alidns20150109";
import { checkAnswer } from "../answers.ts";
import { workOnEach } from "../bounded-work.ts";
import { absoluteName, isRecordType, plainValue, relativeName } from "../record-values.ts";
import type { RecordStep, RecordStore, SingleRecord } from "../single-records.ts";
import type { AliDnsClient, ChangeAnswer } from "./client.ts";
import { isGone } from "./failures.ts";

export const longestTtl = 86_400;
const pageSize = 500;

export class AlibabaZone implements RecordStore {
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
    const wanted = { RR: relativeName(name, this.#domain), type, value, TTL: ttl };
    switch (kind) {
      case "add":
        checkChange(
          await this.#client.addDomainRecord(
            new AddDomainRecordRequest({ domainName: this.#domain, ...wanted }),
          ),
        );
        return;
      case "update":
        checkChange(
          await this.#client.updateDomainRecord(new UpdateDomainRecordRequest({ recordId, ...wanted })),
        );
        return;
      case "remove":
        await this.#remove(recordId);
    }
  }

  async #remove(recordId: string): Promise<void> {
    try {
      checkChange(await this.#client.deleteDomainRecord(new DeleteDomainRecordRequest({ recordId })));
    } catch (error) {
      if (!isGone(error)) throw error;
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
      checkAnswer(typeof body?.totalCount === "number");
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

function checkChange({ body }: ChangeAnswer): void {
  checkAnswer(body?.requestId !== undefined);
}

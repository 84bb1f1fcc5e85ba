/** DNS Services: private zones. It takes one record at a time, and lists a zone whole. */
import { checkAnswer } from "../answers.ts";
import { isRecordType, plainName, plainValue, type RecordType } from "../record-values.ts";
import type { RecordStep, RecordStore, SingleRecord } from "../single-records.ts";
import type { IbmClient, IbmRequest } from "./client.ts";
import { isGone } from "./failures.ts";

interface ResourceRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: { readonly ip?: string; readonly cname?: string; readonly text?: string };
}

interface Page {
  readonly resource_records?: readonly ResourceRecord[];
  readonly total_count?: number;
}

const recordsPath = "/v1/instances/{instance}/dnszones/{zone}/resource_records";
const pageSize = 200;
/** No others are taken. */
const ttls: readonly number[] = [60, 120, 300, 600, 900, 1800, 3600, 7200, 18_000, 43_200];

export class DnsServicesZone implements RecordStore {
  readonly atOnce = 4;
  readonly #client: IbmClient;
  readonly #path: { readonly instance: string; readonly zone: string };

  constructor(client: IbmClient, instance: string, zone: string) {
    this.#client = client;
    this.#path = { instance, zone };
  }

  ttl(wanted: number): number {
    return ttls.find((ttl) => ttl >= wanted) ?? 43_200;
  }

  async list(): Promise<readonly SingleRecord[]> {
    const records: SingleRecord[] = [];
    for (let offset = 0; ;) {
      const page = (await this.#client.send({
        method: "GET",
        url: recordsPath,
        path: this.#path,
        query: { offset, limit: pageSize },
      })) as Page;
      checkAnswer(Array.isArray(page.resource_records));
      const found = page.resource_records ?? [];
      offset += found.length;
      records.push(...found.flatMap(recordOf));
      if (found.length === 0 || offset >= (page.total_count ?? 0)) return records;
    }
  }

  async perform(steps: readonly RecordStep[]): Promise<void> {
    for (const step of steps) await this.#performOne(step);
  }

  async #performOne({ type: kind, record }: RecordStep): Promise<void> {
    const { name, type, ttl, value } = record;
    const body = { name, ttl, rdata: renderData(type, value) };
    const one = { url: `${recordsPath}/{id}`, path: { ...this.#path, id: "id" in record ? record.id : "" } };
    switch (kind) {
      case "add":
        return this.#put({ method: "POST", url: recordsPath, path: this.#path, body: { ...body, type } });
      case "update":
        return this.#put({ method: "PUT", ...one, body });
      case "remove":
        return this.#remove({ method: "DELETE", ...one });
    }
  }

  async #put(request: IbmRequest): Promise<void> {
    const { id } = (await this.#client.send(request)) as Partial<ResourceRecord>;
    checkAnswer(id !== undefined);
  }

  async #remove(request: IbmRequest): Promise<void> {
    try {
      const answer = await this.#client.send(request);
      checkAnswer(typeof answer !== "string" || answer === "");
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

function recordOf({ id, name, type, ttl, rdata }: ResourceRecord): readonly SingleRecord[] {
  if (!isRecordType(type)) return [];
  const value = plainValue(type, rdata.ip ?? rdata.cname ?? rdata.text ?? "");
  return [{ id, name: plainName(name), type, ttl, value }];
}

function renderData(type: RecordType, value: string): ResourceRecord["rdata"] {
  if (type === "TXT") return { text: value };
  return type === "CNAME" ? { cname: value } : { ip: value };
}

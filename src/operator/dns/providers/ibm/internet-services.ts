/** Internet Services (CIS): public zones. All steps of a change are one batch, which is carried out entirely or not at all. */
import { checkAnswer } from "../answers.ts";
import { workOnEach } from "../bounded-work.ts";
import { isRecordType, plainName, plainValue } from "../record-values.ts";
import type { RecordStep, RecordStore, SingleRecord } from "../single-records.ts";
import { quoteText, unquoteText } from "../txt-values.ts";
import type { IbmClient } from "./client.ts";

interface CisRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
}

interface CisPage {
  readonly success?: boolean;
  readonly result?: readonly CisRecord[] | null;
  readonly result_info?: { readonly total_count?: number };
}

const recordsPath = "/v1/{crn}/zones/{zone}/dns_records";
const pageSize = 100;
const shortestTtl = 120;
const longestTtl = 86_400;
const atOnce = 4;

export class InternetServicesZone implements RecordStore {
  readonly #client: IbmClient;
  readonly #path: { readonly crn: string; readonly zone: string };
  /** Pages that the zone had when it was last listed. */
  #pages: number | undefined;

  constructor(client: IbmClient, crn: string, zone: string) {
    this.#client = client;
    this.#path = { crn, zone };
  }

  ttl(wanted: number): number {
    return Math.min(longestTtl, Math.max(shortestTtl, wanted));
  }

  async list(names: ReadonlySet<string>): Promise<readonly SingleRecord[]> {
    if (this.#pages !== undefined && this.#pages > names.size) {
      const found = await workOnEach(
        [...names],
        atOnce,
        async (name) => (await this.#listAll({ name })).records,
      );
      return found.flat();
    }
    const { records, pages } = await this.#listAll({});
    this.#pages = pages;
    return records;
  }

  async perform(steps: readonly RecordStep[]): Promise<void> {
    const deletes = steps.flatMap((step) => (step.type === "remove" ? [{ id: step.record.id }] : []));
    const puts = steps.flatMap((step) =>
      step.type === "update" ? [{ id: step.record.id, ...render(step.record) }] : [],
    );
    const posts = steps.flatMap((step) => (step.type === "add" ? [render(step.record)] : []));
    const answer = (await this.#client.send({
      method: "POST",
      url: `${recordsPath}/batch`,
      path: this.#path,
      body: {
        ...(deletes.length > 0 && { deletes }),
        ...(puts.length > 0 && { puts }),
        ...(posts.length > 0 && { posts }),
      },
    })) as CisPage;
    checkAnswer(answer.success === true);
  }

  async #listAll(filter: { readonly name?: string }): Promise<{ records: SingleRecord[]; pages: number }> {
    const records: SingleRecord[] = [];
    let seen = 0;
    for (let page = 1; ; page++) {
      const answer = (await this.#client.send({
        method: "GET",
        url: recordsPath,
        path: this.#path,
        query: { page, per_page: pageSize, ...filter },
      })) as CisPage;
      checkAnswer(answer.success === true && Array.isArray(answer.result));
      const found = answer.result ?? [];
      seen += found.length;
      records.push(...found.flatMap(recordOf));
      if (found.length === 0 || seen >= (answer.result_info?.total_count ?? 0))
        return { records, pages: page };
    }
  }
}

function recordOf({ id, name, type, ttl, content }: CisRecord): readonly SingleRecord[] {
  if (!isRecordType(type)) return [];
  const value = type === "TXT" ? unquoteText(content) : plainValue(type, content);
  return [{ id, name: plainName(name), type, ttl, value }];
}

function render({ name, type, ttl, value }: Omit<SingleRecord, "id">) {
  const content = type === "TXT" ? quoteText(value) : value;
  return { name, type, ttl, content, ...(type !== "TXT" && { proxied: false }) };
}

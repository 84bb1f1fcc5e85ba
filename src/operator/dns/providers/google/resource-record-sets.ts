/** The two requests that are made of a zone, by the SDK's own way to make them: what comes back is looked at before it is believed. */
import type { Zone } from "@google-cloud/dns";
import { checkAnswer } from "../answers.ts";

export interface GoogleRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number;
  readonly rrdatas?: readonly string[];
}

interface ListAnswer {
  readonly kind?: string;
  readonly rrsets?: readonly GoogleRecord[];
  readonly nextPageToken?: string;
}

export async function* listRecords(
  zone: Zone,
  filter: { readonly name?: string },
): AsyncGenerator<readonly GoogleRecord[]> {
  let pageToken: string | undefined;
  do {
    const qs = { ...filter, ...(pageToken !== undefined && { pageToken }) };
    const [answer] = (await zone.request({ uri: "/rrsets", qs })) as [ListAnswer | undefined, unknown];
    const records = answer?.rrsets ?? [];
    checkAnswer(answer?.kind === "dns#resourceRecordSetsListResponse" && Array.isArray(records));
    yield records;
    pageToken = answer?.nextPageToken;
  } while (pageToken !== undefined);
}

export async function postChange(
  zone: Zone,
  change: { readonly additions: readonly GoogleRecord[]; readonly deletions: readonly GoogleRecord[] },
): Promise<void> {
  const [answer] = (await zone.request({ method: "POST", uri: "/changes", json: change })) as [
    { readonly kind?: string } | undefined,
    unknown,
  ];
  checkAnswer(answer?.kind === "dns#change");
}

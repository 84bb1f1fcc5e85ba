/**
 * Google Cloud DNS, public and private zones alike. A zone is `projects/PROJECT/managedZones/ZONE`, or the zone's name in the project of the settings.
 *
 * `change` is one Change, all or none. What is replaced or removed is deleted exactly as it was found, which Google refuses if it is no longer so.
 */
import type { Zone } from "@google-cloud/dns";
import {
  DnsError,
  type DnsProvider,
  type DnsProviderInputs,
  type DnsZone,
  type RecordSet,
  type RecordSetChange,
} from "../../provider.ts";
import { workOnEach } from "../bounded-work.ts";
import { attempt, secretsOf } from "../failure.ts";
import { findSetting, requireZoneId } from "../given.ts";
import { hasSameValues, isRecordType, keyOfSet, plainName, plainValue } from "../record-values.ts";
import { quoteText, unquoteText } from "../txt-values.ts";
import { listRecords, postChange, type GoogleRecord } from "./resource-record-sets.ts";
import { createClient, credentialsOf, type ClientOptions, type GoogleCredentials } from "./client.ts";
import { googleFailure } from "./failures.ts";

export function createProvider(
  given: DnsProviderInputs,
  options: Pick<ClientOptions, "redirect"> = {},
): DnsProvider {
  return new GoogleProvider(given, options);
}

const zonePath = /^projects\/([a-z0-9.:-]+)\/managedZones\/([a-z0-9-]+)$/;
const zoneName = /^[a-z0-9-]+$/;
const atOnce = 4;

interface OpenZone {
  readonly zone: Zone;
  /** Pages that it had when it was last listed. */
  pages?: number;
}

class GoogleProvider implements DnsProvider {
  readonly name = "google";
  readonly maxChanges = 200;
  readonly #options: Pick<ClientOptions, "redirect">;
  readonly #credentials: GoogleCredentials;
  readonly #project: string | undefined;
  readonly #secrets: readonly string[];
  readonly #zones = new Map<string, Promise<OpenZone>>();
  /** What a set that was found looks like to Google. */
  readonly #standing = new WeakMap<RecordSet, GoogleRecord>();

  constructor(given: DnsProviderInputs, options: Pick<ClientOptions, "redirect">) {
    this.#options = options;
    this.#credentials = credentialsOf(given);
    const { private_key: key, private_key_id: keyId, project_id: project } = this.#credentials;
    this.#secrets = secretsOf(...[key, keyId].filter((value) => typeof value === "string"));
    this.#project =
      findSetting(given.settings, "project") ?? (typeof project === "string" ? project : undefined);
  }

  async look(zone: DnsZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    const wanted = new Set(names);
    if (wanted.size === 0) return [];
    return this.#attempt("list the records of", zone, async (open) => {
      const isLarge = open.pages !== undefined && open.pages > wanted.size;
      return isLarge ? this.#lookEach(open, [...wanted]) : this.#list(open, wanted);
    });
  }

  async change(zone: DnsZone, changes: readonly RecordSetChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#attempt("change the records of", zone, async (open) => {
      const unseen = changes.filter(({ found }) => found === undefined).map(({ set }) => set.name);
      const now = await this.#lookEach(open, [...new Set(unseen)]);
      const additions: GoogleRecord[] = [];
      const deletions: GoogleRecord[] = [];
      for (const { type, set, found } of changes) {
        const before =
          found === undefined ? now.find((one) => keyOfSet(one) === keyOfSet(set)) : (found ?? undefined);
        if (type === "put" && found === undefined && before && isSame(before, set)) continue;
        if (before) deletions.push(this.#standing.get(before) ?? recordOf(before));
        if (type === "put") additions.push(recordOf(set));
      }
      if (additions.length + deletions.length === 0) return;
      await postChange(open.zone, { additions, deletions });
    });
  }

  async stop(): Promise<void> {
    this.#zones.clear();
  }

  async #list(open: OpenZone, wanted: ReadonlySet<string>): Promise<readonly RecordSet[]> {
    const found: RecordSet[] = [];
    let pages = 0;
    for await (const page of listRecords(open.zone, {})) {
      pages++;
      found.push(...this.#remember(page).filter(({ name }) => wanted.has(name)));
    }
    open.pages = pages;
    return found;
  }

  async #lookEach({ zone }: OpenZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    const found = await workOnEach(names, atOnce, async (name) => {
      const records: RecordSet[] = [];
      for await (const page of listRecords(zone, { name: `${name}.` })) records.push(...this.#remember(page));
      return records;
    });
    return found.flat();
  }

  #remember(records: readonly GoogleRecord[]): readonly RecordSet[] {
    return records.flatMap((record) => {
      const set = setOf(record);
      if (set) this.#standing.set(set, record);
      return set ? [set] : [];
    });
  }

  #attempt<Result>(doing: string, zone: DnsZone, work: (open: OpenZone) => Promise<Result>): Promise<Result> {
    const failure = (what: string, error: unknown) => googleFailure(what, error, this.#secrets);
    return attempt(doing, zone, failure, async () => work(await this.#open(zone)));
  }

  #open(zone: DnsZone): Promise<OpenZone> {
    const id = requireZoneId(zone, "projects/PROJECT/managedZones/ZONE");
    const known = this.#zones.get(id) ?? this.#openAnew(id);
    this.#zones.set(id, known);
    return known;
  }

  async #openAnew(id: string): Promise<OpenZone> {
    const [, project = this.#project, name = zoneName.test(id) ? id : undefined] = zonePath.exec(id) ?? [];
    if (name === undefined) throw new DnsError(`${id} is no zone, as in projects/PROJECT/managedZones/ZONE`);
    if (project === undefined) throw new DnsError("the setting project is missing");
    const client = await createClient({ credentials: this.#credentials, project, ...this.#options });
    return { zone: client.zone(name) };
  }
}

/** Undefined: it is of a type that is none of ours. One that is answered by a routing policy has no values of its own. */
function setOf({ name, type, ttl = 0, rrdatas = [] }: GoogleRecord): RecordSet | undefined {
  if (!isRecordType(type)) return undefined;
  const values = rrdatas.map((value) => (type === "TXT" ? unquoteText(value) : plainValue(type, value)));
  return { name: plainName(name), type, ttl, values };
}

function recordOf({ name, type, ttl, values }: RecordSet): GoogleRecord {
  const rrdatas = values.map((value) => {
    if (type === "TXT") return quoteText(value);
    return type === "CNAME" ? `${value}.` : value;
  });
  return { name: `${name}.`, type, ttl, rrdatas };
}

function isSame(a: RecordSet, b: RecordSet): boolean {
  return a.ttl === b.ttl && hasSameValues(a, b);
}

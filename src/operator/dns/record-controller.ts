/*
 * Keeps the DNSRecords of Gateways. A round looks at every Gateway of which hostnames, addresses or DNSRecords have changed: what is missing is made, what differs
 * is put right, what belongs to no listener any more goes. When hostnames have changed, what there is to go is asked of the API server itself: a record that was made
 * a moment ago may not have been seen yet.
 */
import { deepEqual } from "../../incremental/index.ts";
import { KubernetesError, type KubernetesClient, type KubernetesObject } from "../../kubernetes/index.ts";
import { messageOf } from "../error-message.ts";
import { desiredRecords } from "./desired-records.ts";
import { admitsNamespace, keepsRecords, type DnsDialect, type DnsSettings } from "./dns-settings.ts";
import type { GatewayView } from "./gateway-view.ts";
import { domainOf, keyOf, specOf } from "./record-facts.ts";

export interface RecordControllerOptions {
  readonly client: KubernetesClient;
  readonly dialect: DnsDialect;
  readonly view: Pick<GatewayView, "get" | "isOwn" | "lacksClass" | "serviceOf" | "hostnamesOf" | "all">;
  readonly canWrite: () => boolean;
  readonly ask: () => void;
  readonly trouble: (where: string, message: string | undefined) => void;
  readonly written: (what: string) => void;
}

/** The DNSRecords of a Gateway, by its label, as the API server has them. */
type LiveReader = (labelled: string) => Promise<readonly KubernetesObject[]>;

const atOnce = 16;
const firstPause = 500;
const longestPause = 30_000;

export class RecordController {
  readonly #options: RecordControllerOptions;
  /** DNSRecords by `<namespace>/<value of the Gateway's label>`, then by their own keys. */
  readonly #records = new Map<string, Map<string, KubernetesObject>>();
  readonly #dirty = new Set<string>();
  readonly #labels = new Map<string, string>();
  /** Of Gateways of ours, as they were in the last round. */
  readonly #hostnames = new Map<string, string>();
  readonly #troubles = new Map<string, string>();
  #settings: DnsSettings | undefined;
  #failures = 0;

  constructor(options: RecordControllerOptions) {
    this.#options = options;
  }

  use(settings: DnsSettings): void {
    this.#settings = settings;
    this.lookAtAll();
  }

  lookAtAll(): void {
    for (const gateway of this.#options.view.all()) this.#dirty.add(keyOf(gateway));
    // Of Gateways that are gone there may still be records.
    for (const labelled of this.#records.keys()) this.#dirty.add(labelled);
    this.#options.ask();
  }

  gatewayChanged(key: string): void {
    this.#dirty.add(key);
    this.#options.ask();
  }

  /** Returns the Gateways that it concerns. */
  recordChanged(
    key: string,
    after: KubernetesObject | undefined,
    before: KubernetesObject | undefined,
  ): readonly string[] {
    const [from, to] = [before, after].map((record) => record && this.#labelledBy(record));
    if (from !== undefined && from !== to) this.#records.get(from)?.delete(key);
    if (from !== undefined && this.#records.get(from)?.size === 0) this.#records.delete(from);
    if (to !== undefined && after) {
      const records = this.#records.get(to) ?? new Map<string, KubernetesObject>();
      this.#records.set(to, records.set(key, after));
    }
    const concerned = [from, to].filter((labelled) => labelled !== undefined);
    const gateways = [...new Set(concerned)].map((labelled) => this.#gatewayOf(labelled));
    // Its status is none of our business.
    const isSame =
      before?.metadata.generation === after?.metadata.generation &&
      before?.metadata.deletionTimestamp === after?.metadata.deletionTimestamp &&
      deepEqual(before?.metadata.labels, after?.metadata.labels) &&
      deepEqual(before?.metadata.ownerReferences, after?.metadata.ownerReferences);
    if (isSame) return gateways;
    for (const gateway of gateways) this.#dirty.add(gateway);
    this.#options.ask();
    return gateways;
  }

  /** By the label that says whose they are. */
  recordsOf(gateway: KubernetesObject): readonly KubernetesObject[] {
    return [...(this.#records.get(this.#labelFor(gateway, keyOf(gateway)))?.values() ?? [])];
  }

  async round(): Promise<number | undefined> {
    const settings = this.#settings;
    if (!settings || !this.#options.canWrite() || !keepsRecords(settings)) return undefined;
    const keys = [...this.#dirty];
    this.#dirty.clear();
    const readLive = this.#liveReader(keys.length);
    let hasFailed = false;
    const worker = async () => {
      for (let key = keys.shift(); key !== undefined && this.#options.canWrite(); key = keys.shift()) {
        try {
          await this.#keep(key, settings, readLive);
        } catch (error) {
          hasFailed = true;
          this.#dirty.add(key);
          // Somebody else was faster: the next round sees what they wrote.
          if (!(error instanceof KubernetesError && error.isConflict)) this.#tell(key, messageOf(error));
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    for (const key of keys) this.#dirty.add(key);
    this.#failures = hasFailed ? this.#failures + 1 : 0;
    return hasFailed ? Math.min(firstPause * 2 ** this.#failures, longestPause) : undefined;
  }

  async #keep(key: string, settings: DnsSettings, readLive: LiveReader): Promise<void> {
    const { view, dialect } = this.#options;
    const gateway = view.get(key);
    const [namespace = ""] = key.split("/");
    const isOwn = gateway !== undefined && view.isOwn(gateway);
    // Without its class it keeps what serves it, and so its names. Another controller's has records of its own; those of one that was ours
    // until now are still ours to remove.
    if (gateway && !isOwn && (view.lacksClass(gateway) || !this.#hostnames.has(key))) return;
    const isOurs =
      isOwn && gateway.metadata.deletionTimestamp === undefined && admitsNamespace(settings, namespace);
    const service = isOurs ? view.serviceOf(gateway) : undefined;
    const labelled = this.#labelFor(gateway, key);
    const live = this.#records.get(labelled) ?? new Map<string, KubernetesObject>();
    const standing = new Set([...live.values()].map(domainOf));
    const hostnames = isOurs ? view.hostnamesOf(gateway, (one) => standing.has(one)) : [];
    const { records, problem } = service
      ? desiredRecords({ gateway: gateway as KubernetesObject, hostnames, service }, settings, dialect)
      : { records: [], problem: undefined };
    for (const record of records) await this.#ensure(record, live.get(keyOf(record)));
    const before = this.#hostnames.get(key);
    const now = JSON.stringify(hostnames);
    // Of a Gateway that is gone, what was not seen yet goes when it is.
    const isNews = gateway !== undefined && before !== undefined && before !== now;
    await this.#removeStale(records, isNews ? await readLive(labelled) : [...live.values()]);
    if (isOwn) this.#hostnames.set(key, now);
    else this.#hostnames.delete(key);
    this.#tell(key, problem);
  }

  async #ensure(wanted: KubernetesObject, live: KubernetesObject | undefined): Promise<void> {
    const { client, dialect, written } = this.#options;
    const what = `DNSRecord ${keyOf(wanted)}`;
    if (!live) {
      try {
        await client.create(dialect.records, wanted);
        written(`${what} created`);
        return;
      } catch (error) {
        if (!(error instanceof KubernetesError && error.isAlreadyExists)) throw error;
        const { name, namespace } = wanted.metadata;
        const found = await client.get(dialect.records, name, namespace);
        // It is made again when this one is gone.
        if (!found || found.metadata.deletionTimestamp !== undefined) return;
        if (!isMade(found))
          throw new Error(`DNSRecord ${keyOf(wanted)} is somebody else's: delete it or rename it`, {
            cause: error,
          });
        return this.#ensure(wanted, found);
      }
    }
    if (live.metadata.deletionTimestamp !== undefined || isAsWanted(wanted, live)) return;
    if (specOf(wanted).dnsName !== specOf(live).dnsName) {
      await this.#delete(live);
      return;
    }
    const { labels, ownerReferences } = wanted.metadata;
    const metadata = { ...live.metadata, labels: { ...live.metadata.labels, ...labels }, ownerReferences };
    await client.replace(dialect.records, { ...live, metadata, spec: wanted["spec"] } as KubernetesObject);
    written(`${what} updated`);
  }

  async #removeStale(wanted: readonly KubernetesObject[], live: readonly KubernetesObject[]): Promise<void> {
    const names = new Set(wanted.map(keyOf));
    for (const record of live) {
      const isStale =
        !names.has(keyOf(record)) && record.metadata.deletionTimestamp === undefined && isMade(record);
      if (isStale) await this.#delete(record);
    }
  }

  async #delete(record: KubernetesObject): Promise<void> {
    const { client, dialect, written } = this.#options;
    const { name, namespace, uid } = record.metadata;
    await client.delete(dialect.records, name, namespace, uid === undefined ? {} : { uid });
    written(`DNSRecord ${keyOf(record)} deleted`);
  }

  /** For one round. The API server looks at all DNSRecords of a namespace to find those of one Gateway, so of several Gateways all are asked for once. */
  #liveReader(gateways: number): LiveReader {
    const { client, dialect } = this.#options;
    const list = async (namespace: string, labelSelector: string) =>
      (await client.list(dialect.records, { namespace, labelSelector })).items;
    const shared = new Map<string, Promise<readonly KubernetesObject[]>>();
    return async (labelled) => {
      const [namespace = "", value = ""] = labelled.split("/");
      if (gateways === 1) return list(namespace, `${dialect.gatewayLabel}=${value}`);
      const all = shared.get(namespace) ?? list(namespace, dialect.gatewayLabel);
      shared.set(namespace, all);
      return (await all).filter((record) => this.#labelledBy(record) === labelled);
    };
  }

  /** A label has no room for every name, so its value is what the Service has. */
  #labelFor(gateway: KubernetesObject | undefined, key: string): string {
    const { view, dialect } = this.#options;
    const service = gateway && view.serviceOf(gateway);
    const value = service?.metadata.labels?.[dialect.gatewayLabel];
    const [namespace = ""] = key.split("/");
    if (value !== undefined && `${namespace}/${value}` !== key)
      this.#labels.set(key, `${namespace}/${value}`);
    const known = this.#labels.get(key) ?? key;
    if (!gateway) this.#labels.delete(key);
    return known;
  }

  #gatewayOf(labelled: string): string {
    return [...this.#labels].find(([, value]) => value === labelled)?.[0] ?? labelled;
  }

  #labelledBy({ metadata }: KubernetesObject): string | undefined {
    const value = metadata.labels?.[this.#options.dialect.gatewayLabel];
    return value === undefined ? undefined : `${metadata.namespace ?? ""}/${value}`;
  }

  #tell(gateway: string, problem: string | undefined): void {
    if (this.#troubles.get(gateway) === problem) return;
    if (problem === undefined) this.#troubles.delete(gateway);
    else this.#troubles.set(gateway, problem);
    this.#options.trouble(`DNSRecords of Gateway ${gateway}`, problem);
  }
}

/** By us, for a Service: others' records are theirs. */
function isMade({ metadata }: KubernetesObject): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind }) => apiVersion === "v1" && kind === "Service",
  );
}

function isAsWanted({ metadata, spec }: KubernetesObject, live: KubernetesObject): boolean {
  const labels = live.metadata.labels ?? {};
  return (
    deepEqual(spec, live["spec"]) &&
    Object.entries(metadata.labels ?? {}).every(
      ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
    ) &&
    deepEqual(metadata.ownerReferences, live.metadata.ownerReferences)
  );
}

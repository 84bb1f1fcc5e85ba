/**
 * Dynamic update (RFC 2136) with signatures (RFC 8945) over TCP: BIND, Knot, PowerDNS, and whoever else speaks it. A zone's id is its domain.
 *
 * A query cannot tell a name's own records from those that a wildcard lends it, so what was found is asked for once more by a prerequisite, which can.
 */
import { isWithin } from "../../domain-name.ts";
import {
  DnsError,
  type DnsProvider,
  type DnsProviderInputs,
  type DnsZone,
  type RecordSet,
  type RecordSetChange,
} from "../../provider.ts";
import { ConnectionError, ServerConnection } from "./server-connection.ts";
import { keyOf, serverOf } from "./settings.ts";
import { TsigError, type TsigKey } from "./tsig.ts";
import { renderInUse, renderStanding, renderUpdate } from "./update-message.ts";
import {
  classes,
  decodeData,
  encodeMessage,
  opcodes,
  types,
  WireError,
  type DataType,
  type Message,
  type ResourceRecord,
} from "./wire-format.ts";

export function createProvider(given: DnsProviderInputs): DnsProvider {
  return new Rfc2136Provider(given);
}

const rcodes: readonly string[] = [
  "NOERROR",
  "FORMERR",
  "SERVFAIL",
  "NXDOMAIN",
  "NOTIMP",
  "REFUSED",
  "YXDOMAIN",
  "YXRRSET",
  "NXRRSET",
  "NOTAUTH",
  "NOTZONE",
];
const noError = 0;
const nameMissing = 3;
const refused = 5;
const notAuthoritative = 9;
/** Of prerequisites that do not hold. */
const unmet = new Set([3, 6, 7, 8]);
const longestMessage = 60_000;

class Rfc2136Provider implements DnsProvider {
  readonly name = "rfc2136";
  readonly maxChanges = 200;
  readonly #settings: DnsProviderInputs["settings"];
  readonly #key: TsigKey | undefined;
  readonly #connections = new Map<string, ServerConnection>();

  constructor({ credentials, settings }: DnsProviderInputs) {
    this.#settings = settings;
    this.#key = keyOf(credentials);
  }

  async look(zone: DnsZone, names: readonly string[]): Promise<readonly RecordSet[]> {
    const domain = domainOf(zone);
    // Of names that are not the zone's the server knows nothing, and refuses to say so; the others are not to suffer.
    const own = [...new Set(names)].filter((name) => isWithin(name, domain));
    const found = await Promise.all(own.map((name) => this.#lookOne(zone, name)));
    return found.flat();
  }

  async change(zone: DnsZone, changes: readonly RecordSetChange[]): Promise<void> {
    if (changes.length === 0) return;
    const domain = domainOf(zone);
    if (renderUpdate(0, domain, changes).length > longestMessage && changes.length > 1) {
      const half = Math.ceil(changes.length / 2);
      await this.change(zone, changes.slice(0, half));
      return this.change(zone, changes.slice(half));
    }
    const { rcode } = await this.#ask(zone, (id) => renderUpdate(id, domain, changes));
    if (unmet.has(rcode)) {
      throw new DnsError(`something else stands there than before (${rcodes[rcode]})`, { isStale: true });
    }
    if (rcode !== noError) throw this.#refusal(zone, rcode);
    await this.#confirmAliases(zone, domain, changes);
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections.values()) connection.stop();
    this.#connections.clear();
  }

  /** A server leaves out, without a word, a CNAME at a name that has other records. */
  async #confirmAliases(zone: DnsZone, domain: string, changes: readonly RecordSetChange[]): Promise<void> {
    const put = changes.filter(({ type, set }) => type === "put" && set.type === "CNAME");
    if (put.length === 0) return;
    const sets = put.map(({ set }) => set);
    const { rcode } = await this.#ask(zone, (id) => renderStanding(id, domain, sets));
    if (unmet.has(rcode)) {
      const names = sets.map(({ name }) => name).join(", ");
      throw new DnsError(`a CNAME was left out, since its name has records of other types: ${names}`);
    }
    if (rcode !== noError) throw this.#refusal(zone, rcode);
  }

  async #lookOne(zone: DnsZone, name: string): Promise<readonly RecordSet[]> {
    const domain = domainOf(zone);
    const answer = await this.#askAgain(zone, (id) =>
      encodeMessage({ id, opcode: opcodes.query, question: { name, type: types.ANY, class: classes.IN } }),
    );
    if (answer.rcode === nameMissing) return [];
    if (answer.rcode !== noError) throw this.#refusal(zone, answer.rcode);
    const sets = recordSets(name, answer.answers);
    if (sets.length === 0 || name.startsWith("*.")) return sets;
    const { rcode } = await this.#askAgain(zone, (id) => renderInUse(id, domain, name));
    if (rcode === nameMissing) return [];
    if (rcode !== noError) throw this.#refusal(zone, rcode);
    return sets;
  }

  /** Questions do no harm twice: the server may have closed an idle connection. */
  async #askAgain(zone: DnsZone, render: (id: number) => Buffer): Promise<Message> {
    try {
      return await this.#ask(zone, render);
    } catch (error) {
      if (!(error instanceof DnsError && error.cause instanceof ConnectionError)) throw error;
      return await this.#ask(zone, render);
    }
  }

  async #ask(zone: DnsZone, render: (id: number) => Buffer): Promise<Message> {
    const address = serverOf(zone, this.#settings);
    const place = `${address.host} ${address.port}`;
    const connection = this.#connections.get(place) ?? new ServerConnection({ address, key: this.#key });
    this.#connections.set(place, connection);
    try {
      return await connection.ask(render);
    } catch (error) {
      if (error instanceof TsigError) {
        const key = this.#key ? `key ${this.#key.name} (${this.#key.algorithm}): ` : "";
        throw new DnsError(`${key}${error.message}`, { isDenied: error.isDenied, cause: error });
      }
      const isOurs = error instanceof ConnectionError || error instanceof WireError;
      throw isOurs ? new DnsError(error.message, { cause: error }) : error;
    }
  }

  #refusal(zone: DnsZone, rcode: number): DnsError {
    const { host, port } = serverOf(zone, this.#settings);
    const said = rcodes[rcode] ?? `rcode ${rcode}`;
    const who = this.#key ? `key ${this.#key.name}` : "whoever has no key";
    const why =
      rcode === refused
        ? `: it does not let ${who} do this`
        : rcode === notAuthoritative
          ? `: it is not the primary of the zone, or does not let ${who} do this`
          : "";
    return new DnsError(`${host}:${port} answered ${said} for zone ${domainOf(zone)}${why}`, {
      isDenied: rcode === refused || rcode === notAuthoritative,
    });
  }
}

function domainOf({ id }: DnsZone): string {
  const domain = id?.toLowerCase().replace(/[.]$/, "");
  if (!domain) throw new DnsError("the zone has no id: with rfc2136 it is the zone's domain");
  return domain;
}

function recordSets(name: string, records: readonly ResourceRecord[]): readonly RecordSet[] {
  return (["A", "AAAA", "CNAME", "TXT"] as const).flatMap((type: DataType) => {
    const own = records.filter((record) => record.name === name && record.type === types[type]);
    if (own.length === 0) return [];
    const values = own.map(({ data }) => decodeData(type, data)).toSorted();
    return [{ name, type, ttl: own[0]?.ttl ?? 0, values }];
  });
}

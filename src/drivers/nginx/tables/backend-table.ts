/*
 * Backends with their endpoints, as the scripts read them. Where a certificate that should be trusted or shown is not there, a backend has no endpoints:
 * nothing is sent to it.
 */
import { isIPv6 } from "node:net";
import type { Backend, Endpoint } from "../../../model/index.ts";
import type { DataFolder } from "../data/data-folder.ts";
import { identifierOf } from "../data/identifier.ts";
import { endpointName } from "../data/session-secret.ts";
import type { Slots } from "../data/slots.ts";
import type { CertificateTable } from "./certificate-table.ts";
import type { AddressBook } from "./address-book.ts";
import type { Trusts } from "./trusts.ts";

/** `isPlain`: HTTP/1.1 in the clear. */
type SlotOf = (mode: string, address: string, isPlain: boolean) => number;

interface Written {
  readonly identities: readonly string[];
  readonly text: string;
}

export interface BackendTableOptions {
  readonly data: DataFolder;
  readonly slots: Slots;
  readonly certificates: CertificateTable;
  readonly trusts: Trusts;
  readonly addresses: AddressBook;
  readonly sessionSecret: string;
  /** Those of a backend's endpoints that may get traffic. */
  readonly wellOf: (key: string, endpoints: readonly Endpoint[]) => readonly Endpoint[];
}

export class BackendTable {
  readonly #options: BackendTableOptions;
  readonly #backends = new Map<string, Backend>();
  readonly #endpoints = new Map<string, readonly Endpoint[]>();
  readonly #written = new Map<string, Written>();
  readonly #grpcUses = new Map<string, number>();

  constructor(options: BackendTableOptions) {
    this.#options = options;
  }

  get(key: string): Backend | undefined {
    return this.#backends.get(key);
  }

  get size(): number {
    return this.#backends.size;
  }

  keys(): IterableIterator<string> {
    return this.#backends.keys();
  }

  set(key: string, backend: Backend | undefined): void {
    if (backend) this.#backends.set(key, backend);
    else this.#backends.delete(key);
  }

  setEndpoints(key: string, endpoints: readonly Endpoint[] | undefined): void {
    if (endpoints) this.#endpoints.set(key, endpoints);
    else this.#endpoints.delete(key);
  }

  endpointsOf(key: string): readonly Endpoint[] | undefined {
    return this.#endpoints.get(key);
  }

  /** Names that have to be looked up for the endpoints of a backend. */
  namesOf(key: string): readonly string[] {
    return (this.#endpoints.get(key) ?? []).map(({ address }) => address);
  }

  /** One more, or one less, that speaks gRPC to a backend: whether that makes a difference. */
  countGrpc(key: string, difference: 1 | -1): boolean {
    const before = this.#grpcUses.get(key) ?? 0;
    const after = before + difference;
    if (after === 0) this.#grpcUses.delete(key);
    else this.#grpcUses.set(key, after);
    return (before === 0) !== (after === 0);
  }

  /** The number of the trusted authorities; `undefined` without TLS, or where nothing is trusted. */
  trustOf(backend: Backend): number | undefined {
    return backend.tls ? this.#options.trusts.numberOf(backend.tls.trusted) : undefined;
  }

  isUsable({ tls }: Backend): boolean {
    if (!tls) return true;
    const { certificates, trusts } = this.#options;
    if (tls.hostname === undefined || tls.subjectAltNames.length > 0) return false;
    if (!trusts.isUsable(tls.trusted)) return false;
    return (
      tls.clientCertificate === undefined || certificates.get(tls.clientCertificate)?.privateKey !== undefined
    );
  }

  /** Takes away counts of retries that no budget looks at any more. */
  sweepBudgets(): void {
    const lengths = Array.from(this.#backends.values(), ({ retryBudget: budget }) =>
      budget ? Math.max(budget.interval, budget.minInterval) : 0,
    );
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    if (longest > 0) this.#options.data.sweep("budget", longest * 1.2 + 1_000);
  }

  /** Reserves what the endpoints need; `write` then puts it in force. */
  prepare(key: string): () => void {
    const { data, slots } = this.#options;
    const backend = this.#backends.get(key);
    const name = `backend/${identifierOf(key)}`;
    const before = this.#written.get(key);
    if (!backend) {
      return () => {
        data.remove(name);
        this.#written.delete(key);
        for (const identity of before?.identities ?? []) this.#leave(identity);
      };
    }
    const identities: string[] = [];
    const slotOf: SlotOf = (mode, address, isPlain) => {
      const identity = `${mode} ${address}`;
      identities.push(identity);
      const { slot, isNew } = slots.hold(identity);
      if (isNew) data.write(`slot/${slot}`, `${isPlain ? "h" : "x"}${address}`);
      return slot;
    };
    const text = this.#render(backend, slotOf);
    if (backend.retryBudget) data.makeFolder(`${data.path}/budget/${identifierOf(key)}`);
    return () => {
      if (before?.text !== text) data.write(name, text);
      this.#written.set(key, { identities, text });
      for (const identity of before?.identities ?? []) this.#leave(identity);
    };
  }

  #leave(identity: string): void {
    const { slots, data } = this.#options;
    const slot = slots.release(identity);
    if (slot !== undefined) data.remove(`slot/${slot}`);
  }

  #render(backend: Backend, slotOf: SlotOf): string {
    const { certificates, sessionSecret, addresses, wellOf } = this.#options;
    const { key, protocol, tls } = backend;
    const isHttp = protocol === "http" || protocol === "h2c";
    const secure = tls ? `${this.trustOf(backend) ?? ""} ${tls.hostname} ${tls.clientCertificate ?? ""}` : "";
    const given = this.isUsable(backend) ? wellOf(key, this.#endpoints.get(key) ?? []) : [];
    const places = given.flatMap(({ address, port }) => addresses.of(address).map((ip) => placeOf(ip, port)));
    const isGrpcToo = protocol === "http" && this.#grpcUses.has(key);
    const endpoints = [...new Set(places)].map((address) => ({
      address,
      name: endpointName(sessionSecret, key, address),
      ...(isHttp ? { slot: slotOf(`${protocol} ${secure}`, address, protocol === "http" && !tls) } : {}),
      ...(isGrpcToo ? { grpcSlot: slotOf(`h2c ${secure}`, address, false) } : {}),
    }));
    const certificate = tls?.clientCertificate ? certificates.get(tls.clientCertificate)?.file : undefined;
    return JSON.stringify({
      key,
      speaksHttp2: protocol === "h2c",
      trust: this.trustOf(backend),
      tls: tls ? { hostname: tls.hostname, certificate } : undefined,
      budget: backend.retryBudget,
      endpoints,
    });
  }
}

function placeOf(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

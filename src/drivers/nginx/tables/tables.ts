/*
 * Everything but the listeners, as the scripts read it. A batch of changes is taken in three steps, so that NGINX can be made ready in between:
 * `prepare` renders and reserves, `commit` puts new and changed items in force, what is referred to before what refers to it,
 * and `remove` takes away what is gone, in the opposite order.
 */
import type { Endpoint, ModelChanges, RuleAction, ServerName, VirtualHost } from "../../../model/index.ts";
import type { ApplyReport } from "../../driver.ts";
import type { DataFolder } from "../data/data-folder.ts";
import type { Slots } from "../data/slots.ts";
import { hostnameProblem } from "../../hostname-form.ts";
import { Refusals } from "../../refusals.ts";
import { AddressBook } from "./address-book.ts";
import { BackendTable } from "./backend-table.ts";
import { CertificateTable, judgeCertificate } from "./certificate-table.ts";
import { needsOfActions, type Needs } from "./listener-needs.ts";
import { References } from "./references.ts";
import { Slices } from "./slices.ts";
import { renderServerName, renderStreamRoute } from "./stream-data.ts";
import { Trusts } from "./trusts.ts";
import { VirtualHostTable, renderVirtualHost, type RenderedHost } from "./virtual-host-table.ts";

export interface TablesOptions {
  readonly data: DataFolder;
  readonly slots: Slots;
  readonly sessionSecret: string;
  /** A short name for a listener, for files. */
  readonly idOf: (listener: string) => string;
  /** The port by which clients reach a port of the listener's Gateway. */
  readonly portFor: (listener: string, port: number | "listener") => number;
  /** Those of a backend's endpoints that may get traffic. */
  readonly wellOf: (backend: string, endpoints: readonly Endpoint[]) => readonly Endpoint[];
  /** The addresses of an endpoint that is a name have changed. */
  readonly onAddresses: () => void;
}

/** What is ready to be put in force. */
export interface Prepared {
  readonly changes: ModelChanges;
  readonly reports: readonly ApplyReport[];
  /** What the virtual hosts that are touched need in the configuration of their listeners. */
  readonly needs: ReadonlyMap<string, NeededBy>;
  /** A bundle that NGINX reads with its configuration is another one. */
  readonly areTrustsChanged: boolean;
  readonly hosts: ReadonlyMap<string, RenderedHost>;
  readonly names: ReadonlyMap<string, ServerName>;
  readonly backends: readonly (() => void)[];
}

export interface NeededBy {
  readonly listener: string;
  readonly needs: Needs;
}

export class Tables {
  readonly #options: TablesOptions;
  readonly certificates: CertificateTable;
  readonly trusts: Trusts;
  readonly addresses: AddressBook;
  readonly backends: BackendTable;
  readonly virtualHosts: VirtualHostTable;
  readonly serverNames = new Map<string, ServerName>();
  readonly #streamListeners = new Set<string>();
  readonly #refusals = new Refusals();
  readonly #hostsByBackend = new References();
  readonly #namesByCertificate = new References();
  readonly #backendsByCertificate = new References();
  /** Of all limits of requests so far, ms. */
  #longestInterval = 0;

  constructor(options: TablesOptions) {
    this.#options = options;
    const { data } = options;
    this.certificates = new CertificateTable(data);
    this.trusts = new Trusts(data, this.certificates);
    this.addresses = new AddressBook(options.onAddresses);
    this.backends = new BackendTable({
      data,
      slots: options.slots,
      certificates: this.certificates,
      trusts: this.trusts,
      addresses: this.addresses,
      sessionSecret: options.sessionSecret,
      wellOf: options.wellOf,
    });
    data.makeFolder(`${data.path}/limit`);
    this.virtualHosts = new VirtualHostTable(data, options.idOf);
  }

  /** `again`: virtual hosts that are rendered once more although they are the same, because a port is another one. */
  async prepare(changes: ModelChanges, again: Iterable<string> = []): Promise<Prepared> {
    const reports: ApplyReport[] = [];
    const changedCertificates = this.#setCertificates(changes, reports);
    const dirtyBackends = new Set([...changes.backends.keys(), ...changes.endpoints.keys()]);
    for (const key of changedCertificates) {
      for (const backend of this.#backendsByCertificate.of(key)) dirtyBackends.add(backend);
    }
    this.#setBackends(changes);
    await this.addresses.learn([...dirtyBackends].flatMap((key) => this.backends.namesOf(key)));

    const hosts = await this.#renderHosts(changes, again, reports);
    this.#countGrpc(hosts, dirtyBackends);
    const names = new Map<string, ServerName>();
    for (const [key, name] of changes.serverNames) {
      const problem = name && hostnameProblem(name.hostname);
      if (problem !== undefined) reports.push(this.#refusals.refuse("serverNames", key, problem));
      else if (name) names.set(key, name);
    }
    for (const certificate of changedCertificates) {
      for (const key of this.#namesByCertificate.of(certificate)) {
        const name = this.serverNames.get(key);
        if (name && !changes.serverNames.has(key)) names.set(key, name);
      }
    }
    return {
      changes,
      reports,
      needs: this.#needs(changes, hosts),
      areTrustsChanged: changedCertificates.some(
        (key) => this.certificates.get(key)?.privateKey === undefined,
      ),
      hosts,
      names,
      backends: await this.#prepareBackends(dirtyBackends),
    };
  }

  /** `refusedHosts`: why NGINX does not take what a virtual host needs. Those keep their last good version. */
  async commit(prepared: Prepared, refusedHosts: ReadonlyMap<string, string>): Promise<ApplyReport[]> {
    const { data, idOf } = this.#options;
    const reports: ApplyReport[] = [];
    const slices = new Slices();
    for (const write of prepared.backends) {
      await slices.next();
      write();
    }
    for (const [key, name] of prepared.names) {
      this.serverNames.set(key, name);
      const { action } = name;
      const certificates = action.type === "passthrough" ? [] : action.certificates;
      this.#namesByCertificate.set(key, certificates);
      reports.push(...this.#refusals.over("serverNames", key));
      const files = this.certificates.filesFor(certificates, name.hostname);
      data.write(`name/${idOf(name.listener)}/=${name.hostname}`, renderServerName(name, files));
    }
    for (const [key, host] of prepared.hosts) {
      await slices.next();
      const refusal = refusedHosts.get(key);
      if (refusal !== undefined) {
        reports.push(this.#refusals.refuse("virtualHosts", key, refusal));
        continue;
      }
      this.virtualHosts.set(key, host);
      for (const { rateLimit } of host.actions) {
        if (rateLimit) this.#longestInterval = Math.max(this.#longestInterval, rateLimit.interval);
      }
      this.#hostsByBackend.set(key, backendsOf(host.actions));
      reports.push(...this.#refusals.over("virtualHosts", key));
    }
    for (const route of prepared.changes.streamRoutes.values()) {
      if (!route) continue;
      data.write(`stream/${idOf(route.listener)}`, renderStreamRoute(route));
      this.#streamListeners.add(route.key);
    }
    return reports;
  }

  remove({ changes }: Prepared): ApplyReport[] {
    const { data, idOf } = this.#options;
    const reports: ApplyReport[] = [];
    for (const key of removedKeys(changes.streamRoutes)) {
      if (this.#streamListeners.delete(key)) data.remove(`stream/${idOf(key)}`);
    }
    const released = new Set<string>();
    for (const key of removedKeys(changes.virtualHosts)) {
      const gone = this.virtualHosts.delete(key);
      this.#hostsByBackend.delete(key);
      for (const backend of gone ? grpcBackendsOf(gone.actions) : []) {
        if (this.backends.countGrpc(backend, -1)) released.add(backend);
      }
      reports.push(...this.#refusals.over("virtualHosts", key));
    }
    for (const key of removedKeys(changes.serverNames)) {
      const gone = this.serverNames.get(key);
      if (gone) data.remove(`name/${idOf(gone.listener)}/=${gone.hostname}`);
      this.serverNames.delete(key);
      this.#namesByCertificate.delete(key);
      reports.push(...this.#refusals.over("serverNames", key));
    }
    for (const key of removedKeys(changes.endpoints)) this.backends.setEndpoints(key, undefined);
    for (const key of removedKeys(changes.backends)) {
      this.backends.set(key, undefined);
      this.#backendsByCertificate.delete(key);
    }
    const touched = [...released, ...removedKeys(changes.endpoints), ...removedKeys(changes.backends)];
    for (const key of new Set(touched)) this.backends.prepare(key)();
    for (const key of removedKeys(changes.certificates)) {
      this.certificates.delete(key);
      reports.push(...this.#refusals.over("certificates", key));
    }
    return reports;
  }

  /** Takes away counts that nobody looks at any more. */
  sweep(): void {
    this.backends.sweepBudgets();
    if (this.#longestInterval > 0) this.#options.data.sweep("limit", this.#longestInterval * 2 + 1_000);
  }

  /** All backends once more: the addresses of names may be others. */
  refreshAddresses(): void {
    for (const key of this.backends.keys()) {
      if (this.backends.namesOf(key).length > 0) this.backends.prepare(key)();
    }
  }

  async #prepareBackends(keys: Iterable<string>): Promise<(() => void)[]> {
    const slices = new Slices();
    const writes: (() => void)[] = [];
    for (const key of keys) {
      await slices.next();
      if (this.backends.get(key)) writes.push(this.backends.prepare(key));
    }
    return writes;
  }

  #setCertificates(changes: ModelChanges, reports: ApplyReport[]): string[] {
    const changed: string[] = [];
    for (const [key, certificate] of changes.certificates) {
      if (!certificate) continue;
      const verdict = judgeCertificate(certificate);
      if (verdict.type === "unusable") {
        const kept = this.certificates.get(key) ? "; the one from before stays in use" : "";
        reports.push(this.#refusals.refuse("certificates", key, verdict.problem + kept));
        continue;
      }
      this.certificates.set(verdict.certificate);
      changed.push(key);
      reports.push(...this.#refusals.over("certificates", key));
    }
    return changed;
  }

  #setBackends(changes: ModelChanges): void {
    for (const [key, backend] of changes.backends) {
      if (!backend) continue;
      this.backends.set(key, backend);
      const { tls } = backend;
      const trusted = tls && tls.trusted !== "system" ? tls.trusted : [];
      this.#backendsByCertificate.set(key, [
        ...trusted,
        ...(tls?.clientCertificate ? [tls.clientCertificate] : []),
      ]);
    }
    for (const [key, set] of changes.endpoints) if (set) this.backends.setEndpoints(key, set.endpoints);
  }

  async #renderHosts(
    changes: ModelChanges,
    again: Iterable<string>,
    reports: ApplyReport[],
  ): Promise<Map<string, RenderedHost>> {
    const wanted = new Map<string, VirtualHost>();
    for (const key of again) {
      const known = this.virtualHosts.get(key);
      if (known) wanted.set(key, known.virtualHost);
    }
    for (const [key, host] of changes.virtualHosts) if (host) wanted.set(key, host);
    const rendered = new Map<string, RenderedHost>();
    const slices = new Slices();
    for (const [key, host] of wanted) {
      await slices.next();
      try {
        const portFor = (port: number | "listener") => this.#options.portFor(host.listener, port);
        rendered.set(key, renderVirtualHost(host, { portFor }));
      } catch (error) {
        reports.push(this.#refusals.refuse("virtualHosts", key, `${key}: ${(error as Error).message}`));
      }
    }
    return rendered;
  }

  /** Backends of gRPC rules have sockets for HTTP/2 beside their own. */
  #countGrpc(hosts: ReadonlyMap<string, RenderedHost>, dirtyBackends: Set<string>): void {
    for (const [key, host] of hosts) {
      for (const backend of grpcBackendsOf(host.actions)) {
        if (this.backends.countGrpc(backend, 1)) dirtyBackends.add(backend);
      }
      const before = this.virtualHosts.get(key);
      for (const backend of before ? grpcBackendsOf(before.actions) : []) {
        if (this.backends.countGrpc(backend, -1)) dirtyBackends.add(backend);
      }
    }
  }

  #needs(changes: ModelChanges, hosts: ReadonlyMap<string, RenderedHost>): Map<string, NeededBy> {
    const touched = new Map<string, RenderedHost>(hosts);
    for (const backend of changes.backends.keys()) {
      for (const key of this.#hostsByBackend.of(backend)) {
        const known = this.virtualHosts.get(key);
        if (known && !touched.has(key)) touched.set(key, known);
      }
    }
    const needs = new Map<string, NeededBy>();
    for (const [key, { virtualHost, actions }] of touched) {
      needs.set(key, { listener: virtualHost.listener, needs: needsOfActions(actions, this.backends) });
    }
    return needs;
  }
}

function* removedKeys(changes: ReadonlyMap<string, unknown>): Generator<string> {
  for (const [key, item] of changes) if (item === undefined) yield key;
}

function backendsOf(actions: Iterable<RuleAction>): string[] {
  const keys: string[] = [];
  for (const action of actions) {
    const all = [action, ...action.backends];
    const targets = [
      ...action.backends.map(({ target }) => target),
      ...all.flatMap(({ mirrors = [], auth }) =>
        [...mirrors, ...(auth ? [auth] : [])].map(({ target }) => target),
      ),
    ];
    for (const target of targets) if (target.type === "backend") keys.push(target.backend);
  }
  return keys;
}

/** Backends that are spoken to in gRPC, whatever they speak to others. */
function grpcBackendsOf(actions: Iterable<RuleAction>): Set<string> {
  const keys = new Set<string>();
  for (const action of actions) {
    const targets = action.protocol === "grpc" ? action.backends.map(({ target }) => target) : [];
    for (const { auth } of [action, ...action.backends])
      if (auth?.protocol === "grpc") targets.push(auth.target);
    for (const target of targets) if (target.type === "backend") keys.add(target.backend);
  }
  return keys;
}

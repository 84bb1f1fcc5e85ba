import type { ModelChanges } from "../../../model/index.ts";
import type { ApplyReport } from "../../driver.ts";
import type { CompiledVirtualHost } from "../http/index.ts";
import type { PreparedChanges } from "../prepare-changes.ts";
import { Refusals } from "../../refusals.ts";
import { CertificateTable } from "../tls/certificate-table.ts";
import { TlsSections } from "../tls/tls-sections.ts";
import type { CertificateVerdict } from "../tls/usable-certificate.ts";
import { BackendTable } from "./backend-table.ts";
import { HostTables } from "./host-tables.ts";
import { ServerNameTable } from "./server-name-table.ts";
import { StreamRouteTable } from "./stream-route-table.ts";

/** Everything in force, except for the listeners themselves. Changes cost what they change. */
export class Tables {
  readonly certificates = new CertificateTable();
  readonly backends = new BackendTable(this.certificates);
  readonly virtualHosts = new HostTables<CompiledVirtualHost>();
  readonly streamRoutes = new StreamRouteTable();
  readonly serverNames: ServerNameTable;
  readonly #sections: TlsSections;
  readonly #refusals = new Refusals();

  constructor({ handshakeTimeout }: { readonly handshakeTimeout: number }) {
    this.#sections = new TlsSections(this.certificates, handshakeTimeout);
    this.serverNames = new ServerNameTable(this.#sections);
  }

  /**
   * New and changed items, what is referred to before what refers to it. One that is unusable is reported, and
   * leaves its predecessor in force.
   */
  set({ changes, certificates, virtualHosts }: PreparedChanges): ApplyReport[] {
    const reports: ApplyReport[] = [];
    for (const [key, verdict] of certificates) reports.push(...this.#setCertificate(key, verdict));
    for (const backend of changes.backends.values()) if (backend) this.backends.set(backend);
    for (const endpoints of changes.endpoints.values()) if (endpoints) this.backends.setEndpoints(endpoints);
    for (const name of changes.serverNames.values()) if (name) this.serverNames.set(name);
    for (const [key, verdict] of virtualHosts) {
      if (verdict.type === "unusable") {
        reports.push(this.#refusals.refuse("virtualHosts", key, verdict.problem));
      } else {
        this.virtualHosts.set(verdict.compiled.virtualHost, verdict.compiled);
        reports.push(...this.#refusals.over("virtualHosts", key));
      }
    }
    for (const route of changes.streamRoutes.values()) if (route) this.streamRoutes.set(route);
    return reports;
  }

  /** Removed items, in the opposite order. */
  remove(changes: ModelChanges): ApplyReport[] {
    const reports: ApplyReport[] = [];
    for (const key of removedKeys(changes.streamRoutes)) this.streamRoutes.delete(key);
    for (const key of removedKeys(changes.virtualHosts)) {
      this.virtualHosts.delete(key);
      reports.push(...this.#refusals.over("virtualHosts", key));
    }
    for (const key of removedKeys(changes.serverNames)) this.serverNames.delete(key);
    for (const key of removedKeys(changes.endpoints)) this.backends.deleteEndpoints(key);
    for (const key of removedKeys(changes.backends)) this.backends.delete(key);
    for (const key of removedKeys(changes.certificates)) {
      this.certificates.delete(key);
      this.#forgetCertificate(key);
      reports.push(...this.#refusals.over("certificates", key));
    }
    return reports;
  }

  #setCertificate(key: string, verdict: CertificateVerdict): readonly ApplyReport[] {
    if (verdict.type === "unusable") {
      const kept = this.certificates.has(key) ? "; the one from before stays in use" : "";
      return [this.#refusals.refuse("certificates", key, verdict.problem + kept)];
    }
    this.certificates.set(verdict.certificate);
    this.#forgetCertificate(key);
    return this.#refusals.over("certificates", key);
  }

  #forgetCertificate(key: string): void {
    this.#sections.forgetCertificate(key);
    this.backends.forgetCertificate(key);
  }
}

function* removedKeys(changes: ReadonlyMap<string, unknown>): Generator<string> {
  for (const [key, item] of changes) if (item === undefined) yield key;
}

import type { ApplyReport } from "../../driver.ts";
import type { CompiledVirtualHost } from "../http/virtual-hosts.ts";
import type { PreparedChanges } from "../prepare-changes.ts";
import { CertificateTable } from "../tls/certificate-table.ts";
import { TlsSections } from "../tls/tls-sections.ts";
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

  constructor({ handshakeTimeout }: { readonly handshakeTimeout: number }) {
    this.#sections = new TlsSections(this.certificates, handshakeTimeout);
    this.serverNames = new ServerNameTable(this.#sections);
  }

  /** New and changed items, what is referred to before what refers to it. */
  set({ changes, certificates, virtualHosts }: PreparedChanges): ApplyReport[] {
    const reports: ApplyReport[] = [];
    for (const [key, verdict] of certificates) {
      const report = verdict && this.certificates.set(key, verdict);
      if (report) reports.push(report);
      if (verdict) this.#forgetCertificate(key);
    }
    for (const backend of changes.backends.values()) if (backend) this.backends.set(backend);
    for (const endpoints of changes.endpoints.values()) if (endpoints) this.backends.setEndpoints(endpoints);
    for (const name of changes.serverNames.values()) if (name) this.serverNames.set(name);
    for (const [key, item] of changes.virtualHosts) {
      const compiled = virtualHosts.get(key);
      if (item && compiled) this.virtualHosts.set(item, compiled);
    }
    for (const route of changes.streamRoutes.values()) if (route) this.streamRoutes.set(route);
    return reports;
  }

  /** Removed items, in the opposite order. */
  remove({ changes }: PreparedChanges): ApplyReport[] {
    for (const key of removedKeys(changes.streamRoutes)) this.streamRoutes.delete(key);
    for (const key of removedKeys(changes.virtualHosts)) this.virtualHosts.delete(key);
    for (const key of removedKeys(changes.serverNames)) this.serverNames.delete(key);
    for (const key of removedKeys(changes.endpoints)) this.backends.deleteEndpoints(key);
    for (const key of removedKeys(changes.backends)) this.backends.delete(key);
    const reports: ApplyReport[] = [];
    for (const key of removedKeys(changes.certificates)) {
      const report = this.certificates.delete(key);
      if (report) reports.push(report);
      this.#forgetCertificate(key);
    }
    return reports;
  }

  #forgetCertificate(key: string): void {
    this.#sections.forgetCertificate(key);
    this.backends.forgetCertificate(key);
  }
}

function* removedKeys(changes: ReadonlyMap<string, unknown>): Generator<string> {
  for (const [key, item] of changes) if (item === undefined) yield key;
}

import type { CertificateTable } from "./certificate-table.ts";
import { TlsSection, type TerminatedServerName } from "./tls-section.ts";

interface Counted {
  readonly section: TlsSection;
  readonly certificates: readonly string[];
  names: number;
}

/** One `TlsSection` for all server names that share port, section, use and certificates; kept while one of them is there. */
export class TlsSections {
  readonly #certificates: CertificateTable;
  readonly #timeout: number;
  readonly #sections = new Map<string, Counted>();
  readonly #byCertificate = new Map<string, Set<TlsSection>>();

  constructor(certificates: CertificateTable, timeout: number) {
    this.#certificates = certificates;
    this.#timeout = timeout;
  }

  retain(name: TerminatedServerName): TlsSection {
    const id = idOf(name);
    let counted = this.#sections.get(id);
    if (!counted) {
      const section = new TlsSection(name, this.#certificates, this.#timeout);
      counted = { section, certificates: name.action.certificates, names: 0 };
      this.#sections.set(id, counted);
      for (const key of counted.certificates) {
        const users = this.#byCertificate.get(key) ?? new Set();
        this.#byCertificate.set(key, users.add(section));
      }
    }
    counted.names++;
    return counted.section;
  }

  release(name: TerminatedServerName): void {
    const id = idOf(name);
    const counted = this.#sections.get(id);
    if (!counted || --counted.names > 0) return;
    this.#sections.delete(id);
    counted.section.forget();
    for (const key of counted.certificates) {
      const users = this.#byCertificate.get(key);
      users?.delete(counted.section);
      if (users?.size === 0) this.#byCertificate.delete(key);
    }
  }

  /** A certificate was replaced or withdrawn. */
  forgetCertificate(key: string): void {
    for (const section of this.#byCertificate.get(key) ?? []) section.forget();
  }
}

function idOf({ listener, section, action }: TerminatedServerName): string {
  return JSON.stringify([listener, section, action.type, action.certificates]);
}

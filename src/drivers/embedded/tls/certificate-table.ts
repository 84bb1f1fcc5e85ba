import type { UsableCertificate } from "./usable-certificate.ts";

/** The certificates in force. */
export class CertificateTable {
  readonly #usable = new Map<string, UsableCertificate>();

  has(key: string): boolean {
    return this.#usable.has(key);
  }

  get(key: string): UsableCertificate | undefined {
    return this.#usable.get(key);
  }

  /** In the order of the keys; those that are missing or were never usable are left out. */
  all(keys: readonly string[]): UsableCertificate[] {
    return keys.flatMap((key) => this.#usable.get(key) ?? []);
  }

  set(certificate: UsableCertificate): void {
    this.#usable.set(certificate.key, certificate);
  }

  delete(key: string): void {
    this.#usable.delete(key);
  }
}

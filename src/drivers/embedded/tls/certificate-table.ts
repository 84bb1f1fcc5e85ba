import type { ApplyReport } from "../../driver.ts";
import type { CertificateVerdict, UsableCertificate } from "./usable-certificate.ts";

/** The certificates in force. One that turns out unusable leaves its predecessor in force, until it is removed. */
export class CertificateTable {
  readonly #usable = new Map<string, UsableCertificate>();
  readonly #refused = new Set<string>();

  get(key: string): UsableCertificate | undefined {
    return this.#usable.get(key);
  }

  /** In the order of the keys; those that are missing or were never usable are left out. */
  all(keys: readonly string[]): UsableCertificate[] {
    return keys.flatMap((key) => this.#usable.get(key) ?? []);
  }

  /** Returns what there is to report: a refusal, or that a refusal is over. */
  set(key: string, verdict: CertificateVerdict): ApplyReport | undefined {
    if (verdict.type === "unusable") {
      this.#refused.add(key);
      const kept = this.#usable.has(key) ? "; the one from before stays in use" : "";
      return { kind: "certificates", key, state: { type: "refused", message: verdict.problem + kept } };
    }
    this.#usable.set(key, verdict.certificate);
    return this.#refusalOver(key);
  }

  delete(key: string): ApplyReport | undefined {
    this.#usable.delete(key);
    return this.#refusalOver(key);
  }

  #refusalOver(key: string): ApplyReport | undefined {
    return this.#refused.delete(key)
      ? { kind: "certificates", key, state: { type: "programmed" } }
      : undefined;
  }
}

/* Bundles of authorities that backends are judged by. NGINX reads them with its configuration, so each has a number there. */
import { existsSync } from "node:fs";
import type { BackendTls } from "../../../model/index.ts";
import type { DataFolder } from "../data/data-folder.ts";
import { identifierOf } from "../data/identifier.ts";
import type { CertificateTable } from "./certificate-table.ts";

type Trusted = BackendTls["trusted"];

/** The machine's own. */
const systemRoots = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"].find((path) =>
  existsSync(path),
);

export class Trusts {
  readonly #data: DataFolder;
  readonly #certificates: CertificateTable;
  readonly #numbers = new Map<string, number>();
  readonly #trusted: Trusted[] = [];

  constructor(data: DataFolder, certificates: CertificateTable) {
    this.#data = data;
    this.#certificates = certificates;
  }

  numberOf(trusted: Trusted): number {
    const key = JSON.stringify(trusted);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#trusted.push(trusted) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  isUsable(trusted: Trusted): boolean {
    return trusted === "system" ? systemRoots !== undefined : this.#certificates.bundle(trusted) !== "";
  }

  /** Where the bundle is, as it is now; written if need be. */
  fileOf(number: number): string | undefined {
    const trusted = this.#trusted[number];
    if (trusted === undefined) return undefined;
    if (trusted === "system") return systemRoots;
    return this.write(trusted);
  }

  /** The same for a list of certificates that is no backend's. */
  write(keys: readonly string[]): string | undefined {
    const chain = this.#certificates.bundle(keys);
    if (chain === "") return undefined;
    const name = `trust/${identifierOf(chain)}`;
    if (!existsSync(`${this.#data.path}/${name}`)) this.#data.write(name, chain);
    return `${this.#data.path}/${name}`;
  }
}

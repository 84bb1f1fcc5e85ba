/* The folder that HAProxy reads from. It is for this user alone, and so is every file in it. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HaproxyDriverError } from "../driver-error.ts";
import { errorFileContents } from "../render/static-sections.ts";

const usablePath = /^\/[A-Za-z0-9_./-]+$/;
/** Of a unix socket in it: the system allows 107 bytes in all, and HAProxy needs some for a name of its own meanwhile. */
const longestPath = 60;

export class WorkFolder {
  readonly path: string;
  readonly #isOurs: boolean;
  readonly #written = new Map<string, string>();
  readonly #data = new Set<string>();

  constructor(given: string | undefined) {
    this.path = given ?? mkdtempSync(join(tmpdir(), "gatewright-haproxy-"));
    this.#isOurs = given === undefined;
    if (!usablePath.test(this.path) || this.path.length > longestPath) {
      throw new HaproxyDriverError(
        "GATEWRIGHT_HAPROXY_FAILED",
        `HAProxy cannot work in the folder ${this.path}: give an absolute path of at most ${longestPath} letters, digits and -._/ (option folder).`,
      );
    }
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    chmodSync(this.path, 0o700);
    for (const name of ["data", "certificates", "authorities", "lists", "errors"]) {
      mkdirSync(join(this.path, name), { recursive: true, mode: 0o700 });
    }
    for (const [name, text] of errorFileContents()) this.write(`errors/${name}`, text);
  }

  /** All at once, if it is not there already. */
  write(name: string, text: string): void {
    if (this.#written.get(name) === text) return;
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#written.set(name, text);
  }

  remove(name: string): void {
    this.#written.delete(name);
    rmSync(join(this.path, name), { recursive: true, force: true });
  }

  /** Of certificates, bundles and lists those with these names; keys that nobody needs any more do not stay. */
  keepOnly(names: readonly string[]): void {
    const kept = new Set(names);
    for (const name of this.#written.keys()) {
      if (/^(?:certificates|authorities|lists)\//.test(name) && !kept.has(name)) this.remove(name);
    }
  }

  writeData(data: ReadonlyMap<string, Buffer>): void {
    for (const [hash, content] of data) {
      if (this.#data.has(hash)) continue;
      const path = join(this.path, "data", hash);
      writeFileSync(`${path}.new`, content, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      this.#data.add(hash);
    }
  }

  get dataHashes(): Iterable<string> {
    return this.#data;
  }

  removeData(hash: string): void {
    this.#data.delete(hash);
    rmSync(join(this.path, "data", hash), { force: true });
  }

  close(): void {
    if (this.#isOurs) rmSync(this.path, { recursive: true, force: true });
  }
}

/*
 * The files that the scripts read. Each is replaced as a whole, by a rename: a reader sees the old content or the new one. Files that are named
 * after their content are shared by all who refer to them, and stay for a while after the last one is gone, because requests
 * under way may have read the old reference.
 */
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { WorkerUser } from "../process/program.ts";

/** Longer than any request takes from reading a reference to reading what it refers to. */
const afterlife = 30_000;

export class DataFolder {
  readonly path: string;
  readonly #owner: WorkerUser | undefined;
  readonly #holders = new Map<string, number>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #folders = new Set<string>();
  #count = 0;

  constructor(path: string, owner: WorkerUser | undefined) {
    this.path = path;
    this.#owner = owner;
  }

  /** Whole, readable by NGINX alone. */
  write(name: string, content: string): void {
    const target = join(this.path, name);
    this.makeFolder(dirname(target));
    const fresh = join(this.path, `.new-${this.#count++}`);
    const file = openSync(fresh, "wx", 0o600);
    try {
      writeSync(file, content);
    } finally {
      closeSync(file);
    }
    if (this.#owner) chownSync(fresh, this.#owner.uid, this.#owner.gid);
    renameSync(fresh, target);
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  /** One more refers to this file, whose name stands for its content. */
  hold(name: string, content: () => string): void {
    const holders = this.#holders.get(name) ?? 0;
    this.#holders.set(name, holders + 1);
    if (holders > 0) return;
    const leaving = this.#leaving.get(name);
    if (leaving) {
      clearTimeout(leaving);
      this.#leaving.delete(name);
    } else {
      this.write(name, content());
    }
  }

  release(name: string): void {
    const holders = (this.#holders.get(name) ?? 1) - 1;
    if (holders > 0) {
      this.#holders.set(name, holders);
      return;
    }
    this.#holders.delete(name);
    const remove = () => {
      this.#leaving.delete(name);
      this.remove(name);
    };
    this.#leaving.set(name, setTimeout(remove, afterlife).unref());
  }

  makeFolder(path: string): void {
    if (this.#folders.has(path)) return;
    if (path.startsWith(`${this.path}/`)) this.makeFolder(dirname(path));
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (this.#owner) chownSync(path, this.#owner.uid, this.#owner.gid);
    this.#folders.add(path);
  }

  /** Files of a folder whose last change is more than `age` ms ago, and that is not needed any more. */
  sweep(folder: string, age: number): void {
    const entries = readdirSync(join(this.path, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const found = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined;
      if (found && Date.now() - found.mtimeMs > age) rmSync(path, { force: true });
    }
  }

  close(): void {
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    this.#leaving.clear();
  }
}

/** The given paths → the files to read, each once, in the order in which they count. */
import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import type { SourceProblem } from "../source.ts";
import type { Pace } from "./pace.ts";
import { codeOf, describeSystemError } from "./read-bounded.ts";
import { isWithin, resolvePath } from "./resolve-path.ts";

export interface FoundFile {
  readonly origin: string;
  readonly rank: number;
  /** Where to open it: through its links, so that what they lead to at that moment is read. */
  readonly path: string;
  readonly real: string;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** The folders that were listed, by resolved path: every manifest in them counts. */
  readonly folders: ReadonlyMap<string, { readonly origin: string; readonly rank: number }>;
  /** Pipes and devices that the user named, as in `-f <(helm template …)`. They can be read only once. */
  readonly pipes: readonly FoundFile[];
  readonly problems: readonly SourceProblem[];
  /** Places that could not be looked into: what was there may still be there. */
  readonly unseen: readonly { readonly origin: string; readonly rank: number }[];
}

export interface GivenPath {
  readonly path: string;
  /** Its position among the paths that the user gave. */
  readonly rank: number;
}

/** Called before a directory is listed, or a name in it looked at; without a name all of its names matter. */
export type NoticeDirectory = (directory: string, name?: string) => void;

export async function findFiles(
  given: readonly GivenPath[],
  { notice, pace }: { readonly notice: NoticeDirectory; readonly pace: Pace },
): Promise<FoundFiles> {
  const finder = new Finder(notice, pace);
  for (const { path, rank } of given) await finder.find(path, rank);
  return finder;
}

const manifestName = /\.(?:ya?ml|json)$/i;
/** What the tools that render the objects read themselves, often without apiVersion and kind. */
const toolInput = /^kustomization\.ya?ml$/i;

export function isManifestName(name: string): boolean {
  return manifestName.test(name) && !name.startsWith(".") && !toolInput.test(name);
}

/** A folder's hidden names are for tools and half-finished work; `..data` is reached through links to it. */
function isPassedOver(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** What a name in a folder is called to the user. */
export function originIn(folder: string, name: string): string {
  return `${folder === "/" ? "" : folder}/${name}`;
}

interface Folder {
  readonly origin: string;
  readonly real: string;
  /** The resolved folders around it, on the way by which it was reached. */
  readonly around: readonly string[];
}

class Finder implements FoundFiles {
  readonly files: FoundFile[] = [];
  readonly folders = new Map<string, { readonly origin: string; readonly rank: number }>();
  readonly pipes: FoundFile[] = [];
  readonly problems: SourceProblem[] = [];
  readonly unseen: { origin: string; rank: number }[] = [];
  readonly #seen = new Set<string>();
  readonly #notice: NoticeDirectory;
  readonly #pace: Pace;

  constructor(notice: NoticeDirectory, pace: Pace) {
    this.#notice = notice;
    this.#pace = pace;
  }

  async find(path: string, rank: number): Promise<void> {
    const origin = path.replace(/(?<=.)[/\\]+$/, "");
    const resolved = resolvePath(path, this.#notice);
    if (resolved.outcome === "missing") {
      this.#report("error", origin, "does not exist");
    } else if (resolved.outcome === "failed") this.#fail(origin, rank, resolved.error);
    else if (resolved.stats.isDirectory()) {
      await this.#list({ origin, real: resolved.real, around: [] }, rank);
    } else {
      const list = resolved.stats.isFile() ? this.files : this.pipes;
      this.#add(list, { origin, rank, path, real: resolved.real });
    }
  }

  async #list(folder: Folder, rank: number): Promise<void> {
    const { origin, real } = folder;
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    if (this.#pace.isDue()) await this.#pace.rest();
    this.#notice(real);
    let entries: Dirent[];
    try {
      entries = readdirSync(real, { withFileTypes: true });
    } catch (error) {
      // Gone since it was found: whoever noticed will look again.
      if (codeOf(error) !== "ENOENT") this.#fail(origin, rank, error);
      return;
    }
    this.folders.set(real, { origin, rank });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (isPassedOver(entry.name)) continue;
      const path = join(real, entry.name);
      const inner = { origin: originIn(origin, entry.name), real: path };
      if (entry.isDirectory()) await this.#list({ ...inner, around: [...folder.around, real] }, rank);
      else if (entry.isSymbolicLink()) await this.#follow(folder, inner, rank);
      else if (!isManifestName(entry.name)) continue;
      else if (entry.isFile()) this.#add(this.files, { ...inner, rank, path });
      else this.#report("warning", inner.origin, "is not a regular file; passed over");
    }
  }

  async #follow(folder: Folder, link: { origin: string; real: string }, rank: number): Promise<void> {
    const resolved = resolvePath(link.real, this.#notice);
    const isManifest = isManifestName(link.origin.slice(link.origin.lastIndexOf("/") + 1));
    if (resolved.outcome === "failed") this.#fail(link.origin, rank, resolved.error);
    else if (resolved.outcome === "missing") {
      if (isManifest) this.#report("warning", link.origin, "is a link to something that does not exist");
    } else if (resolved.stats.isDirectory()) {
      const { real } = resolved;
      const around = [...folder.around, folder.real];
      if (around.some((outer) => isWithin(outer, real))) {
        this.#report("warning", link.origin, `is a link back to a folder around it (${real}); passed over`);
      } else await this.#list({ origin: link.origin, real, around }, rank);
    } else if (!isManifest) return;
    else if (resolved.stats.isFile()) {
      this.#add(this.files, { origin: link.origin, rank, path: link.real, real: resolved.real });
    } else this.#report("warning", link.origin, "is not a regular file; passed over");
  }

  #add(list: FoundFile[], file: FoundFile): void {
    if (this.#seen.has(file.real)) return;
    this.#seen.add(file.real);
    list.push(file);
  }

  #fail(origin: string, rank: number, error: unknown): void {
    this.unseen.push({ origin, rank });
    this.#report("error", origin, `cannot be read: ${describeSystemError(error)}`);
  }

  #report(severity: "error" | "warning", origin: string, message: string): void {
    this.problems.push({ severity, origin, message });
  }
}

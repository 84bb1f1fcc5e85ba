/**
 * All files together: which object counts.
 *
 * State: per object the files that give it, first one first; and what was handed over. The first file's version is in
 * force; the others are reported. What is handed over stays the same reference as long as it says the same, whichever
 * file it comes from.
 */
import { deepEqual } from "../../incremental/index.ts";
import { resourceKey, type Resource } from "../../resources/index.ts";
import type { ResourceChange } from "../source.ts";
import type { GivenChange, ResourceEntry } from "./given-objects.ts";
import { compareFiles, type SourceFile } from "./source-file.ts";

/** `resource` is what was handed over: the entry's resource, in the generation that we counted. */
interface InForce {
  readonly entry: ResourceEntry;
  readonly resource: Resource;
}

export class ObjectsInForce {
  /** A list only where there are several. */
  readonly #givers = new Map<string, SourceFile | SourceFile[]>();
  /** Just the entry where its resource was handed over as it is. */
  readonly #inForce = new Map<string, InForce | ResourceEntry>();
  readonly #touched = new Set<string>();
  /** Objects that more than one file gives. */
  readonly contested = new Map<string, readonly SourceFile[]>();

  has(key: string): boolean {
    return this.#inForce.has(key);
  }

  /** The file whose version of an object counts. */
  giverOf(key: string): SourceFile | undefined {
    return this.#giversOf(key)[0];
  }

  /** A file gives other objects than before. Takes effect with `settle`. */
  update(file: SourceFile, changes: readonly GivenChange[]): void {
    for (const { key, before, after } of changes) {
      if (after === undefined) this.#withdraw(file, key);
      else if (before === undefined) this.#give(file, key);
      else this.#touched.add(key);
    }
  }

  /** What has to be told about all updates since the last call. */
  settle(): ResourceChange[] {
    const changes: ResourceChange[] = [];
    for (const key of this.#touched) {
      const givers = this.#giversOf(key);
      if (givers.length > 1) this.contested.set(key, givers);
      else this.contested.delete(key);
      const change = this.#settleObject(key, givers[0]?.objects.get(key)?.entry);
      if (change !== undefined) changes.push(change);
    }
    this.#touched.clear();
    return changes;
  }

  #settleObject(key: string, entry: ResourceEntry | undefined): ResourceChange | undefined {
    const last = wholly(this.#inForce.get(key));
    if (entry === undefined) {
      if (last === undefined) return undefined;
      this.#inForce.delete(key);
      return { kind: last.resource.kind, key: resourceKey(last.resource), resource: undefined };
    }
    const isSame = last !== undefined && saysTheSame(entry, last);
    const resource = isSame ? last.resource : countGeneration(entry, last?.resource);
    this.#inForce.set(key, resource === entry.resource ? entry : { entry, resource });
    return isSame ? undefined : { kind: resource.kind, key: resourceKey(resource), resource };
  }

  #give(file: SourceFile, key: string): void {
    this.#touched.add(key);
    const givers = this.#giversOf(key);
    this.#givers.set(key, givers.length === 0 ? file : givers.toSpliced(findPlace(givers, file), 0, file));
  }

  #withdraw(file: SourceFile, key: string): void {
    this.#touched.add(key);
    const [first, ...others] = this.#giversOf(key).filter((giver) => giver !== file);
    if (first === undefined) this.#givers.delete(key);
    else this.#givers.set(key, others.length === 0 ? first : [first, ...others]);
  }

  #giversOf(key: string): readonly SourceFile[] {
    const givers = this.#givers.get(key) ?? [];
    return Array.isArray(givers) ? givers : [givers];
  }
}

function wholly(inForce: InForce | ResourceEntry | undefined): InForce | undefined {
  if (inForce === undefined || "entry" in inForce) return inForce;
  return { entry: inForce, resource: inForce.resource };
}

function findPlace(givers: readonly SourceFile[], file: SourceFile): number {
  const next = givers.findIndex((giver) => compareFiles(file, giver) < 0);
  return next < 0 ? givers.length : next;
}

function saysTheSame(entry: ResourceEntry, last: InForce): boolean {
  if (entry.resource === last.entry.resource) return true;
  return entry.hasGeneration === last.entry.hasGeneration && deepEqual(entry.resource, last.entry.resource);
}

/**
 * An API server counts an object's generations: one more whenever anything but metadata and status changes. Files have
 * nobody who counts, so that is done here, unless the file says which generation it is.
 */
function countGeneration(entry: ResourceEntry, last: Resource | undefined): Resource {
  const { resource, hasGeneration } = entry;
  if (hasGeneration || last === undefined) return resource;
  const generation = last.metadata.generation + (deepEqual(bodyOf(resource), bodyOf(last)) ? 0 : 1);
  return { ...resource, metadata: { ...resource.metadata, generation } } as Resource;
}

function bodyOf({ metadata: _metadata, status: _status, ...body }: Resource): object {
  return body;
}

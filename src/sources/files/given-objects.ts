/**
 * The objects that a file gives, from its documents and from what it gave before.
 *
 * Invariant: an object that the file gave is given up only when the file can be read and no document of it names the
 * object any more. So these keep an object as it was last good:
 * - a document that names the object but is wrong;
 * - any document that is not readable at all: it may have been this object's;
 * - a document that can be read but does not tell which object it is about (no name, a misspelt kind), from the moment
 *   that it looks so. What has long been lying there, like other YAML in the same file, keeps nothing.
 */
import type { DocumentContent, Entry } from "./document-content.ts";

export interface SourceDocument {
  /** Where it stands in the file's text; both follow when it moves. */
  start: number;
  end: number;
  readonly content: DocumentContent;
}

export type ResourceEntry = Extract<Entry, { outcome: "resource" }>;

/** An object as the file gives it. */
export interface GivenObject {
  readonly entry: ResourceEntry;
  /** The document that names the object, or that keeps it without naming it. */
  readonly document: SourceDocument;
  /** What the document says now is wrong or cannot be read; this is what it said before. */
  readonly isLastGood: boolean;
}

/** The same object once more in the same file. */
export interface RepeatedObject {
  readonly entry: ResourceEntry;
  readonly document: SourceDocument;
  readonly first: GivenObject;
}

export type GivenObjects = ReadonlyMap<string, GivenObject>;

/** An object that a file gives differently. */
export interface GivenChange {
  readonly key: string;
  readonly before: GivenObject | undefined;
  readonly after: GivenObject | undefined;
}

const noObjects: GivenObjects = new Map();

export function listChanges(before: GivenObjects, after: GivenObjects): GivenChange[] {
  const changes: GivenChange[] = [];
  for (const [key, object] of before) {
    if (!after.has(key)) changes.push({ key, before: object, after: undefined });
  }
  for (const [key, object] of after) {
    const last = before.get(key);
    if (last?.entry !== object.entry) changes.push({ key, before: last, after: object });
  }
  return changes;
}

/** For a file that is gone. */
export function withdrawAll(objects: GivenObjects): GivenChange[] {
  return listChanges(objects, noObjects);
}

/**
 * Some documents took the place of others, and nothing is wrong with any of them or was wrong before: then the objects
 * change just there. Undefined, and nothing is done, where it is not so simple.
 */
export function exchangeObjects(
  objects: Map<string, GivenObject>,
  removed: readonly SourceDocument[],
  added: readonly SourceDocument[],
): GivenChange[] | undefined {
  const changes = new Map<string, GivenChange>();
  for (const { content } of removed) {
    for (const entry of content.entries) {
      if (entry.outcome !== "resource") return undefined;
      const { key } = entry;
      changes.set(key, { key, before: objects.get(key), after: undefined });
    }
  }
  for (const document of added) {
    if (document.content.flaw !== "none") return undefined;
    for (const entry of document.content.entries) {
      if (entry.outcome !== "resource") return undefined;
      const { key } = entry;
      const before = objects.get(key);
      const change = changes.get(key);
      const isThereTwice = change ? change.after !== undefined : before !== undefined;
      if (isThereTwice) return undefined;
      changes.set(key, { key, before, after: { entry, document, isLastGood: false } });
    }
  }
  for (const { key, after } of changes.values()) {
    if (after) objects.set(key, after);
    else objects.delete(key);
  }
  return [...changes.values()];
}

export function giveObjects(
  documents: readonly SourceDocument[],
  previousDocuments: readonly SourceDocument[],
  previous: GivenObjects,
): { objects: Map<string, GivenObject>; repeated: RepeatedObject[] } {
  const objects = new Map<string, GivenObject>();
  const repeated: RepeatedObject[] = [];
  const flawed = documents.filter(({ content }) => content.flaw !== "none");
  const keeper =
    flawed.length === 0 ? undefined : new Keeper(documents, previousDocuments, previous, objects);
  for (const document of documents) {
    for (const entry of document.content.entries) {
      if (entry.outcome === "invalid") keeper?.keepNamed(entry.key, document);
      if (entry.outcome !== "resource") continue;
      const first = objects.get(entry.key);
      if (first === undefined) objects.set(entry.key, { entry, document, isLastGood: false });
      else repeated.push({ entry, document, first });
    }
  }
  for (const document of flawed) if (document.content.flaw === "anonymous") keeper?.keepUnnamed(document);
  return { objects, repeated };
}

class Keeper {
  readonly #current: ReadonlySet<SourceDocument>;
  readonly #earlier: ReadonlySet<SourceDocument>;
  readonly #previous: GivenObjects;
  readonly #objects: Map<string, GivenObject>;

  constructor(
    documents: readonly SourceDocument[],
    previousDocuments: readonly SourceDocument[],
    previous: GivenObjects,
    objects: Map<string, GivenObject>,
  ) {
    this.#current = new Set(documents);
    this.#earlier = new Set(previousDocuments);
    this.#previous = previous;
    this.#objects = objects;
  }

  /** For a document that names the object: if it may be what became of the one that gave it, not a second one beside it. */
  keepNamed(key: string | undefined, document: SourceDocument): void {
    const last = key === undefined ? undefined : this.#previous.get(key);
    if (key === undefined || last === undefined) return;
    const mayFollow = !this.#current.has(last.document) && !this.#earlier.has(document);
    if (last.document === document || mayFollow) this.#keep(key, last, document);
  }

  /** For a document that may be about any object. */
  keepUnnamed(document: SourceDocument): void {
    const keepsAll = document.content.unreadable !== undefined || !this.#earlier.has(document);
    for (const [key, last] of this.#previous) {
      if (keepsAll || last.document === document) this.#keep(key, last, document);
    }
  }

  #keep(key: string, { entry }: GivenObject, document: SourceDocument): void {
    if (!this.#objects.has(key)) this.#objects.set(key, { entry, document, isLastGood: true });
  }
}

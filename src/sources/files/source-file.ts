/**
 * One file and what it stands for at this moment.
 *
 * State: the text as last read, cut into documents, each with what was read from it; and the objects that the file gives,
 * by key. Reading a new text keeps every document whose text is unchanged, with the very same objects.
 *
 * Invariant: an object that the file gave is given up only when the whole file could be read and no document of it names
 * the object any more. A document that names an object and is wrong leaves the object as it was; one that cannot be
 * read, or does not tell which object it is, may have been any of them, so all stay.
 */
import type { DocumentContent, Entry } from "./document-content.ts";
import { LineIndex } from "./line-index.ts";
import type { Pace } from "./pace.ts";
import { splitDocuments, type DocumentRange } from "./split-documents.ts";

export interface SourceDocument {
  /** Both follow the file's text when the document moves in it. */
  text: string;
  start: number;
  readonly content: DocumentContent;
}

export type ResourceEntry = Extract<Entry, { outcome: "resource" }>;

/** An object as the file gives it. */
export interface GivenObject {
  readonly entry: ResourceEntry;
  /** The document that names the object; the first one that cannot be read, if none does. */
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

export const noObjects: GivenObjects = new Map();

export class SourceFile {
  /** As the user knows the file. */
  readonly origin: string;
  /** The position of the path, among those which the user gave, that led to it. */
  readonly rank: number;
  text = "";
  documents: readonly SourceDocument[] = [];
  objects: GivenObjects = noObjects;
  repeated: readonly RepeatedObject[] = [];
  /** Why the file as a whole could not be read at the last attempt. */
  failure: string | undefined;
  #lines: LineIndex | undefined;

  constructor(origin: string, rank: number) {
    this.origin = origin;
    this.rank = rank;
  }

  get lines(): LineIndex {
    return (this.#lines ??= new LineIndex(this.text));
  }

  /** Takes a new text over, reading only the documents that are new in it. */
  async read(text: string, readDocument: (text: string) => DocumentContent, pace: Pace): Promise<void> {
    const documents = await matchDocuments(this.documents, text, readDocument, pace);
    const { objects, repeated } = giveObjects(documents, this.documents, this.objects);
    this.failure = undefined;
    this.#lines = undefined;
    this.text = text;
    this.documents = documents;
    this.objects = objects;
    this.repeated = repeated;
  }
}

/** Files that come first win over later ones: by the order of the given paths, then by name. */
export function compareFiles(a: SourceFile, b: SourceFile): number {
  return a.rank - b.rank || (a.origin < b.origin ? -1 : a.origin > b.origin ? 1 : 0);
}

/**
 * Most edits touch one place: the documents before it and after it are compared in order, and only what is left in
 * between is looked up by its text.
 */
async function matchDocuments(
  previous: readonly SourceDocument[],
  text: string,
  readDocument: (text: string) => DocumentContent,
  pace: Pace,
): Promise<readonly SourceDocument[]> {
  const ranges = splitDocuments(text);
  const textOf = ({ start, end }: DocumentRange) => text.slice(start, end);
  const shorter = Math.min(previous.length, ranges.length);
  let before = 0;
  while (before < shorter && previous[before]!.text === textOf(ranges[before]!)) before++;
  let after = 0;
  const rest = shorter - before;
  while (after < rest && previous.at(-1 - after)!.text === textOf(ranges.at(-1 - after)!)) after++;

  const moved = new Map<string, SourceDocument[]>();
  for (const document of previous.slice(before, previous.length - after)) {
    const same = moved.get(document.text);
    if (same === undefined) moved.set(document.text, [document]);
    else same.push(document);
  }
  const matched: SourceDocument[] = [];
  for (const [index, range] of ranges.entries()) {
    const documentText = textOf(range);
    const fromEnd = ranges.length - index;
    const known =
      index < before
        ? previous[index]
        : fromEnd <= after
          ? previous[previous.length - fromEnd]
          : moved.get(documentText)?.shift();
    if (known === undefined) {
      if (pace.isDue()) await pace.rest();
      matched.push({ text: documentText, start: range.start, content: readDocument(documentText) });
    } else matched.push(known);
  }
  // All at once and at the end, so that until then the file is what it was. Every document points into the new text
  // now: the old one can be forgotten.
  for (const [index, range] of ranges.entries()) {
    const document = matched[index]!;
    document.text = textOf(range);
    document.start = range.start;
  }
  return matched;
}

function giveObjects(
  documents: readonly SourceDocument[],
  previousDocuments: readonly SourceDocument[],
  previous: GivenObjects,
): { objects: GivenObjects; repeated: RepeatedObject[] } {
  const flawed = documents.filter((document) => document.content.flaw !== "none");
  const objects = new Map<string, GivenObject>();
  const repeated: RepeatedObject[] = [];
  const keep = (key: string | undefined, document: SourceDocument) => {
    const last = key === undefined ? undefined : previous.get(key);
    if (key === undefined || last === undefined || objects.has(key)) return;
    objects.set(key, { entry: last.entry, document, isLastGood: true });
  };
  const current = flawed.length === 0 ? noDocuments : new Set(documents);
  const earlier = flawed.length === 0 ? noDocuments : new Set(previousDocuments);
  /** Whether a document may be what became of the one that gave the object, not a flawed second one beside it. */
  const mayFollow = (key: string | undefined, document: SourceDocument): boolean => {
    const giver = key === undefined ? undefined : previous.get(key)?.document;
    if (giver === undefined) return false;
    return giver === document || (!current.has(giver) && !earlier.has(document));
  };
  for (const document of documents) {
    const { entries, unreadable } = document.content;
    if (unreadable !== undefined && mayFollow(unreadable.key, document)) keep(unreadable.key, document);
    for (const entry of entries) {
      if (entry.outcome === "invalid" && mayFollow(entry.key, document)) keep(entry.key, document);
      if (entry.outcome !== "resource") continue;
      const first = objects.get(entry.key);
      if (first === undefined) objects.set(entry.key, { entry, document, isLastGood: false });
      else repeated.push({ entry, document, first });
    }
  }
  const anonymous = flawed.find(({ content }) => content.flaw === "anonymous");
  if (anonymous !== undefined) for (const key of previous.keys()) keep(key, anonymous);
  return { objects, repeated };
}

const noDocuments: ReadonlySet<SourceDocument> = new Set();

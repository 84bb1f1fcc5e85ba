/**
 * One file and what it stands for at this moment.
 *
 * State: the text as last read, cut into documents, each with what was read from it; and the objects that the file gives,
 * by key. Reading a new text keeps every document whose text is unchanged, with the very same objects. Most edits touch
 * one place of a text: only the documents there are looked at.
 */
import type { DocumentContent } from "./document-content.ts";
import { changedPart, type ChangedPart, type FileText } from "./file-text.ts";
import {
  exchangeObjects,
  giveObjects,
  listChanges,
  type GivenChange,
  type GivenObject,
  type GivenObjects,
  type RepeatedObject,
  type SourceDocument,
} from "./given-objects.ts";
import { LineIndex } from "./line-index.ts";
import type { Pace } from "./pace.ts";
import { isOpening, splitDocuments } from "./split-documents.ts";

interface Reading {
  readonly readDocument: (text: string) => DocumentContent;
  readonly mostDocuments: number;
  readonly pace: Pace;
}

/** Documents from `first` up to `next`, and the part of the new text where they were. */
interface Part {
  readonly first: number;
  readonly next: number;
  readonly start: number;
  readonly end: number;
}

/** A document of the new text; `document` if it was there before. */
interface ReadDocument {
  readonly document: SourceDocument | undefined;
  readonly content: DocumentContent;
  readonly start: number;
  readonly end: number;
}

const none: readonly never[] = Object.freeze([]);

export class SourceFile {
  /** As the user knows the file. */
  readonly origin: string;
  /** The position of the path, among those which the user gave, that led to it. */
  readonly rank: number;
  text: FileText = "";
  repeated: readonly RepeatedObject[] = none;
  /** Something in it is wrong, or not for us, or there twice. */
  hasFlaws = false;
  /** Why the file as a whole could not be read at the last attempt. */
  failure: string | undefined;
  #documents: SourceDocument[] = [];
  #objects = new Map<string, GivenObject>();
  #lines: LineIndex | undefined;

  constructor(origin: string, rank: number) {
    this.origin = origin;
    this.rank = rank;
  }

  get documents(): readonly SourceDocument[] {
    return this.#documents;
  }

  get objects(): GivenObjects {
    return this.#objects;
  }

  get lines(): LineIndex {
    return (this.#lines ??= new LineIndex(this.text.slice(0, this.text.length)));
  }

  textOf({ start, end }: SourceDocument): string {
    return this.text.slice(start, end);
  }

  /** Takes a new text over. The answer is what it gives differently, or undefined if it has too many documents. */
  async read(text: FileText, reading: Reading): Promise<readonly GivenChange[] | undefined> {
    const changed = changedPart(this.text, text);
    const part = changed && partOf(this.#documents, this.text, text, changed);
    const read = part && (await this.#readPart(part, text, reading));
    if (part && !read) return undefined;
    // All at once and at the end, so that until then the file is what it was.
    this.failure = undefined;
    this.#lines = undefined;
    return part && read ? this.#take(text, part, read) : none;
  }

  async #readPart(
    { first, next, start, end }: Part,
    text: FileText,
    { readDocument, mostDocuments, pace }: Reading,
  ): Promise<readonly ReadDocument[] | undefined> {
    const partText = text.slice(start, end);
    const left = mostDocuments - (this.#documents.length - (next - first));
    const ranges = splitDocuments(partText, left);
    if (ranges === undefined) return undefined;
    const known = new Map<string, SourceDocument[]>();
    for (let at = first; at < next; at++) {
      const document = this.#documents[at]!;
      const documentText = this.textOf(document);
      const same = known.get(documentText);
      if (same === undefined) known.set(documentText, [document]);
      else same.push(document);
    }
    const read: ReadDocument[] = [];
    for (const range of ranges) {
      const documentText = partText.slice(range.start, range.end);
      const document = known.get(documentText)?.shift();
      if (document === undefined && pace.isDue()) await pace.rest();
      const content = document?.content ?? readDocument(documentText);
      read.push({ document, content, start: start + range.start, end: start + range.end });
    }
    return read;
  }

  #take(text: FileText, { first, next }: Part, read: readonly ReadDocument[]): readonly GivenChange[] {
    const moved = text.length - this.text.length;
    const documents = read.map(({ document, content, start, end }) => {
      if (document === undefined) return { start, end, content };
      document.start = start;
      document.end = end;
      return document;
    });
    const before = this.#documents;
    for (let at = next; at < before.length; at++) {
      before[at]!.start += moved;
      before[at]!.end += moved;
    }
    this.text = text;
    this.#documents = before.slice(0, first).concat(documents, before.slice(next));
    const current = new Set(documents);
    const removed = before.slice(first, next).filter((document) => !current.has(document));
    const added = documents.filter((_, index) => read[index]?.document === undefined);
    return (
      (this.hasFlaws ? undefined : exchangeObjects(this.#objects, removed, added)) ?? this.#giveAnew(before)
    );
  }

  #giveAnew(before: readonly SourceDocument[]): readonly GivenChange[] {
    const last = this.#objects;
    const { objects, repeated } = giveObjects(this.#documents, before, last);
    this.#objects = objects;
    this.repeated = repeated.length > 0 ? repeated : none;
    this.hasFlaws = repeated.length > 0 || this.#documents.some(({ content }) => content.flaw !== "none");
    return listChanges(last, objects);
  }
}

/** Files that come first win over later ones: by the order of the given paths, then by name. */
export function compareFiles(a: SourceFile, b: SourceFile): number {
  return a.rank - b.rank || (a.origin < b.origin ? -1 : a.origin > b.origin ? 1 : 0);
}

/** The documents that a change can have touched, between two places where a document begins in any case. */
function partOf(
  documents: readonly SourceDocument[],
  before: FileText,
  after: FileText,
  { start, oldEnd }: ChangedPart,
): Part {
  // One document more than the change begins in: if it begins in the marker between two, they may be one now.
  const first = Math.max(0, lastBeginning(documents, start) - 1);
  let next = first;
  const isSafe = ({ start: at }: SourceDocument) => at > oldEnd && isOpening(before.slice(at, at + 4));
  while (next < documents.length && !isSafe(documents[next]!)) next++;
  const from = first === 0 ? 0 : documents[first]!.start;
  const following = documents[next];
  if (following === undefined) return { first, next, start: from, end: after.length };
  const part = { first, next, start: from, end: following.start + after.length - before.length };
  // A directive belongs to the document after it, which may be beyond this part.
  const hasDirectives = /^%/m.test(after.slice(part.start, part.end));
  return hasDirectives ? { first: 0, next: documents.length, start: 0, end: after.length } : part;
}

/** The last document that begins at an offset or before it; -1 if none does. */
function lastBeginning(documents: readonly SourceDocument[], offset: number): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (documents[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * One file and what it stands for at this moment.
 *
 * State: the text as last read, cut into documents, each with what was read from it; and the objects that the file gives,
 * by key. Reading a new text keeps every document whose text is unchanged, with the very same objects.
 */
import type { DocumentContent } from "./document-content.ts";
import {
  giveObjects,
  noObjects,
  type GivenObjects,
  type RepeatedObject,
  type SourceDocument,
} from "./given-objects.ts";
import { LineIndex } from "./line-index.ts";
import type { Pace } from "./pace.ts";
import type { DocumentRange } from "./split-documents.ts";

interface Reading {
  readonly readDocument: (text: string) => DocumentContent;
  readonly pace: Pace;
}

export class SourceFile {
  /** As the user knows the file. */
  readonly origin: string;
  /** The position of the path, among those which the user gave, that led to it. */
  readonly rank: number;
  text = "";
  documents: readonly SourceDocument[] = [];
  objects: GivenObjects = noObjects;
  repeated: readonly RepeatedObject[] = [];
  /** Something in it is wrong, or not for us, or there twice. */
  hasFlaws = false;
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
  async read(text: string, ranges: readonly DocumentRange[], reading: Reading): Promise<void> {
    const documents = await matchDocuments(this.documents, text, ranges, reading);
    const { objects, repeated } = giveObjects(documents, this.documents, this.objects);
    this.failure = undefined;
    this.#lines = undefined;
    this.text = text;
    this.documents = documents;
    this.objects = objects;
    this.repeated = repeated;
    this.hasFlaws = repeated.length > 0 || documents.some(({ content }) => content.flaw !== "none");
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
  ranges: readonly DocumentRange[],
  { readDocument, pace }: Reading,
): Promise<readonly SourceDocument[]> {
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

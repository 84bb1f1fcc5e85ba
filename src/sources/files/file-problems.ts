/** What is to be said about one file, with positions. */
import { formatPath, type Path } from "../../resources/index.ts";
import type { SourceProblem } from "../source.ts";
import { identify, type Entry, type Place } from "./document-content.ts";
import { FieldPositions, readLoosely } from "./field-positions.ts";
import type { ForeignKind } from "./foreign-kinds.ts";
import type { Position } from "./line-index.ts";
import type { Pace } from "./pace.ts";
import type { GivenObject, RepeatedObject, SourceDocument } from "./given-objects.ts";
import type { SourceFile } from "./source-file.ts";
import { mayBeSecret } from "./parse-values.ts";
import { contentStart } from "./split-documents.ts";

export interface FileFindings {
  readonly problems: readonly SourceProblem[];
  /** Objects of kinds that are not read. They are reported once per kind, over all files. */
  readonly foreign: readonly ForeignObject[];
}

export interface ForeignObject {
  readonly kind: ForeignKind;
  readonly document: SourceDocument;
  readonly place: Place;
}

export const nothingFound: FileFindings = { problems: [], foreign: [] };

const mostProblems = 1_000;
const mostProblemsPerObject = 20;
const mostNames = 3;

export async function findProblems(
  file: SourceFile,
  defaultNamespace: string,
  pace: Pace,
): Promise<FileFindings> {
  if (file.failure !== undefined) return { problems: [describeFailure(file, file.failure)], foreign: [] };
  if (!file.hasFlaws) return nothingFound;
  const locate = locatorIn(file);
  const problems: SourceProblem[] = [];
  const foreign: ForeignObject[] = [];
  const repeated = groupByDocument(file.repeated);
  const kept = keptByDocument(file);
  for (const document of file.documents) {
    const { content } = document;
    if (content.flaw === "none" && !repeated.has(document)) continue;
    if (problems.length >= mostProblems) return { problems: withoutRest(problems), foreign };
    if (content.flaw === "anonymous" && pace.isDue()) await pace.rest();
    problems.push(...describeUnreadable(file, document, kept.get(document), defaultNamespace));
    for (const entry of content.entries) {
      if (entry.outcome === "resource") continue;
      if (pace.isDue()) await pace.rest();
      if (entry.outcome === "foreign") foreign.push({ kind: entry.foreign, document, place: entry.place });
      else problems.push(...describeInvalid(file, document, entry, kept.get(document), locate));
    }
    for (const repeat of repeated.get(document) ?? []) problems.push(describeRepeated(file, repeat, locate));
  }
  return { problems, foreign };
}

/** Where an object stands in its file, or a field of it. */
export function positionOfObject(
  file: SourceFile,
  { document, entry, isLastGood }: GivenObject,
  path: Path = [],
): Position {
  // What is wrong with the object now has taken its place.
  const namesIt = (other: Entry) => other.outcome !== "foreign" && other.key === entry.key;
  const place = isLastGood ? document.content.entries.find(namesIt)?.place : entry.place;
  return locatorIn(file)(document, place ?? { start: 0, end: document.end - document.start, path: [] }, path);
}

export function positionOfKind(file: SourceFile, { document, place }: ForeignObject): Position {
  return locatorIn(file)(document, place, ["kind"]);
}

/** Finds an object's field. */
type Locate = (document: SourceDocument, place: Place, path: Path) => Position;

function describeFailure({ origin, objects }: SourceFile, failure: string): SourceProblem {
  const flag = objects.size > 0 ? { lastGoodInForce: true } : {};
  return { severity: "error", origin, message: failure, ...flag };
}

function describeUnreadable(
  file: SourceFile,
  document: SourceDocument,
  kept: readonly GivenObject[] | undefined,
  defaultNamespace: string,
): SourceProblem[] {
  const { unreadable } = document.content;
  if (unreadable === undefined) return [];
  const { message, offset } = unreadable;
  const text = file.textOf(document);
  const loose = readLoosely(text);
  const { object } = identify(loose?.identity ?? {}, defaultNamespace);
  const path = loose?.pathAt(offset) ?? [];
  return [
    {
      severity: "error",
      origin: file.origin,
      ...file.lines.positionAt(document.start + offset),
      ...named(object, mayBeSecret(text) ? knownPart(path) : path),
      ...explainKept(message, kept),
    },
  ];
}

/** As long as a Secret cannot be read, what looks like a field in it may be a piece of a value. */
function knownPart(path: Path): Path {
  const end = path.findIndex((segment) => typeof segment === "string" && !fieldsOfSecrets.has(segment));
  return end < 0 ? path : path.slice(0, end);
}

const fieldsOfSecrets = new Set(["apiVersion", "kind", "metadata", "type", "data", "stringData", "items"]);

/** A file with so many problems has one that matters, and it is among the first. */
function withoutRest(problems: readonly SourceProblem[]): SourceProblem[] {
  const last = problems[mostProblems - 1];
  const message = `${last?.message}; what else is wrong in this file is not shown`;
  return last === undefined ? [] : problems.slice(0, mostProblems).with(-1, { ...last, message });
}

function describeInvalid(
  file: SourceFile,
  document: SourceDocument,
  entry: Extract<Entry, { outcome: "invalid" }>,
  kept: readonly GivenObject[] | undefined,
  locate: Locate,
): SourceProblem[] {
  const { severity, object, problems, place, key } = entry;
  const shown = problems.slice(0, mostProblemsPerObject);
  const isKept = key !== undefined && file.objects.get(key)?.isLastGood === true;
  return shown.map(({ path, message }, index) => {
    const left = index === mostProblemsPerObject - 1 ? problems.length - mostProblemsPerObject : 0;
    const text = left > 0 ? `${message} (and ${left} more problems with this object)` : message;
    return {
      severity,
      origin: file.origin,
      ...locate(document, place, path),
      ...named(object, path),
      ...(key === undefined
        ? explainKept(text, kept)
        : { message: text, ...(isKept ? { lastGoodInForce: true } : {}) }),
    };
  });
}

function describeRepeated(file: SourceFile, repeat: RepeatedObject, locate: Locate): SourceProblem {
  const { document, entry, first } = repeat;
  const { line, column } = positionOfObject(file, first);
  const position = locate(document, entry.place, []);
  const where = `${file.origin}:${line}:${column}`;
  return describeDuplicate(file.origin, position, entry.key, where);
}

/** The object is there twice; the one at `where` counts. */
export function describeDuplicate(
  origin: string,
  position: Position,
  key: string,
  where: string,
): SourceProblem {
  const message = `is already in ${where}; that one is in force, and this one has no effect: remove one of the two`;
  return { severity: "error", origin, ...position, object: nameOf(key), message };
}

/** `HTTPRoute/default/web` as people write it: `HTTPRoute default/web`. */
function nameOf(key: string): string {
  return key.replace("/", " ");
}

function named(object: string | undefined, path: Path): { object?: string; field?: string } {
  return {
    ...(object === undefined ? {} : { object }),
    ...(path.length === 0 ? {} : { field: formatPath(path) }),
  };
}

/** Which last good objects a document stands for, as it cannot be read or does not tell its object. */
function keptByDocument({ objects }: SourceFile): ReadonlyMap<SourceDocument, readonly GivenObject[]> {
  const kept = [...objects.values()].filter(({ isLastGood }) => isLastGood);
  return groupByDocument(kept);
}

function groupByDocument<T extends { readonly document: SourceDocument }>(
  items: Iterable<T>,
): Map<SourceDocument, T[]> {
  const groups = new Map<SourceDocument, T[]>();
  for (const item of items) {
    const group = groups.get(item.document);
    if (group === undefined) groups.set(item.document, [item]);
    else group.push(item);
  }
  return groups;
}

function explainKept(
  message: string,
  kept: readonly GivenObject[] | undefined,
): { message: string; lastGoodInForce?: boolean } {
  if (kept === undefined) return { message };
  const names = kept.slice(0, mostNames).map(({ entry }) => nameOf(entry.key));
  const more = kept.length > mostNames ? ` and ${kept.length - mostNames} more` : "";
  const stay = kept.length === 1 ? "stays as it was" : "stay as they were";
  return {
    message: `${message}; until it is fixed, ${names.join(", ")}${more} ${stay}`,
    lastGoodInForce: true,
  };
}

/** Where objects begin, relative to their part of the document's text, which never changes. */
const objectOffsets = new WeakMap<Place, number>();

function locatorIn(file: SourceFile): Locate {
  const fields = new FieldPositions();
  return (document, place, path) => {
    const { start, end } = place;
    let offset = path.length === 0 ? objectOffsets.get(place) : undefined;
    if (offset === undefined) {
      const part = file.textOf(document).slice(start, end);
      const fallback = contentStart(part, 0, part.length);
      const whole = [...place.path, ...path];
      offset = whole.length === 0 ? fallback : fields.locate(part, whole, fallback);
      if (path.length === 0) objectOffsets.set(place, offset);
    }
    return file.lines.positionAt(document.start + start + offset);
  };
}

/**
 * Cuts a YAML stream into its documents without reading what is in them.
 *
 * A line that begins with `---` or `...`, followed by white space or the end of the line, is a marker wherever it
 * stands: YAML forbids such lines inside block scalars and quoted texts. So the markers can be found by searching, and
 * the text between two of them can be compared with what stood there before.
 *
 * State: where the open document begins, and whether a `---` opened it. What comes before a `---` and is not opened by
 * one itself is a document of its own, unless it holds nothing but comments (then it is left out) or directives (then it
 * belongs to the document which the `---` opens).
 */

/** A document's place in the text, its `---` line included. */
export interface DocumentRange {
  readonly start: number;
  readonly end: number;
}

/** The documents that hold anything, not those of white space and comments alone; undefined if there are too many. */
export function splitDocuments(text: string, most: number): DocumentRange[] | undefined {
  const ranges: DocumentRange[] = [];
  const close = (start: number, end: number) => {
    if (contentStart(text, start, end) < end) ranges.push({ start, end });
  };
  let start = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  let isOpened = false;
  for (const marker of markers(text, start)) {
    if (ranges.length > most) break;
    if (text.charCodeAt(marker) === dot) {
      close(start, marker);
      start = nextLine(text, marker);
      isOpened = false;
    } else {
      const directives = isOpened ? -1 : directivesStart(text, start, marker);
      if (directives < 0) close(start, marker);
      start = directives < 0 ? marker : directives;
      isOpened = true;
    }
  }
  close(start, text.length);
  return ranges.length > most ? undefined : ranges;
}

const byteOrderMark = 0xfeff;
const newline = 0x0a;
const hash = 0x23;
const percent = 0x25;
const dash = 0x2d;
const dot = 0x2e;

/** Where a document's content begins, after its `---`, white space and comments; `end` if there is none. */
export function contentStart(text: string, start: number, end: number): number {
  const opening = isMarker(text, start) && text.charCodeAt(start) === dash ? 3 : 0;
  return skipBlank(text, start + opening, end);
}

/** Whether a text begins with a marker that begins a document. */
export function isOpening(text: string): boolean {
  return text.charCodeAt(0) === dash && isMarker(text, 0);
}

function* markers(text: string, start: number): Generator<number> {
  if (isMarker(text, start)) yield start;
  // Looking for the line's end in front of it as well would take twice as long: there are more of those.
  let dashes = text.indexOf("---", start + 1);
  let dots = text.indexOf("...", start + 1);
  while (dashes >= 0 || dots >= 0) {
    const isDashes = dots < 0 || (dashes >= 0 && dashes < dots);
    const marker = isDashes ? dashes : dots;
    if (text.charCodeAt(marker - 1) === newline && isMarker(text, marker)) yield marker;
    if (isDashes) dashes = text.indexOf("---", marker + 1);
    else dots = text.indexOf("...", marker + 1);
  }
}

function isMarker(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first !== dash && first !== dot) return false;
  if (text.charCodeAt(at + 1) !== first || text.charCodeAt(at + 2) !== first) return false;
  return at + 3 >= text.length || isWhiteSpace(text.charCodeAt(at + 3));
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === newline || code === 0x0d;
}

function skipBlank(text: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (isWhiteSpace(code)) at++;
    // A # begins a comment only where white space or nothing is before it.
    else if (code === hash && (at === start || isWhiteSpace(text.charCodeAt(at - 1))))
      at = nextLine(text, at);
    else break;
  }
  return Math.min(at, end);
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Where the directives begin, if nothing but directives and comments is before the marker; else -1. */
function directivesStart(text: string, start: number, marker: number): number {
  const first = skipBlank(text, start, marker);
  let at = first;
  while (at < marker) {
    if (text.charCodeAt(at) !== percent) return -1;
    at = skipBlank(text, nextLine(text, at), marker);
  }
  return first < marker ? first : -1;
}

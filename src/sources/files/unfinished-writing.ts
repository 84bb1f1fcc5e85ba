/**
 * Whoever writes a file in place empties it first, and what is there in between parses as well as the whole would:
 * taken at its word, routes would come and go. So a text that looks unfinished is believed only when it has stood
 * unchanged for a while. (JSON needs no such care: part of it is not JSON.)
 */

import { changedPart, type FileText } from "./file-text.ts";

/** A shell has emptied the file; the program that fills it (`helm template > routes.yaml`) takes its time. */
const emptiedMs = 2_000;
/** The last line is not complete. */
const unendedMs = 100;
/** A file that never comes to rest is believed in the end. */
const longestMs = 5_000;

interface Waiting {
  readonly text: FileText;
  readonly since: number;
  readonly first: number;
}

export class UnfinishedWriting {
  readonly #waiting = new Map<string, Waiting>();

  /** How long to wait before a file's new text can be believed; 0: not at all. */
  judge(path: string, text: FileText, { gaveObjects, now }: { gaveObjects: boolean; now: number }): number {
    const patience = patienceFor(text, gaveObjects);
    const last = this.#waiting.get(path);
    const since = last && changedPart(last.text, text) === undefined ? last.since : now;
    const first = last?.first ?? now;
    const left = Math.min(since + patience, first + longestMs) - now;
    if (patience === 0 || left <= 0) {
      this.#waiting.delete(path);
      return 0;
    }
    this.#waiting.set(path, { text, since, first });
    return left;
  }

  forget(path: string): void {
    this.#waiting.delete(path);
  }
}

function patienceFor(text: FileText, gaveObjects: boolean): number {
  const first = firstCharacter(text);
  if (first === undefined) return gaveObjects ? emptiedMs : 0;
  const isEnded = text.slice(text.length - 1, text.length) === "\n";
  return isEnded || first === "{" || first === "[" ? 0 : unendedMs;
}

/** The first one that is not white space. */
function firstCharacter(text: FileText): string | undefined {
  const step = 1_000;
  for (let start = 0; start < text.length; start += step) {
    const found = /\S/.exec(text.slice(start, start + step))?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

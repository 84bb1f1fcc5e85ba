import type { Assertion } from "./syntax-tree.ts";

/** Characters as assertions tell them apart; `none` is beyond either end of the text. */
export const none = 0;
export const newline = 1;
export const word = 2;
export const other = 3;

export function kindOfCharacter(codePoint: number): number {
  if (codePoint === 10) return newline;
  const isWord =
    (codePoint >= 0x30 && codePoint <= 0x39) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    codePoint === 0x5f ||
    (codePoint >= 0x61 && codePoint <= 0x7a);
  return isWord ? word : other;
}

/** Between characters of these kinds. */
export function assertionHolds(assertion: Assertion, before: number, after: number): boolean {
  switch (assertion) {
    case "text start":
      return before === none;
    case "text end":
      return after === none;
    case "line start":
      return before === none || before === newline;
    case "line end":
      return after === none || after === newline;
    case "word boundary":
      return (before === word) !== (after === word);
    case "no word boundary":
      return (before === word) === (after === word);
  }
}

import type { CharacterSet } from "./character-set.ts";

export type Assertion =
  "text start" | "text end" | "line start" | "line end" | "word boundary" | "no word boundary";

/** What a regular expression is made of. Whether a repetition is greedy makes no difference to a test of the whole text. */
export type SyntaxTree = (
  | { readonly type: "empty" }
  | { readonly type: "set"; readonly set: CharacterSet }
  | { readonly type: "assertion"; readonly assertion: Assertion }
  | { readonly type: "sequence" | "choice"; readonly parts: readonly SyntaxTree[] }
  | { readonly type: "repeat"; readonly part: SyntaxTree; readonly min: number; readonly max: number }
) & {
  /** Steps of the program that this becomes. */
  readonly size: number;
  /** How often its innermost part is repeated at most by counted repetitions. */
  readonly counted: number;
};

export const emptyTree: SyntaxTree = { type: "empty", size: 0, counted: 1 };

export function setTree(set: CharacterSet): SyntaxTree {
  return { type: "set", set, size: 1, counted: 1 };
}

export function assertionTree(assertion: Assertion): SyntaxTree {
  return { type: "assertion", assertion, size: 1, counted: 1 };
}

export function joinTrees(type: "sequence" | "choice", parts: readonly SyntaxTree[]): SyntaxTree {
  if (parts.length === 1) return parts[0]!;
  if (parts.length === 0) return emptyTree;
  let size = type === "choice" ? parts.length - 1 : 0;
  let counted = 1;
  for (const part of parts) {
    size += part.size;
    counted = Math.max(counted, part.counted);
  }
  return { type, parts, size, counted };
}

/** `max` is Infinity for an open end. */
export function repeatTree(part: SyntaxTree, min: number, max: number): SyntaxTree {
  const isCounted = !(min <= 1 && (max === 1 || max === Number.POSITIVE_INFINITY));
  const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max;
  const splits = max === Number.POSITIVE_INFINITY ? 1 : max - min;
  return {
    type: "repeat",
    part,
    min,
    max,
    size: Math.max(part.size, 1) * copies + splits,
    counted: part.counted * (isCounted ? Math.max(copies, 1) : 1),
  };
}

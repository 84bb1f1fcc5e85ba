import type { CharacterSet } from "./character-set.ts";
import type { Assertion, SyntaxTree } from "./syntax-tree.ts";

/** Take one character of set `argument`, go to `next`. */
export const takeCharacter = 0;
/** Go to `argument` and to `next`. */
export const split = 1;
/** If the assertion holds, go to `next`. */
export const assert = 2;
/** Matched, if the text is at its end. */
export const accept = 3;

/** A non-deterministic automaton: for each step what it does, and where it leads. */
export interface Program {
  readonly operations: Uint8Array;
  readonly arguments: Uint16Array;
  readonly next: Uint16Array;
  readonly start: number;
  readonly sets: readonly CharacterSet[];
  readonly assertions: readonly Assertion[];
}

/** Counted repetitions are written out, so the program has about `tree.size` steps. */
export function compileProgram(tree: SyntaxTree): Program {
  const operations: number[] = [];
  const targets: number[] = [];
  const nexts: number[] = [];
  const sets = new Map<CharacterSet, number>();
  const assertions = new Map<Assertion, number>();

  const emit = (operation: number, argument: number, next: number): number => {
    targets.push(argument);
    nexts.push(next);
    return operations.push(operation) - 1;
  };
  const numberOf = <T>(numbers: Map<T, number>, value: T): number => {
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    return known;
  };

  /** From back to front: where to begin, if `next` is where to go on. */
  const compile = (part: SyntaxTree, next: number): number => {
    switch (part.type) {
      case "empty":
        return next;
      case "set":
        return emit(takeCharacter, numberOf(sets, part.set), next);
      case "assertion":
        return emit(assert, numberOf(assertions, part.assertion), next);
      case "sequence":
        return part.parts.reduceRight((after, each) => compile(each, after), next);
      case "choice":
        return part.parts
          .map((each) => compile(each, next))
          .reduceRight((other, first) => emit(split, first, other));
      case "repeat":
        return part.max === Number.POSITIVE_INFINITY
          ? compileLoop(part.part, part.min, next)
          : compileCount(part.part, part.min, part.max, next);
    }
  };
  const compileLoop = (part: SyntaxTree, min: number, next: number): number => {
    const again = emit(split, 0, next);
    let start = compile(part, again);
    targets[again] = start;
    if (min === 0) return again;
    for (let count = 1; count < min; count++) start = compile(part, start);
    return start;
  };
  const compileCount = (part: SyntaxTree, min: number, max: number, next: number): number => {
    let start = next;
    for (let count = min; count < max; count++) start = emit(split, compile(part, start), next);
    for (let count = 0; count < min; count++) start = compile(part, start);
    return start;
  };

  const start = compile(tree, emit(accept, 0, 0));
  return {
    operations: Uint8Array.from(operations),
    arguments: Uint16Array.from(targets),
    next: Uint16Array.from(nexts),
    start,
    sets: [...sets.keys()],
    assertions: [...assertions.keys()],
  };
}

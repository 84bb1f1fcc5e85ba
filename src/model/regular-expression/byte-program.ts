/*
 * The program of a regular expression as plain data, for a matcher elsewhere that works on bytes: texts of requests are
 * bytes, each a character of its own (U+0000 to U+00FF), as the embedded data plane reads them too.
 */
import { kindOfCharacter } from "./assertions.ts";
import { compileProgram } from "./program.ts";
import { parse } from "./parser.ts";
import type { Assertion } from "./syntax-tree.ts";

export interface ByteProgram {
  /** Of each step: 0 takes a byte of set `arguments`, 1 goes to `arguments` and `next`, 2 asserts, 3 accepts. */
  readonly operations: readonly number[];
  readonly arguments: readonly number[];
  readonly next: readonly number[];
  readonly start: number;
  readonly assertions: readonly Assertion[];
  /** Of each byte its class: bytes of one class are in the same sets, and alike to assertions. */
  readonly classes: readonly number[];
  /** Of each class, 1 for each set that has it, else 0. */
  readonly rows: readonly (readonly number[])[];
}

/** `source` must be one that `parseRegularExpression` lets through. */
export function compileByteProgram(source: string): ByteProgram {
  const program = compileProgram(parse(source));
  const classes: number[] = [];
  const rows: (readonly number[])[] = [];
  const numbers = new Map<string, number>();
  const hasAssertions = program.assertions.length > 0;
  for (let byte = 0; byte < 256; byte++) {
    const row = program.sets.map((set) => (set.has(byte) ? 1 : 0));
    const key = `${hasAssertions ? kindOfCharacter(byte) : ""}${row.join("")}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = rows.push(row) - 1;
      numbers.set(key, number);
    }
    classes.push(number);
  }
  return {
    operations: [...program.operations],
    arguments: [...program.arguments],
    next: [...program.next],
    start: program.start,
    assertions: program.assertions,
    classes,
    rows,
  };
}

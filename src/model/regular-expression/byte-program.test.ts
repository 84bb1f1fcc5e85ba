import { describe, expect, it } from "vitest";
import { compileRegularExpression } from "../regular-expression.ts";
import { compileByteProgram, type ByteProgram } from "./byte-program.ts";

/** The plainest reading of a program without assertions. */
function matches(
  { operations, arguments: targets, next, start, classes, rows }: ByteProgram,
  text: string,
): boolean {
  const reach = (steps: Set<number>, step: number): void => {
    if (steps.has(step)) return;
    steps.add(step);
    if (operations[step] !== 1) return;
    reach(steps, targets[step]!);
    reach(steps, next[step]!);
  };
  let steps = new Set<number>();
  reach(steps, start);
  for (const character of text) {
    const row = rows[classes[character.charCodeAt(0)]!]!;
    const following = new Set<number>();
    for (const step of steps) {
      if (operations[step] === 0 && row[targets[step]!] === 1) reach(following, next[step]!);
    }
    steps = following;
  }
  return [...steps].some((step) => operations[step] === 3);
}

const texts = [
  "",
  "/v1/x",
  "a",
  "cd",
  "ababc",
  "abababc",
  "abc/",
  "STRA\u00dfE",
  "w_9",
  "x\u00e9",
  "\u00ff\u00fe",
];

describe("the program of a regular expression for bytes", () => {
  it.each([
    "/v[0-9]+/.*",
    "a|b|cd",
    "(ab){2,3}c?",
    "[^/]*",
    "(?i)stra\\xdfe",
    "\\w+\\d",
    "",
    "x{0,2}[\\x80-\\xff]+",
  ])("%j takes what the reference takes", (source) => {
    const program = compileByteProgram(source);
    const reference = compileRegularExpression(source);
    const taken = texts.filter((text) => matches(program, text));
    expect(taken).toEqual(texts.filter((text) => reference(text)));
  });

  it("puts bytes that assertions tell apart into classes of their own", () => {
    const { classes, assertions } = compileByteProgram("(?s).*\\b.*");
    expect(assertions).toEqual(["word boundary"]);
    expect(classes[0x61]).not.toBe(classes[0x2f]);
    expect(classes[0x0a]).not.toBe(classes[0x2f]);
  });
});

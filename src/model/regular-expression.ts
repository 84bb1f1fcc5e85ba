/*
 * Regular expressions of routes: checked by our own parser before any proxy sees them, and tested against the whole text.
 *
 * The syntax is the part of RE2's that all proxies read alike (`regular-expression/parser.ts`). The test is linear in the
 * text and bounded in memory (`regular-expression/matcher.ts`); JavaScript's own engine and other libraries' automata are
 * not, and the text comes from strangers.
 */
import { Matcher } from "./regular-expression/matcher.ts";
import { MatchingEffort } from "./regular-expression/matching-effort.ts";
import { SyntaxProblem, parse } from "./regular-expression/parser.ts";
import { compileProgram, type Program } from "./regular-expression/program.ts";

export type RegularExpressionVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** For the owner of the route, in the form of a sentence about the expression. */
      readonly problem: string;
      /** Index into the source. */
      readonly at: number;
    };

/** Whether every proxy understands `source`, and alike. */
export function parseRegularExpression(source: string): RegularExpressionVerdict {
  try {
    parse(source);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ok: false, problem: error.message, at: error.at };
  }
}

/**
 * Tests of one request share an effort, and throw `MatchingTooCostly` when it is used up; a test without one has an
 * effort of its own.
 */
export type TextTest = (text: string, effort?: MatchingEffort) => boolean;

/** `source` must have been found good by `parseRegularExpression`; throws otherwise. */
export function compileRegularExpression(source: string): TextTest {
  const tree = parse(source);
  if (isLiteral.test(source)) return (text) => text === source;
  const matcher = new Matcher(compileProgram(tree));
  return (text, effort = new MatchingEffort()) => matcher.test(text, effort);
}

/** The steps of a good expression, for drivers that make an automaton of their proxy's own of it. */
export function programOfRegularExpression(source: string): Program {
  return compileProgram(parse(source));
}

const isLiteral = /^[\w/~!@#%&=:;"'<>,` -]*$/;

/*
 * A regular expression as data for `scripts/automata.js`, which walks it over bytes.
 *
 * The steps of the program are followed all at once, for each class of bytes, until no new set of steps is found: a deterministic automaton. Some
 * expressions have more sets than there is room for; those are handed over as the program itself, which the script follows set
 * by set, still in one pass over the text.
 */
import {
  assertionHolds,
  beyondText as none,
  kindOfCharacter,
  programOfRegularExpression,
} from "../../../model/index.ts";

type Program = ReturnType<typeof programOfRegularExpression>;

export type Automaton =
  | { readonly classes: string; readonly width: number; readonly next: string; readonly accepts: string }
  | {
      readonly operations: readonly number[];
      readonly targets: readonly number[];
      readonly next: readonly number[];
      readonly start: number;
      readonly sets: readonly string[];
      readonly assertions: readonly string[];
    };

/** A table of this many entries is read and walked for a request within a fraction of a millisecond. */
const mostEntries = 8_000;
const mostClasses = 90;
/** In all of its states together: sets of hundreds of steps are long in the making, and the expressions of a route are many. */
const mostSteps = 40_000;

const takeCharacter = 0;
const split = 1;
const assertion = 2;
const accept = 3;

export function automatonOf(source: string): Automaton {
  const program = programOfRegularExpression(source);
  return deterministic(program) ?? asProgram(program);
}

function asProgram(program: Program): Automaton {
  return {
    operations: [...program.operations],
    targets: [...program.arguments],
    next: [...program.next],
    start: program.start,
    sets: program.sets.map((set) =>
      Array.from({ length: 256 }, (_, byte) => (set.has(byte) ? "1" : "0")).join(""),
    ),
    assertions: program.assertions,
  };
}

interface State {
  readonly steps: readonly number[];
  readonly before: number;
}

function deterministic(program: Program): Automaton | undefined {
  const { classes, examples } = classify(program);
  if (examples.length > mostClasses) return undefined;
  const numbers = new Map<string, number>();
  // Nothing leaves the state without steps.
  const states: State[] = [{ steps: [], before: none }];
  let stepsOfAll = 0;
  const numberOf = (state: State): number => {
    if (state.steps.length === 0) return 0;
    const key = `${state.before} ${state.steps.join()}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = states.push(state) - 1;
      numbers.set(key, number);
      stepsOfAll += state.steps.length;
    }
    return number;
  };
  numberOf({ steps: expand(program, [program.start]), before: none });
  const table: number[] = Array.from({ length: examples.length }, () => 0);
  for (let number = 1; number < states.length; number++) {
    if (states.length * examples.length > mostEntries || stepsOfAll > mostSteps) return undefined;
    for (const byte of examples) table.push(numberOf(follow(program, states[number]!, byte)));
  }
  return {
    classes: Array.from(classes, (number) => String.fromCharCode(33 + number)).join(""),
    width: examples.length,
    next: table.map((number) => pair(number)).join(""),
    accepts: states.map((state) => (acceptsAtEnd(program, state) ? "1" : "0")).join(""),
  };
}

function pair(number: number): string {
  return String.fromCharCode(33 + Math.floor(number / 94), 33 + (number % 94));
}

/** Of each byte its class, and of each class one byte: those of one class are in the same sets, and of one kind to assertions. */
function classify(program: Program): { readonly classes: Uint8Array; readonly examples: readonly number[] } {
  const classes = new Uint8Array(256);
  const examples: number[] = [];
  const numbers = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const kind = program.assertions.length > 0 ? kindOfCharacter(byte) : none;
    const key = `${kind}${program.sets.map((set) => (set.has(byte) ? 1 : 0)).join("")}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = examples.push(byte) - 1;
      numbers.set(key, number);
    }
    classes[byte] = number;
  }
  return { classes, examples };
}

function follow(program: Program, { steps, before }: State, byte: number): State {
  const kind = program.assertions.length > 0 ? kindOfCharacter(byte) : none;
  const found: number[] = [];
  for (const step of resolve(program, steps, before, kind)) {
    if (program.operations[step] !== takeCharacter) continue;
    if (program.sets[program.arguments[step]!]!.has(byte)) found.push(program.next[step]!);
  }
  return { steps: expand(program, found), before: kind };
}

function acceptsAtEnd(program: Program, { steps, before }: State): boolean {
  return resolve(program, steps, before, none).some((step) => program.operations[step] === accept);
}

/** All steps that are reached by splits alone, in order. */
function expand(program: Program, first: readonly number[]): number[] {
  const seen = new Set<number>();
  const pending = [...first];
  while (pending.length > 0) {
    const step = pending.pop()!;
    if (seen.has(step)) continue;
    seen.add(step);
    if (program.operations[step] === split) pending.push(program.next[step]!, program.arguments[step]!);
  }
  return [...seen].filter((step) => program.operations[step] !== split).sort((a, b) => a - b);
}

/** And by the assertions that hold between two characters of these kinds. */
function resolve(program: Program, steps: readonly number[], before: number, after: number): number[] {
  if (program.assertions.length === 0) return [...steps];
  const seen = new Set(steps);
  for (const step of seen) {
    if (program.operations[step] !== assertion) continue;
    if (!assertionHolds(program.assertions[program.arguments[step]!]!, before, after)) continue;
    for (const reached of expand(program, [program.next[step]!])) seen.add(reached);
  }
  return [...seen];
}

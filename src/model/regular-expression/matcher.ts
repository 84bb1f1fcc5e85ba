/*
 * Runs a program over a whole text, in time linear to the text and in bounded memory; what it costs is counted
 * (`matching-effort.ts`).
 *
 * All ways through the program are followed at once: a state is the set of steps that wait for the next character. Seen
 * states are kept with the states that follow them by each class of characters, so that usual text costs one look
 * into a table per character (a deterministic automaton, made as it is needed). When the memory for that is used
 * up, the rest of the text is followed set by set, and nothing more is kept: some expressions have more states than any
 * machine has bytes, and a client picks the text.
 *
 * Steps that assert something about their neighbours wait in the set like those that take a character, and are
 * resolved when the next character is known; so a state also says what kind of character came before.
 */
import { assertionHolds, kindOfCharacter, none } from "./assertions.ts";
import type { MatchingEffort } from "./matching-effort.ts";
import { accept, assert, split, takeCharacter, type Program } from "./program.ts";

/** For the states of one expression, in numbers of four bytes. */
const memory = 16 * 1024;
const keptRows = 256;

/** Of a step that is followed, in looks into a table; and of one that goes into the key of a state. */
const lookCost = 8;
const keyCost = 24;

interface State {
  readonly steps: Uint16Array;
  /** Kind of the character before; always `none` if nothing is asserted. */
  readonly before: number;
  readonly next: (State | undefined)[];
  accepts: boolean | undefined;
}

export class Matcher {
  readonly #program: Program;
  readonly #size: number;
  /** Of each ASCII character its class: characters of one class are in the same sets. */
  readonly #classes: Uint8Array;
  /** Of each class, whether its characters are in each of the program's sets. */
  readonly #rowsByClass: Uint8Array[] = [];
  readonly #rowsByCharacter = new Map<number, Uint8Array>();
  readonly #states = new Map<string, State>();
  #memoryLeft = memory;
  readonly #start: State;

  /** Steps reached in this turn, without splits; `#marks` says which steps were reached in turn `#turn`. */
  #reached: Uint16Array;
  #reachedCount = 0;
  readonly #marks: Uint32Array;
  #turn = 0;
  /** Steps that were followed and are not paid for yet. */
  #followed = 0;
  /** Steps whose assertions are resolved. */
  readonly #resolved: Uint16Array;
  readonly #pending: Uint16Array;

  constructor(program: Program) {
    this.#program = program;
    this.#size = program.operations.length;
    this.#classes = this.#classify();
    this.#reached = new Uint16Array(this.#size);
    this.#resolved = new Uint16Array(this.#size);
    this.#pending = new Uint16Array(this.#size + 1);
    this.#marks = new Uint32Array(this.#size);
    this.#newTurn();
    this.#reach(program.start);
    this.#start = this.#keep(none) ?? this.#newState(none);
  }

  /** Throws `MatchingTooCostly`. */
  test(text: string, effort: MatchingEffort): boolean {
    const { length } = text;
    const classes = this.#classes;
    let state = this.#start;
    for (let position = 0; position < length;) {
      const code = text.charCodeAt(position);
      let next: State | undefined;
      if (code < 128) {
        const classNumber = classes[code]!;
        next =
          state.next[classNumber] ??
          this.#follow(state, this.#rowsByClass[classNumber]!, code, classNumber, effort);
        position++;
      } else {
        const codePoint = text.codePointAt(position)!;
        next = this.#follow(state, this.#rowOf(codePoint), codePoint, undefined, effort);
        position += codePoint > 0xffff ? 2 : 1;
      }
      if (!next) return this.#simulate(text, position, effort);
      if (next.steps.length === 0) {
        effort.spend(position);
        return false;
      }
      state = next;
    }
    effort.spend(length);
    return (state.accepts ??= this.#acceptsAtEnd(state.steps, state.steps.length, state.before));
  }

  /** The state after one more character; `undefined` if there is no memory for it, then the steps are in `#reached`. */
  #follow(
    state: State,
    row: Uint8Array,
    codePoint: number,
    classNumber: number | undefined,
    effort: MatchingEffort,
  ): State | undefined {
    this.#step(state.steps, state.steps.length, state.before, row, codePoint);
    this.#pay(effort);
    effort.spend(this.#reachedCount * keyCost);
    const next = this.#keep(this.#kindOfCharacter(codePoint));
    if (next && classNumber !== undefined) state.next[classNumber] = next;
    return next;
  }

  /** From `position` on without states; the steps before it are in `#reached`. */
  #simulate(text: string, from: number, effort: MatchingEffort): boolean {
    let before = this.#kindOfCharacter(text.charCodeAt(from - 1));
    let steps: Uint16Array = new Uint16Array(this.#size);
    for (let position = from; position < text.length && this.#reachedCount > 0;) {
      const count = this.#reachedCount;
      [steps, this.#reached] = [this.#reached, steps];
      const codePoint = text.codePointAt(position)!;
      const row = codePoint < 128 ? this.#rowsByClass[this.#classes[codePoint]!]! : this.#rowOf(codePoint);
      this.#step(steps, count, before, row, codePoint);
      this.#pay(effort);
      before = this.#kindOfCharacter(codePoint);
      position += codePoint > 0xffff ? 2 : 1;
    }
    const last = this.#reached.slice(0, this.#reachedCount);
    return this.#acceptsAtEnd(last, last.length, before);
  }

  /** From `steps` over one character, into `#reached`. */
  #step(steps: Uint16Array, count: number, before: number, row: Uint8Array, codePoint: number): void {
    const { operations, arguments: targets, next } = this.#program;
    let waiting = steps;
    let waitingCount = count;
    if (this.#program.assertions.length > 0) {
      waitingCount = this.#resolve(steps, count, before, this.#kindOfCharacter(codePoint));
      waiting = this.#resolved;
    }
    this.#newTurn();
    this.#followed += waitingCount;
    for (let index = 0; index < waitingCount; index++) {
      const step = waiting[index]!;
      if (operations[step] === takeCharacter && row[targets[step]!] === 1) this.#reach(next[step]!);
    }
  }

  #acceptsAtEnd(steps: Uint16Array, count: number, before: number): boolean {
    const resolvedCount = this.#resolve(steps, count, before, none);
    for (let index = 0; index < resolvedCount; index++) {
      if (this.#program.operations[this.#resolved[index]!] === accept) return true;
    }
    return false;
  }

  /** `steps` and all that is reached through assertions that hold between the two kinds, into `#resolved`. */
  #resolve(steps: Uint16Array, count: number, before: number, after: number): number {
    const { operations, arguments: targets, next, assertions } = this.#program;
    this.#newTurn();
    for (let index = 0; index < count; index++) this.#reach(steps[index]!);
    for (let index = 0; index < this.#reachedCount; index++) {
      const step = this.#reached[index]!;
      if (operations[step] !== assert) continue;
      if (assertionHolds(assertions[targets[step]!]!, before, after)) this.#reach(next[step]!);
    }
    this.#resolved.set(this.#reached.subarray(0, this.#reachedCount));
    return this.#reachedCount;
  }

  #pay(effort: MatchingEffort): void {
    const looks = (this.#followed + 1) * lookCost;
    this.#followed = 0;
    effort.spend(looks);
  }

  #newTurn(): void {
    this.#reachedCount = 0;
    if (this.#turn === 0xffffffff) {
      this.#marks.fill(0);
      this.#turn = 0;
    }
    this.#turn++;
  }

  /** Adds a step and, if it is a split, what it leads to. */
  #reach(first: number): void {
    const { operations, arguments: targets, next } = this.#program;
    const marks = this.#marks;
    const pending = this.#pending;
    let followed = 0;
    let step = first;
    for (let pendingCount = 0; ; step = pending[--pendingCount]!) {
      while (marks[step] !== this.#turn) {
        marks[step] = this.#turn;
        followed++;
        if (operations[step] !== split) {
          this.#reached[this.#reachedCount++] = step;
          break;
        }
        pending[pendingCount++] = next[step]!;
        step = targets[step]!;
      }
      if (pendingCount === 0) break;
    }
    this.#followed += followed;
  }

  /** The kept state for the steps in `#reached`, if there is one or memory for one. */
  #keep(kind: number): State | undefined {
    const steps = this.#reached.subarray(0, this.#reachedCount).toSorted();
    const before = this.#program.assertions.length > 0 ? kind : none;
    const key = String.fromCharCode(before, ...steps);
    const known = this.#states.get(key);
    if (known) return known;
    const cost = 2 * steps.length + this.#rowsByClass.length + 32;
    if (cost > this.#memoryLeft) return undefined;
    this.#memoryLeft -= cost;
    const state = this.#newState(before, steps);
    this.#states.set(key, state);
    return state;
  }

  #newState(before: number, steps = this.#reached.slice(0, this.#reachedCount)): State {
    const next = Array.from<State | undefined>({ length: this.#rowsByClass.length });
    return { steps, before, next, accepts: undefined };
  }

  #kindOfCharacter(codePoint: number): number {
    return this.#program.assertions.length > 0 ? kindOfCharacter(codePoint) : none;
  }

  #rowOf(codePoint: number): Uint8Array {
    const known = this.#rowsByCharacter.get(codePoint);
    if (known) return known;
    if (this.#rowsByCharacter.size >= keptRows) this.#rowsByCharacter.clear();
    const row = Uint8Array.from(this.#program.sets, (set) => (set.has(codePoint) ? 1 : 0));
    this.#rowsByCharacter.set(codePoint, row);
    return row;
  }

  #classify(): Uint8Array {
    const classes = new Uint8Array(128);
    const numbers = new Map<string, number>();
    for (let code = 0; code < 128; code++) {
      const row = Uint8Array.from(this.#program.sets, (set) => (set.has(code) ? 1 : 0));
      const key = `${this.#kindOfCharacter(code)}${row.join("")}`;
      let number = numbers.get(key);
      if (number === undefined) {
        number = this.#rowsByClass.push(row) - 1;
        numbers.set(key, number);
      }
      classes[code] = number;
    }
    return classes;
  }
}

/*
 * Regular expressions of routes, as automata that the driver has made of them. The text is walked once, in one look per character
 * where the automaton is deterministic, and in at most `steps` looks where that one would have been too large. njs's own
 * expressions backtrack, and the text comes from strangers.
 *
 * Texts are bytes, as they came: a character of two bytes is two characters.
 *
 * Deterministic: `classes` has the class of each byte and `next` the state after each class, both as characters from `!` on, two
 * for a state; `accepts` has one character per state. State 0 is the one that nothing leaves.
 */
function matches(automaton, text, effort) {
  // Most expressions of a request are asked about one and the same text.
  if (effort.text !== text) {
    effort.text = text;
    effort.bytes = Buffer.from(text);
  }
  return automaton.classes !== undefined
    ? walk(automaton, effort.bytes, effort)
    : simulate(automaton, effort.bytes, effort);
}

/**
 * What the expressions of all rules together may cost for one request, in looks into a table: a quarter of a second in all. The owner of routes picks
 * how many expressions there are and how many steps they have, a client picks the text. njs frees nothing before the request ends,
 * so what a pass over a text needs is kept here for the next one.
 */
function newEffort() {
  return {
    left: mostLooks,
    text: undefined,
    bytes: undefined,
    expressions: {},
    size: 0,
    marks: undefined,
    turn: 0,
    waiting: undefined,
    reached: undefined,
    pending: undefined,
  };
}

/** Throws when nothing is left. That is no "does not match": a rule that was not asked may be the one that forbids the request. */
function spend(effort, looks) {
  effort.left -= looks;
  if (effort.left >= 0) return;
  const error = new Error("the regular expressions of the routes take too long for this request");
  error.isTooCostly = true;
  throw error;
}

function walk(automaton, bytes, effort) {
  const classes = automaton.classes;
  const next = automaton.next;
  const width = automaton.width * 2;
  const length = bytes.length;
  let state = 1;
  let index = 0;
  while (index < length && state !== 0) {
    const at = state * width + (classes.charCodeAt(bytes[index++]) - 33) * 2;
    state = (next.charCodeAt(at) - 33) * 94 + next.charCodeAt(at + 1) - 33;
  }
  spend(effort, index);
  return automaton.accepts[state] === "1";
}

const mostLooks = 1000000;
/** Of a step that is followed. */
const stepCost = 2;
/** The character. */
const one = 0x31;

const takeCharacter = 0;
const split = 1;
const assertion = 2;
const accept = 3;

const none = 0;
const newline = 1;
const word = 2;
const other = 3;

function kindOf(byte) {
  if (byte === 10) return newline;
  const isWord =
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x5f ||
    (byte >= 0x61 && byte <= 0x7a);
  return isWord ? word : other;
}

/** `operations`, `targets`, `next`: of each step. `sets`: of each set 256 characters, `1` for those in it. */
function simulate(automaton, bytes, effort) {
  const operations = automaton.operations;
  const targets = automaton.targets;
  const next = automaton.next;
  const sets = automaton.sets;
  const length = bytes.length;
  makeRoom(effort, operations.length);
  let before = none;
  let after = length > 0 ? kindOf(bytes[0]) : none;
  effort.turn++;
  let count = reach(automaton, effort, automaton.start, 0, before, after);
  for (let index = 0; index < length; index++) {
    if (count === 0) return false;
    const byte = bytes[index];
    const waiting = effort.reached;
    effort.reached = effort.waiting;
    effort.waiting = waiting;
    before = after;
    after = index + 1 < length ? kindOf(bytes[index + 1]) : none;
    spend(effort, count + 1);
    effort.turn++;
    let found = 0;
    for (let at = 0; at < count; at++) {
      const step = waiting[at];
      if (operations[step] !== takeCharacter) continue;
      if (sets[targets[step]].charCodeAt(byte) !== one) continue;
      found = reach(automaton, effort, next[step], found, before, after);
    }
    count = found;
  }
  for (let at = 0; at < count; at++) if (operations[effort.reached[at]] === accept) return true;
  return false;
}

function makeRoom(effort, size) {
  if (effort.size >= size) return;
  effort.size = size;
  effort.marks = new Uint32Array(size);
  effort.turn = 0;
  effort.waiting = new Uint16Array(size);
  effort.reached = new Uint16Array(size);
  effort.pending = new Uint16Array(size + 1);
}

/**
 * Adds to `reached`, which has `count` steps, all that `first` leads to without a character, between one of kind `before` and one of kind `after`;
 * gives the new count. `marks` has the turn in which each step was reached last.
 */
function reach(automaton, effort, first, count, before, after) {
  const operations = automaton.operations;
  const marks = effort.marks;
  const turn = effort.turn;
  const reached = effort.reached;
  const pending = effort.pending;
  let seen = 0;
  let left = 1;
  pending[0] = first;
  while (left > 0) {
    const step = pending[--left];
    if (marks[step] === turn) continue;
    marks[step] = turn;
    seen++;
    const operation = operations[step];
    if (operation === split) {
      pending[left++] = automaton.next[step];
      pending[left++] = automaton.targets[step];
    } else if (operation === assertion) {
      if (holds(automaton.assertions[automaton.targets[step]], before, after))
        pending[left++] = automaton.next[step];
    } else {
      reached[count++] = step;
    }
  }
  spend(effort, seen * stepCost);
  return count;
}

function holds(given, before, after) {
  switch (given) {
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
    default:
      return (before === word) === (after === word);
  }
}

export default { matches, newEffort, spend };

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
function matches(automaton, text) {
  const bytes = Buffer.from(text);
  return automaton.classes !== undefined ? walk(automaton, bytes) : simulate(automaton, bytes);
}

function walk(automaton, bytes) {
  const classes = automaton.classes;
  const next = automaton.next;
  const width = automaton.width * 2;
  let state = 1;
  for (let index = 0; index < bytes.length; index++) {
    const at = state * width + (classes.charCodeAt(bytes[index]) - 33) * 2;
    state = (next.charCodeAt(at) - 33) * 94 + next.charCodeAt(at + 1) - 33;
    if (state === 0) return false;
  }
  return automaton.accepts[state] === "1";
}

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
function simulate(automaton, bytes) {
  let steps = reach(automaton, [automaton.start], none, bytes.length > 0 ? kindOf(bytes[0]) : none);
  let before = none;
  for (let index = 0; index < bytes.length; index++) {
    const found = [];
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at];
      if (automaton.operations[step] !== takeCharacter) continue;
      if (automaton.sets[automaton.targets[step]][bytes[index]] === "1") found.push(automaton.next[step]);
    }
    if (found.length === 0) return false;
    before = kindOf(bytes[index]);
    steps = reach(automaton, found, before, index + 1 < bytes.length ? kindOf(bytes[index + 1]) : none);
  }
  for (let at = 0; at < steps.length; at++) if (automaton.operations[steps[at]] === accept) return true;
  return false;
}

/** All steps that `first` lead to without a character, between one of kind `before` and one of kind `after`. */
function reach(automaton, first, before, after) {
  const seen = [];
  const found = [];
  const pending = first.slice();
  while (pending.length > 0) {
    const step = pending.pop();
    if (seen[step]) continue;
    seen[step] = true;
    const operation = automaton.operations[step];
    if (operation === split) {
      pending.push(automaton.next[step]);
      pending.push(automaton.targets[step]);
    } else if (operation === assertion) {
      if (holds(automaton.assertions[automaton.targets[step]], before, after))
        pending.push(automaton.next[step]);
    } else {
      found.push(step);
    }
  }
  return found;
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

export default { matches };

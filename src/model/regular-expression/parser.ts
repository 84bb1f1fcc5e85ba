/*
 * A parser for the regular expressions that RE2 (Envoy), PCRE (NGINX, HAProxy) and this program read alike: RE2's
 * syntax, which has no look-around and no back-references, without the few forms that PCRE gives another meaning
 * (`\v`, octal escapes, `{,n}`, `[:alpha:]` outside of a class, a `-` after `\d` in a class, …). What is tested are bytes, of which some proxies would see
 * two in a letter with an accent and some one: so sources are ASCII, and bytes above are written by their number.
 *
 *   choice   = sequence { "|" sequence }
 *   sequence = { atom [ repetition ] }
 *   atom     = character | "." | "^" | "$" | escape | class | group | flags
 *
 * It reads the source once from left to right; the limits below bound the tree that comes out.
 */
import {
  characterSet,
  digits,
  isUnicodeProperty,
  posixClasses,
  spaces,
  wordCharacters,
  type CharacterSet,
  type SetOptions,
  type SetPart,
} from "./character-set.ts";
import {
  assertionTree,
  joinTrees,
  repeatTree,
  setTree,
  type Assertion,
  type SyntaxTree,
} from "./syntax-tree.ts";

/** The API allows 1,024 characters for a path and 4,096 for a header. */
const longestSource = 4096;
/** RE2's own limit, for one count and for the product of nested ones. */
export const largestCount = 1000;
/** Counted repetitions are written out: `(ab){100}` is two hundred steps. A source without any has fewer steps than characters. */
export const largestProgram = 2000;
/** PCRE stops at 250. */
const deepestNesting = 200;

export class SyntaxProblem extends Error {
  readonly code = "REGULAR_EXPRESSION_SYNTAX";
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

interface Flags {
  readonly ignoresCase: boolean;
  /** `(?m)` */
  readonly seesLines: boolean;
  /** `(?s)` */
  readonly dotTakesNewline: boolean;
}

const literalEscapes = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
]);
const perlClasses = new Map<string, readonly SetPart[]>([
  ["d", digits],
  ["w", wordCharacters],
  ["s", spaces],
  ["D", [{ except: digits }]],
  ["W", [{ except: wordCharacters }]],
  ["S", [{ except: spaces }]],
]);
const assertions = new Map<string, Assertion>([
  ["A", "text start"],
  ["z", "text end"],
  ["b", "word boundary"],
  ["B", "no word boundary"],
]);

const countedRepetition = /\{(\d+)(,?)(\d*)\}/y;
const missingMinimum = /\{,\d+\}/y;
const hexEscape = /x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/y;
const propertyEscape = /([pP])(?:([A-Z])|\{(\^?)(\w+)\})/y;
const groupName = /\?P?<([A-Za-z_]\w{0,31})>/y;
const flagGroup = /\?([imsU]+)?(?:-([imsU]+))?([:)])/y;
const namedClass = /\[:(\^?)(.*?):\]/y;
const collation = /\[([.=])[^\]]*?\1\]/y;
const classOutside = /\[([:.=])[^\]]*?\1\]/y;
const controlOrSurrogate = /[^ -~\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/u;
const aboveAscii = /[^\0-\x7f]/u;

/** Throws `SyntaxProblem`. */
export function parse(source: string): SyntaxTree {
  return new Parser(source).parse();
}

class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;
  #flags: Flags = { ignoresCase: false, seesLines: false, dotTakesNewline: false };
  readonly #names = new Set<string>();
  readonly #sets = new Map<string, CharacterSet>();

  constructor(source: string) {
    this.#source = source;
  }

  parse(): SyntaxTree {
    const { length } = this.#source;
    if (length > longestSource) {
      this.#fail(`it has ${length} characters, but at most ${longestSource} are allowed`, longestSource);
    }
    const control = this.#source.search(controlOrSurrogate);
    if (control >= 0) this.#fail("it has a control character, which no request can have", control);
    const [letter] = aboveAscii.exec(this.#source) ?? [];
    if (letter !== undefined) this.#fail(describeLetter(letter), this.#source.indexOf(letter));
    const tree = this.#parseChoice();
    if (this.#at < length) this.#fail("this ) has no (", this.#at);
    if (tree.size > Math.max(largestProgram, length)) {
      this.#fail(
        `its repetitions make it ${tree.size} steps long, but at most ${largestProgram} are allowed`,
        0,
      );
    }
    return tree;
  }

  #parseChoice(): SyntaxTree {
    const parts = [this.#parseSequence()];
    while (this.#take("|")) parts.push(this.#parseSequence());
    return joinTrees("choice", parts);
  }

  #parseSequence(): SyntaxTree {
    const parts: SyntaxTree[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#next())) {
      const start = this.#at;
      if (this.#takeRepetition()) this.#fail("there is nothing to repeat before this", start);
      const atoms = this.#parseAtoms();
      const repetitionAt = this.#at;
      const repetition = this.#takeRepetition();
      if (!repetition) {
        parts.push(...atoms);
        continue;
      }
      const last = atoms.pop();
      if (!last) this.#fail("there is nothing to repeat before this", repetitionAt);
      parts.push(...atoms, this.#repeat(last, repetition, repetitionAt));
    }
    return joinTrees("sequence", parts);
  }

  #repeat(part: SyntaxTree, { min, max }: Repetition, at: number): SyntaxTree {
    const second = this.#at;
    if (this.#takeRepetition()) {
      this.#fail("a repetition cannot be repeated, nor be possessive; put it into (?:…)", second);
    }
    const tree = repeatTree(part, min, max);
    if (tree.counted > largestCount)
      this.#fail(`nested counts repeat this more than ${largestCount} times`, at);
    return tree;
  }

  #takeRepetition(): Repetition | undefined {
    const repetition = this.#takeOperator();
    if (repetition) this.#take("?");
    return repetition;
  }

  #takeOperator(): Repetition | undefined {
    const infinity = Number.POSITIVE_INFINITY;
    if (this.#take("*")) return { min: 0, max: infinity };
    if (this.#take("+")) return { min: 1, max: infinity };
    if (this.#take("?")) return { min: 0, max: 1 };
    if (this.#next() !== "{") return undefined;
    const start = this.#at;
    if (this.#match(missingMinimum)) this.#fail("a count needs its minimum: write {0,…}", start);
    const found = this.#match(countedRepetition);
    if (!found) return undefined;
    const [, first = "", comma, second = ""] = found;
    if (/^0\d/.test(first) || /^0\d/.test(second)) this.#fail("a count cannot begin with 0", start);
    const min = Number(first);
    const max = comma === "" ? min : second === "" ? infinity : Number(second);
    if (min > largestCount || (max !== infinity && max > largestCount)) {
      this.#fail(`at most ${largestCount} repetitions are allowed`, start);
    }
    if (min > max) this.#fail("the minimum is larger than the maximum", start);
    return { min, max };
  }

  /** One atom, or none (flags), or several (quoted text, of which a repetition takes the last). */
  #parseAtoms(): SyntaxTree[] {
    const start = this.#at;
    switch (this.#next()) {
      case "(":
        return this.#parseGroup();
      case "[":
        return [this.#parseClass()];
      case ".":
        this.#at++;
        return [this.#set(this.#flags.dotTakesNewline ? [] : [range(10)], { negated: true })];
      case "^":
        this.#at++;
        return [assertionTree(this.#flags.seesLines ? "line start" : "text start")];
      case "$":
        this.#at++;
        return [assertionTree(this.#flags.seesLines ? "line end" : "text end")];
      case "\\":
        this.#at++;
        if (this.#take("Q")) return this.#parseQuoted();
        return [this.#parseEscape(start)];
      default:
        return [this.#literal(this.#takeCharacter())];
    }
  }

  #parseEscape(start: number): SyntaxTree {
    const assertion = assertions.get(this.#next());
    if (assertion) {
      this.#at++;
      return assertionTree(assertion);
    }
    const parts = this.#takeClassEscape(start);
    if (parts) return this.#set(parts, this.#flags);
    return this.#literal(this.#takeEscapedCharacter(start));
  }

  #parseQuoted(): SyntaxTree[] {
    const end = this.#source.indexOf("\\E", this.#at);
    const text = this.#source.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 2;
    return Array.from(text, (character) => this.#literal(character.codePointAt(0)!));
  }

  #parseGroup(): SyntaxTree[] {
    const start = this.#at++;
    const saved = this.#flags;
    if (this.#next() === "?") {
      const name = this.#match(groupName)?.[1];
      if (name !== undefined) {
        if (this.#names.has(name)) this.#fail(`there is already a group with the name ${name}`, start);
        this.#names.add(name);
      } else if (!this.#takeFlags(start)) {
        return [];
      }
    }
    if (++this.#depth > deepestNesting)
      this.#fail(`groups are nested more than ${deepestNesting} deep`, start);
    const tree = this.#parseChoice();
    if (!this.#take(")")) this.#fail("this ( has no )", start);
    this.#depth--;
    this.#flags = saved;
    return [tree];
  }

  /** Whether a group begins with these flags; else they hold for the rest of the group around them. */
  #takeFlags(start: number): boolean {
    const found = this.#match(flagGroup);
    const [whole, on = "", off = "", end] = found ?? ["?)"];
    if (whole === "?)") this.#fail(this.#describeGroup(), start);
    this.#flags = {
      ignoresCase: (this.#flags.ignoresCase || on.includes("i")) && !off.includes("i"),
      seesLines: (this.#flags.seesLines || on.includes("m")) && !off.includes("m"),
      dotTakesNewline: (this.#flags.dotTakesNewline || on.includes("s")) && !off.includes("s"),
    };
    return end === ":";
  }

  #describeGroup(): string {
    const rest = this.#source.slice(this.#at);
    if (/^\?<?[=!]/.test(rest)) return "look-around is not supported";
    if (rest.startsWith("?P=")) return "back-references are not supported";
    if (rest.startsWith("?>")) return "atomic groups are not supported";
    if (/^\?P?</.test(rest))
      return "the name of a group has letters, digits and _, at most 32, and ends with >";
    return "groups begin with (, (?:, (?P<name>, (?<name> or flags of i, m, s and U";
  }

  #parseClass(): SyntaxTree {
    const start = this.#at;
    if (this.#match(classOutside)) this.#fail("a named class stands inside another pair of brackets", start);
    this.#at = start + 1;
    const negated = this.#take("^");
    const parts: SetPart[] = [];
    for (let isFirst = true; isFirst || this.#next() !== "]"; isFirst = false) {
      if (this.#at >= this.#source.length) this.#fail("this [ has no ]", start);
      this.#parseClassPart(parts);
    }
    this.#at++;
    return this.#set(parts, { negated, ignoresCase: this.#flags.ignoresCase });
  }

  #parseClassPart(parts: SetPart[]): void {
    const start = this.#at;
    const several = this.#takeSeveral(start);
    if (several) {
      parts.push(...several);
      if (this.#next() === "-" && this.#source[this.#at + 1] !== "]") {
        this.#fail("a range cannot begin with a class; put the - at the end or write \\-", this.#at);
      }
      return;
    }
    const from = this.#takeClassCharacter();
    let to = from;
    if (this.#next() === "-" && this.#at + 1 < this.#source.length && this.#source[this.#at + 1] !== "]") {
      this.#at++;
      const end = this.#at;
      if (this.#takeSeveral(end)) this.#fail("a range cannot end with a class", end);
      to = this.#takeClassCharacter();
      if (to < from) this.#fail("the range ends before it begins", start);
    }
    parts.push({ from, to });
  }

  /** `[:alpha:]`, `\d`, `\pL` and the like inside of a class. */
  #takeSeveral(start: number): readonly SetPart[] | undefined {
    if (this.#next() === "[") {
      if (this.#match(collation)) this.#fail("collating elements are not supported", start);
      const named = this.#match(namedClass);
      if (!named) return undefined;
      const [whole, caret, name = ""] = named;
      const parts = posixClasses.get(name);
      if (!parts) this.#fail(`there is no class ${whole}`, start);
      return caret === "^" ? [{ except: parts }] : parts;
    }
    if (this.#next() !== "\\") return undefined;
    this.#at++;
    const parts = this.#takeClassEscape(start);
    if (!parts) this.#at = start;
    return parts;
  }

  #takeClassCharacter(): number {
    const start = this.#at;
    if (!this.#take("\\")) return this.#takeCharacter();
    return this.#takeEscapedCharacter(start);
  }

  #takeClassEscape(start: number): readonly SetPart[] | undefined {
    const parts = perlClasses.get(this.#next());
    if (parts) {
      this.#at++;
      return parts;
    }
    if (!"pP".includes(this.#next() || " ")) return undefined;
    const [, kind, letter, caret, name] = this.#match(propertyEscape) ?? [];
    const property = letter ?? name ?? "";
    if (!isUnicodeProperty(property)) {
      this.#fail("\\p wants a general category or a script of Unicode, as \\pL or \\p{Greek}", start);
    }
    const isNegated = (kind === "P") !== (caret === "^");
    return isNegated ? [{ except: [{ property }] }] : [{ property }];
  }

  #takeEscapedCharacter(start: number): number {
    const next = this.#next();
    if (next === "") this.#fail("it ends with a backslash", start);
    const code = literalEscapes.get(next);
    if (code !== undefined || /[!-/:-@[-^`{-~ ]/.test(next)) {
      this.#at++;
      return code ?? next.charCodeAt(0);
    }
    const [, two, braced] = this.#match(hexEscape) ?? [];
    const hex = Number.parseInt(two ?? braced ?? "", 16);
    if (hex <= 0xff) return hex;
    if (next === "x") this.#fail("\\x wants two hex digits: what is tested are bytes", start);
    if (/[1-9]/.test(next)) return this.#fail("back-references are not supported", start);
    return this.#fail(
      `\\${next} is not supported; write \\x and two hex digits for a byte by its number`,
      start,
    );
  }

  /** Sets that are written alike are one and the same. */
  #set(parts: readonly SetPart[], { negated = false, ignoresCase = false }: SetOptions): SyntaxTree {
    const set = characterSet(parts, { negated, ignoresCase });
    const known = this.#sets.get(set.key);
    if (!known) this.#sets.set(set.key, set);
    return setTree(known ?? set);
  }

  #literal(codePoint: number): SyntaxTree {
    return this.#set([range(codePoint)], this.#flags);
  }

  /** The next character, `""` at the end. */
  #next(): string {
    return this.#source[this.#at] ?? "";
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  #takeCharacter(): number {
    return this.#source.charCodeAt(this.#at++);
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }

  #fail(message: string, at: number): never {
    throw new SyntaxProblem(message, at);
  }
}

/** With what to write instead. */
function describeLetter(letter: string): string {
  const escaped = encodeURIComponent(letter);
  return `it has the letter ${letter}, but what is tested are bytes: write ${escaped.replaceAll("%", "\\x")}, or ${escaped} in a path`;
}

interface Repetition {
  readonly min: number;
  /** Infinity: open. */
  readonly max: number;
}

function range(codePoint: number): SetPart {
  return { from: codePoint, to: codePoint };
}

/*
 * Reads NGINX's syntax back, by the rules of NGINX's own reader: words are separated by space; a quote at the beginning of a word goes on to its
 * match; a backslash takes the special meaning from the next character; `;` and `{` end a directive outside of quotes, `#` begins a comment.
 * What was written is read before it is used: if the directives are not the very ones that were meant, it is not used.
 */
import { ConfigurationProblem } from "./configuration-problem.ts";
import type { Directive, Variable } from "./directive.ts";

export interface ReadDirective {
  readonly name: string;
  /** Variables as they are written. */
  readonly arguments: readonly string[];
  readonly block?: readonly ReadDirective[];
}

export function readDirectives(text: string): readonly ReadDirective[] {
  const reader = new Reader(text);
  const directives = reader.readBlock();
  if (!reader.isAtEnd) throw new ConfigurationProblem("there is a } too many");
  return directives;
}

/** Whether the text means exactly these directives. */
export function meansDirectives(text: string, directives: readonly Directive[]): boolean {
  return JSON.stringify(readDirectives(text)) === JSON.stringify(directives.map(asRead));
}

function asRead({ name, arguments: given, block }: Directive): ReadDirective {
  const words = given.map((argument) =>
    typeof argument === "string"
      ? argument
      : argument
          .map((part, index) => (typeof part === "string" ? part : asWritten(part, index, argument)))
          .join(""),
  );
  return { name, arguments: words, ...(block ? { block: block.map(asRead) } : {}) };
}

function asWritten({ variable }: Variable, index: number, argument: readonly unknown[]): string {
  return index === argument.length - 1 ? `$${variable}` : `\${${variable}}`;
}

const escaped: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["t", "\t"],
  ["r", "\r"],
  ["n", "\n"],
]);

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at >= this.#text.length;
  }

  /** Up to a `}`, which is left, or to the end. */
  readBlock(): ReadDirective[] {
    const directives: ReadDirective[] = [];
    while (!this.isAtEnd && this.#text[this.#at] !== "}") directives.push(this.#readDirective());
    return directives;
  }

  #readDirective(): ReadDirective {
    const words: string[] = [];
    for (;;) {
      this.#skipSpace();
      const next = this.#text[this.#at];
      if (next === undefined || next === "}") throw new ConfigurationProblem("a directive does not end");
      if (next === ";" || next === "{") {
        const [name, ...given] = words;
        if (name === undefined) throw new ConfigurationProblem(`there is an unexpected ${next}`);
        this.#at++;
        if (next === ";") return { name, arguments: given };
        const block = this.readBlock();
        if (this.#text[this.#at] !== "}") throw new ConfigurationProblem("a block does not end");
        this.#at++;
        return { name, arguments: given, block };
      }
      words.push(next === '"' || next === "'" ? this.#readQuoted(next) : this.#readWord());
    }
  }

  #readQuoted(quote: string): string {
    let word = "";
    this.#at++;
    for (;;) {
      const next = this.#text[this.#at++];
      if (next === undefined) throw new ConfigurationProblem("a quoted text does not end");
      if (next === quote) break;
      word += next === "\\" ? this.#readEscape() : next;
    }
    if (!/^[\s;{)]/.test(this.#text[this.#at] ?? "")) {
      throw new ConfigurationProblem("something follows a quoted text at once");
    }
    return word;
  }

  #readWord(): string {
    let word = "";
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || /[\s;{]/.test(next)) return word;
      this.#at++;
      if (next === "$" && this.#text[this.#at] === "{") {
        this.#at++;
        word += "${";
      } else {
        word += next === "\\" ? this.#readEscape() : next;
      }
    }
  }

  #readEscape(): string {
    const next = this.#text[this.#at++];
    if (next === undefined) throw new ConfigurationProblem("the text ends with a backslash");
    return escaped.get(next) ?? `\\${next}`;
  }

  #skipSpace(): void {
    for (;;) {
      const next = this.#text[this.#at];
      if (next === "#") {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (next !== undefined && /\s/.test(next)) {
        this.#at++;
      } else {
        return;
      }
    }
  }
}

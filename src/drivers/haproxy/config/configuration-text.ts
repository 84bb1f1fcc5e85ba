/*
 * The one place where text of HAProxy's configuration language is made. A configuration is data: sections of lines of words.
 * A word is written as it is only if all of its characters are harmless in every place; else it stands in strong
 * quotes, in which nothing but the quote itself means anything. What no quotes can hold (line ends, control characters) is
 * refused. So a word stays one word, a line one line, and a section one section, whatever is in them.
 */

export interface Section {
  /** `global`, `defaults`, `frontend` … */
  readonly keyword: string;
  /** None for `global`. */
  readonly name?: string;
  readonly lines: readonly Line[];
}

export type Line = readonly string[];

export class ConfigurationTextError extends Error {
  override readonly name = "ConfigurationTextError";
  readonly code = "GATEWRIGHT_HAPROXY_TEXT";
}

const harmless = /^[A-Za-z0-9_./:@,=+*(){}[\]!%-]+$/;
const unwritable = /[\p{Cc}\u2028\u2029]/u;
const keyword = /^[a-z]+$/;

export function renderConfiguration(sections: readonly Section[]): string {
  return sections.map(renderSection).join("\n");
}

export function renderSection({ keyword: word, name, lines }: Section): string {
  if (!keyword.test(word)) throw new ConfigurationTextError(`"${word}" is no keyword of a section.`);
  const head = name === undefined ? word : `${word} ${renderWord(name)}`;
  return `${head}\n${lines.map((line) => `    ${renderLine(line)}\n`).join("")}`;
}

export function renderLine(line: Line): string {
  if (line.length === 0) throw new ConfigurationTextError("A line needs a keyword.");
  return line.map(renderWord).join(" ");
}

export function renderWord(word: string): string {
  if (harmless.test(word)) return word;
  const found = unwritable.exec(word);
  if (found) {
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    throw new ConfigurationTextError(`A value has the character U+${code}, which no configuration can hold.`);
  }
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A line whose constant part is split into its words at blanks; each value in it is one word, whatever is in it. */
export function line(constant: TemplateStringsArray, ...values: readonly string[]): Line {
  const words: string[] = [];
  for (const [index, text] of constant.entries()) {
    words.push(...text.split(" ").filter((word) => word !== ""));
    const value = values[index];
    if (value === undefined) continue;
    const next = constant[index + 1]!;
    if (!/(?:^| )$/.test(text) || !/^(?: |$)/.test(next)) {
      throw new ConfigurationTextError("A value must be a word of its own.");
    }
    words.push(value);
  }
  return words;
}

/*
 * Reads a configuration back by HAProxy's own rules for words: blanks separate, `#` begins a comment, a backslash takes the next
 * character as it is, weak quotes leave backslashes and `$` their meaning, strong quotes leave nothing a meaning. What was
 * meant and what HAProxy will see are compared before HAProxy sees it.
 */
import {
  ConfigurationTextError,
  renderConfiguration,
  type Line,
  type Section,
} from "./configuration-text.ts";

const sectionKeywords: ReadonlySet<string> = new Set([
  "global",
  "defaults",
  "frontend",
  "backend",
  "listen",
  "http-errors",
  "resolvers",
  "peers",
  "userlist",
  "mailers",
  "cache",
  "program",
  "ring",
  "fcgi-app",
]);

/** The text of the sections, which reads back as exactly these sections. */
export function checkedConfiguration(sections: readonly Section[]): string {
  const text = renderConfiguration(sections);
  const read = readConfiguration(text);
  if (JSON.stringify(read) !== JSON.stringify(sections.map(comparable))) {
    throw new ConfigurationTextError("The configuration would not be read as it was meant.");
  }
  return text;
}

function comparable({ keyword, name, lines }: Section): Section {
  return name === undefined ? { keyword, lines } : { keyword, name, lines };
}

export function readConfiguration(text: string): readonly Section[] {
  const sections: { keyword: string; name?: string; lines: Line[] }[] = [];
  for (const line of text.split("\n")) {
    const [first, ...rest] = readWords(line);
    if (first === undefined) continue;
    if (sectionKeywords.has(first)) {
      const [name] = rest;
      sections.push(name === undefined ? { keyword: first, lines: [] } : { keyword: first, name, lines: [] });
    } else {
      const section = sections.at(-1);
      if (!section) throw new ConfigurationTextError("There is a line before the first section.");
      section.lines.push([first, ...rest]);
    }
  }
  return sections;
}

export function readWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: "" | "'" | '"' = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote === "'") {
      if (character === "'") quote = "";
      else word += character;
    } else if (character === "\\") {
      word = (word ?? "") + (line[++at] ?? "");
    } else if (character === '"' || (character === "'" && quote === "")) {
      quote = quote === character ? "" : character;
      word ??= "";
    } else if (quote === '"') {
      word += character;
    } else if (character === " " || character === "\t" || character === "\r") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "#") {
      break;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== "") throw new ConfigurationTextError("A quote is not closed.");
  if (word !== undefined) words.push(word);
  return words;
}

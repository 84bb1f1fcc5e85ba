import fc from "fast-check";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { contentStart, splitDocuments } from "./split-documents.ts";

const split = (text: string) =>
  (splitDocuments(text, 100) ?? []).map(({ start, end }) => text.slice(start, end));

describe("splitDocuments", () => {
  it.each<[string, string, string[]]>([
    ["nothing", "", []],
    ["white space and comments", "\n# nothing\n  \n", []],
    ["one document", "a: 1\n", ["a: 1\n"]],
    ["no line end", "a: 1", ["a: 1"]],
    ["two documents", "a: 1\n---\nb: 2\n", ["a: 1\n", "---\nb: 2\n"]],
    ["empty documents", "---\n---\n# c\n---\na: 1\n---\n", ["---\na: 1\n"]],
    ["a comment before the first marker", "# Source: x\n---\na: 1\n", ["---\na: 1\n"]],
    ["a comment on the marker's line", "--- # Source: x\na: 1\n", ["--- # Source: x\na: 1\n"]],
    ["content on the marker's line", "--- {a: 1}\n--- |\n text\n", ["--- {a: 1}\n", "--- |\n text\n"]],
    ["a tab after the marker", "a: 1\n---\tb\n", ["a: 1\n", "---\tb\n"]],
    ["longer lines of dashes", "a: 1\n----\n---b: 2\n", ["a: 1\n----\n---b: 2\n"]],
    ["indented dashes in a text", "a: |\n  ---\n  b\n---\nc: 1\n", ["a: |\n  ---\n  b\n", "---\nc: 1\n"]],
    ["an end marker", "a: 1\n...\nb: 2\n", ["a: 1\n", "b: 2\n"]],
    ["an end marker and a start", "a: 1\n... # end\n# c\n---\nb: 2\n", ["a: 1\n", "---\nb: 2\n"]],
    ["dots in a text", "a: ...\n....\n", ["a: ...\n....\n"]],
    [
      "directives",
      "%YAML 1.2\n# c\n---\na: 1\n...\n%TAG ! x\n---\nb: 1\n",
      ["%YAML 1.2\n# c\n---\na: 1\n", "%TAG ! x\n---\nb: 1\n"],
    ],
    ["a byte order mark", "\uFEFF---\na: 1\n", ["---\na: 1\n"]],
    ["CRLF", "a: 1\r\n---\r\nb: 2\r\n...\r\n", ["a: 1\r\n", "---\r\nb: 2\r\n"]],
    ["a marker at the very end", "a: 1\n---", ["a: 1\n"]],
    ["a hash that is no comment", "#a\n---\na#b: 1\n", ["---\na#b: 1\n"]],
  ])("%s", (_name, text, documents) => {
    expect(split(text)).toEqual(documents);
  });

  it("finds what a YAML reader finds", () => {
    const line = fc.constantFrom(
      "---",
      "--- # c",
      "--- {x: 1}",
      "...",
      "... # c",
      "# c",
      "",
      "a: 1",
      "b: |",
      "  ---",
      "  ...",
      "----",
      "c: '",
      "- x",
      "%YAML 1.2",
    );
    const texts = fc
      .tuple(fc.array(line), fc.constantFrom("\n", "\r\n"))
      .map(([lines, end]) => lines.join(end) + end);
    fc.assert(
      fc.property(texts, (text) => {
        let whole: unknown[];
        try {
          whole = loadAll(text);
        } catch {
          return;
        }
        const parts = split(text).map((part) => loadAll(part));
        expect(parts.every((values) => values.length === 1)).toBe(true);
        // The reader counts documents with nothing in them.
        const isSomething = (value: unknown) => value !== null;
        expect(parts.flat().filter(isSomething)).toEqual(whole.filter(isSomething));
      }),
      { numRuns: 3000 },
    );
  });

  it("gives up on too many", () => {
    expect(splitDocuments("---\na\n".repeat(3), 3)).toHaveLength(3);
    expect(splitDocuments("---\na\n".repeat(4), 3)).toBeUndefined();
    expect(splitDocuments("---\n".repeat(40), 3)).toEqual([]);
  });

  it("tells where the content begins", () => {
    const text = "---\n# Source: x\n\n  a: 1\n";
    expect(contentStart(text, 0, text.length)).toBe(text.indexOf("a"));
  });
});

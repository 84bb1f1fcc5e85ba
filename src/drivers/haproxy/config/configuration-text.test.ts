import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkedConfiguration, readConfiguration, readWords } from "./configuration-reader.ts";
import { ConfigurationTextError, line, renderLine, renderWord } from "./configuration-text.ts";

/** Whatever somebody could write into an object, with what means something to HAProxy more often than by chance. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        "\\",
        "$",
        "${HOME}",
        "%",
        "%[src]",
        "#",
        "{",
        "}",
        ";",
        " ",
        "\t",
        "\\'",
        "'\\''",
        "\n",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

const unwritable = /[\p{Cc}\u2028\u2029]/u;

/** What becomes of a line: its words as they are read again, or that it is refused. */
function outcomeOf(words: readonly string[]): readonly string[] | "refused" {
  try {
    const text = renderLine(words);
    return text.includes("\n") ? ["several lines"] : readWords(text);
  } catch (error) {
    if (error instanceof ConfigurationTextError) return "refused";
    throw error;
  }
}

describe("text of a configuration", () => {
  it("holds a value as one word, or refuses it", () => {
    fc.assert(
      fc.property(nasty, nasty, (first, second) => {
        const words = ["keyword", first, second];
        expect(outcomeOf(words)).toEqual(words.some((word) => unwritable.test(word)) ? "refused" : words);
      }),
      { numRuns: 2000 },
    );
  });

  it("has the sections that were meant and no others", () => {
    fc.assert(
      fc.property(
        fc.array(
          nasty.filter((text) => !unwritable.test(text)),
          { maxLength: 5 },
        ),
        (values) => {
          const sections = values.map((value, index) => ({
            keyword: "backend",
            name: `b${index}`,
            lines: [line`description ${value}`, line`mode http`],
          }));
          expect(readConfiguration(checkedConfiguration(sections))).toEqual(sections);
        },
      ),
    );
  });

  it("takes a megabyte, and an empty value", () => {
    const long = "'\"\\ $".repeat(200_000);
    expect(readWords(renderWord(long))).toEqual([long]);
    expect(readWords(renderLine(["description", ""]))).toEqual(["description", ""]);
  });

  it.each(["\n", "\r", "\0", "\t", "\u001b", "\u2028"])("refuses %j", (character) => {
    expect(() => renderWord(`a${character}b`)).toThrow(/U\+[0-9A-F]{4}/);
  });

  it("lets no value be a part of a word", () => {
    expect(() => line`bind unix@${"x"}`).toThrow(ConfigurationTextError);
    expect(line`bind ${"a b"} ssl`).toEqual(["bind", "a b", "ssl"]);
  });

  it("notices a section's keyword where none was meant", () => {
    expect(() =>
      checkedConfiguration([{ keyword: "backend", name: "a", lines: [["backend", "b"]] }]),
    ).toThrow(ConfigurationTextError);
  });

  it.each([
    ["a 'b c' d", ["a", "b c", "d"]],
    [`a "b\\"c" # d`, ["a", 'b"c']],
    ["a\\ b", ["a b"]],
    ["'it'\\''s'", ["it's"]],
    ["", []],
  ])("reads %j as HAProxy does", (text, words) => {
    expect(readWords(text)).toEqual(words);
  });
});

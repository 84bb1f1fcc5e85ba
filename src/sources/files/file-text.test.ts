import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsciiText, changedPart, readText, type FileText } from "./file-text.ts";

const asciiText = (text: string) => new AsciiText(Buffer.from(text, "latin1"));

describe("readText", () => {
  const line = "kind: HTTPRoute\n";
  const large = line.repeat(20_000);

  it("keeps the bytes of large files in ASCII", () => {
    const read = readText(Buffer.from(large));
    expect(read).toMatchObject({ outcome: "text", text: { length: large.length } });
    const text = (read as { text: FileText }).text;
    expect(text).toBeInstanceOf(AsciiText);
    expect(text.slice(16, 32)).toBe(line);
  });

  it.each([
    ["small", line],
    ["not all ASCII", `${large}# ä\n`],
    ["with lone carriage returns", `${large}# a\rb: 1\n`],
  ])("makes a string of a file that is %s", (_name, text) => {
    expect(readText(Buffer.from(text))).toEqual({ outcome: "text", text: text.replace("\r", "\n") });
  });

  it("refuses what is not text", () => {
    expect(readText(Buffer.from(`${large}\0`))).toMatchObject({ outcome: "not-text" });
  });
});

describe("changedPart", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 8 });
  // Long enough for several steps of the search, now and then.
  const padding = fc.constantFrom("", "ab".repeat(40_000), "a".repeat(65_536));
  const kinds = fc.constantFrom((text: string): FileText => text, asciiText);

  it("is between a beginning and an end that are the same, and no longer than it must be", () => {
    fc.assert(
      fc.property(padding, piece, piece, padding, kinds, kinds, (head, a, b, tail, one, other) => {
        const before = head + a + tail;
        const after = head + b + tail;
        const part = changedPart(one(before), other(after));
        if (before === after) return part === undefined;
        const { start, oldEnd, newEnd } = part!;
        const middles = [before.slice(start, oldEnd), after.slice(start, newEnd)] as const;
        return (
          before.slice(0, start) === after.slice(0, start) &&
          before.slice(oldEnd) === after.slice(newEnd) &&
          (middles.includes("") ||
            (middles[0][0] !== middles[1][0] && middles[0].at(-1) !== middles[1].at(-1)))
        );
      }),
    );
  });
});

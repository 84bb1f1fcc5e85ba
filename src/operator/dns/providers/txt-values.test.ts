import { describe, expect, it } from "vitest";
import { quoteText, splitText, unquoteText } from "./txt-values.ts";

describe("texts of zone files", () => {
  it.each([
    ["plain", '"plain"'],
    ["", '""'],
    ['a "quote" and a \\', '"a \\"quote\\" and a \\\\"'],
    ["tab\t", '"tab\\009"'],
    ["ü", '"\\195\\188"'],
  ])("%j is %s", (text, quoted) => {
    expect(quoteText(text)).toBe(quoted);
    expect(unquoteText(quoted)).toBe(text);
  });

  it("have octal digits with Route 53", () => {
    expect(quoteText("tab\t", 8)).toBe('"tab\\011"');
    expect(unquoteText('"tab\\011"', 8)).toBe("tab\t");
  });

  it("are strings of at most 255 bytes, not cut in the middle of a character", () => {
    const text = `${"x".repeat(254)}ü${"y".repeat(300)}`;
    expect(splitText(text).map((one) => Buffer.byteLength(one))).toEqual([254, 255, 47]);
    expect(splitText(text).join("")).toBe(text);
    expect(unquoteText(quoteText(text))).toBe(text);
  });

  it("may come without quotes, or with more than one string", () => {
    expect(unquoteText("no quotes")).toBe("no quotes");
    expect(unquoteText('"one" "two"')).toBe("onetwo");
  });
});

import { describe, expect, it } from "vitest";
import { printable } from "./printable.ts";
import { styleFor, wantsColours } from "./style.ts";
import { displayWidth, renderTable } from "./table.ts";
import { PassThrough } from "node:stream";

describe("text of others on a terminal", () => {
  it.each([
    ["plain ✓ text", "plain ✓ text"],
    ["two\nlines\r\nand\ta tab", "two lines and a tab"],
    ["\u001b[31mred", "\\u001b[31mred"],
    ["\u009b31m", "\\u009b31m"],
    ["a\u202eb\u2066c", "a\\u202eb\\u2066c"],
    ["\u0000\u0007\u007f", "\\u0000\\u0007\\u007f"],
  ])("%j", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe("colours", () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const pipe = new PassThrough();

  it("are for terminals, unless somebody says otherwise", () => {
    expect(wantsColours(terminal, {})).toBe(true);
    expect(wantsColours(terminal, { NO_COLOR: "1" })).toBe(false);
    expect(wantsColours(terminal, { NO_COLOR: "" })).toBe(true);
    expect(wantsColours(terminal, { TERM: "dumb" })).toBe(false);
    expect(wantsColours(pipe, {})).toBe(false);
    expect(wantsColours(pipe, { FORCE_COLOR: "1" })).toBe(true);
    expect(wantsColours(pipe, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
  });

  it("leave text alone where they are not wanted", () => {
    expect(styleFor(false).red("x")).toBe("x");
    expect(styleFor(true).red("x")).toBe("\u001b[31mx\u001b[39m");
  });
});

describe("a table", () => {
  it("pads columns by what is seen, and ends lines with the last cell", () => {
    const { green } = styleFor(true);
    expect(
      renderTable(
        [
          ["A", "LONG", "C"],
          [green("aaa"), "b", ""],
          ["✓", "c", "d"],
        ],
        2,
      ),
    ).toEqual(["A    LONG  C", `${green("aaa")}  b`, "✓    c     d"]);
  });

  it("does not count colours", () => {
    expect(displayWidth(styleFor(true).bold("four"))).toBe(4);
  });
});

import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { refusedPathPattern } from "../../../model/index.ts";
import { refusedTargetPattern } from "./refused-path.ts";

const path = RE2JS.compile(refusedPathPattern);
const target = RE2JS.compile(refusedTargetPattern);

describe("paths that are refused", () => {
  it.each([
    ["/a/..;/b", true],
    ["/a/..%2Fb?x=1", true],
    ["/a/..?x", true],
    ["/a%?x", true],
    ["/a%2", true],
    ["/a%zz/b", true],
    ["/a..;/b", false],
    ["/a/b?x=/../%zz", false],
    ["/a%20b?%", false],
  ])("%s: %s", (text, isRefused) => {
    expect(target.matches(text)).toBe(isRefused);
  });

  it("are those of the model, whatever the query", () => {
    const piece = fc.constantFrom(
      "/",
      "a",
      ".",
      "..",
      ";",
      "%",
      "%2F",
      "%5c",
      "%3B",
      "%2",
      "f",
      "%zz",
      "%41",
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`);
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (given, query) => {
        const whole = query === undefined ? given : `${given}?${query}`;
        expect({ whole, isRefused: target.matches(whole) }).toEqual({
          whole,
          isRefused: path.matches(given),
        });
      }),
    );
  });
});

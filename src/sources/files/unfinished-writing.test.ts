import { describe, expect, it } from "vitest";
import { UnfinishedWriting } from "./unfinished-writing.ts";

describe("UnfinishedWriting", () => {
  it.each<[string, string, boolean, number]>([
    ["a text with a line end", "a: 1\n", true, 0],
    ["a text without one", "a: 1", true, 100],
    ["a text without one, in a new file", "a: 1", false, 100],
    ["JSON without one", ' {"a": 1}', true, 0],
    ["nothing, where there were objects", "", true, 2000],
    ["an empty line, where there were objects", " \n", true, 2000],
    ["nothing, where there was nothing", "", false, 0],
    ["a comment, where there were objects", "# a: 1\n", true, 0],
  ])("for %s", (_name, text, gaveObjects, wait) => {
    expect(new UnfinishedWriting().judge("x", text, { gaveObjects, now: 0 })).toBe(wait);
  });

  it("believes what has stood long enough, and begins anew when it changes", () => {
    const unfinished = new UnfinishedWriting();
    const judge = (text: string, now: number) => unfinished.judge("x", text, { gaveObjects: true, now });
    expect(judge("a", 0)).toBe(100);
    expect(judge("a", 60)).toBe(40);
    expect(judge("ab", 90)).toBe(100);
    expect(judge("ab", 190)).toBe(0);
    expect(judge("abc", 200)).toBe(100);
  });

  it("believes in the end what never comes to rest", () => {
    const unfinished = new UnfinishedWriting();
    const waits = Array.from({ length: 101 }, (_, i) =>
      unfinished.judge("x", `text ${i}`, { gaveObjects: true, now: i * 50 }),
    );
    expect(waits.slice(0, 98).every((wait) => wait === 100)).toBe(true);
    expect(waits.at(-1)).toBe(0);
  });
});

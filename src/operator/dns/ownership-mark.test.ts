import { describe, expect, it } from "vitest";
import { parseDomainName } from "./domain-name.ts";
import { markName, readMark, renderMark } from "./ownership-mark.ts";
import type { RecordSet } from "./provider.ts";

describe("a mark", () => {
  it("stands beside its name, never at it, and two names never share one", () => {
    const long = `${"a".repeat(60)}.`.repeat(4).slice(0, 253).replace(/[.]$/, "");
    const names = [
      "example.com",
      "*.example.com",
      "www.example.com",
      "any.example.com",
      long,
      `*.${long.slice(2)}`,
    ];
    const marks = names.map(markName);
    expect(marks.slice(0, 3)).toEqual([
      "_gatewright.example.com",
      "_gatewright-any.example.com",
      "_gatewright.www.example.com",
    ]);
    expect(new Set(marks).size).toBe(names.length);
    expect(marks.every((mark) => mark.length <= 253 && parseDomainName(mark) === mark)).toBe(true);
  });

  it("says whose the name is; other texts say nothing", () => {
    expect(readMark(renderMark("a.example.com", "c1", "shop/r"))).toBe("c1");
    const text = (value: string): RecordSet => ({ name: "a", type: "TXT", ttl: 1, values: [value] });
    expect(readMark(text("heritage=external-dns,external-dns/owner=c1"))).toBeUndefined();
    expect(readMark(undefined)).toBeUndefined();
  });
});

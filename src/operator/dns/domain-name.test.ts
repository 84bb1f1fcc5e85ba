import { describe, expect, it } from "vitest";
import { isWithin, parseDomainName } from "./domain-name.ts";

describe("names", () => {
  it("are lower-case, in ASCII form, without a dot at the end; a wildcard is one", () => {
    expect(["Shop.Example.COM.", "*.bücher.example", "_a.example.com"].map(parseDomainName)).toEqual([
      "shop.example.com",
      "*.xn--bcher-kva.example",
      "_a.example.com",
    ]);
  });

  it("are none if a label is empty, too long or of other characters", () => {
    const wrong = ["", ".", "a..b", "-a.com", "a b.com", "*", "a.*.com", `${"x".repeat(64)}.com`];
    expect(wrong.map(parseDomainName)).toEqual(wrong.map(() => undefined));
    expect(isWithin("evil-example.com", "example.com")).toBe(false);
    expect(isWithin("a.example.com", "example.com")).toBe(true);
  });
});

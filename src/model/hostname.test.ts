import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  HostTable,
  compareHostnames,
  hostnameCandidates,
  matchesHostname,
  normalizeHost,
} from "./hostname.ts";

describe("the host of an authority", () => {
  it.each([
    ["example.com", "example.com"],
    ["Example.COM:8080", "example.com"],
    ["example.com.", "example.com"],
    ["example.com.:443", "example.com"],
    ["example.com:", "example.com"],
    ["localhost", "localhost"],
    ["a_b.example.com", "a_b.example.com"],
    ["_dmarc.example.com", "_dmarc.example.com"],
    ["10.0.0.1:80", "10.0.0.1"],
    ["[::1]", "[::1]"],
    ["[2001:DB8::1]:443", "[2001:db8::1]"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ])("%s is %s", (authority, host) => {
    expect(normalizeHost(authority)).toBe(host);
  });

  it.each([
    "",
    ".",
    "..",
    ".example.com",
    "a..b",
    "example.com..",
    "-a.example.com",
    "*",
    "*.example.com",
    "a.*.com",
    "user@example.com",
    "exa mple.com",
    "example.com/",
    "example.com?x",
    "example.com\u0000",
    "example.com:80a",
    "example.com:99999",
    "example.com:80:80",
    "bücher.example",
    "K\u212a.example",
    "[::1",
    "::1",
    "[::1]x",
    "[::g]",
    "[fe80::1%25eth0]",
    "[]",
    "%65xample.com",
    "example.com,other.com",
    `${"a".repeat(63)}.`.repeat(5),
  ])("%j is none", (authority) => {
    expect(normalizeHost(authority)).toBeUndefined();
  });

  it("does not change when it is normalised again", () => {
    const authority = fc
      .array(fc.constantFrom("a", "B", "1", ".", "-", "_", ":80", "[", "]", "::1"), { maxLength: 8 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(authority, (given) => {
        const host = normalizeHost(given);
        fc.pre(host !== undefined);
        expect(normalizeHost(host)).toBe(host);
      }),
    );
  });
});

describe("which configured names take a host", () => {
  it("is listed from the most specific to the least", () => {
    expect(hostnameCandidates("a.b.c")).toEqual(["a.b.c", "*.b.c", "*.c", "*"]);
    expect(hostnameCandidates("localhost")).toEqual(["localhost", "*"]);
    expect(hostnameCandidates("10.0.0.1")).toEqual(["10.0.0.1", "*"]);
    expect(hostnameCandidates("[::1]")).toEqual(["[::1]", "*"]);
  });

  it.each([
    ["*", "anything", true],
    ["a.b", "a.b", true],
    ["a.b", "x.a.b", false],
    ["*.b", "a.b", true],
    ["*.b", "x.a.b", true],
    ["*.b", "b", false],
    ["*.b", ".b", false],
    ["*.b", "ab", false],
    ["*.1", "10.0.0.1", false],
  ])("%s takes %s: %s", (pattern, host, expected) => {
    expect(matchesHostname(pattern, host)).toBe(expected);
  });

  it("sorts exact names first, longer before shorter, * last", () => {
    const sorted = ["aaaa.b", "a.b", "b.b", "*.aaaaaaaa.b", "*.a.b", "*.b", "*"];
    expect(sorted.toReversed().toSorted(compareHostnames)).toEqual(sorted);
  });
});

const label = fc.constantFrom("a", "b", "c", "1", "__proto__", "constructor");
const host = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join("."));
const hostname = fc.oneof(
  host,
  host.map((name) => `*.${name}`),
  fc.constant("*"),
);

describe("a table of hosts", () => {
  it("finds what a scan of all names by specificity finds", () => {
    fc.assert(
      fc.property(fc.array(hostname, { maxLength: 20 }), host, (names, asked) => {
        const table = new HostTable<string>();
        for (const name of names) table.set(name, name);
        const expected = [...new Set(names)]
          .filter((name) => matchesHostname(name, asked))
          .toSorted(compareHostnames);
        expect(table.size).toBe(new Set(names).size);
        expect([...table.findAll(asked)]).toEqual(expected);
        expect(table.find(asked)).toBe(expected[0]);
      }),
      { numRuns: 1000 },
    );
  });

  it("forgets what is deleted", () => {
    const table = new HostTable<number>();
    for (const [position, name] of ["a.b", "*.b", "*"].entries()) table.set(name, position);
    expect(table.find("a.b")).toBe(0);
    expect(table.delete("a.b")).toBe(true);
    expect(table.delete("a.b")).toBe(false);
    expect(table.find("a.b")).toBe(1);
    expect(table.delete("*.b")).toBe(true);
    expect(table.find("a.b")).toBe(2);
    expect(table.get("*")).toBe(2);
    expect(table.delete("*")).toBe(true);
    expect(table.delete("*")).toBe(false);
    expect(table.find("a.b")).toBeUndefined();
    expect(table.size).toBe(0);
  });

  it("does not walk a host that no name could be", () => {
    const table = new HostTable<string>();
    table.set("*.example.com", "wildcard");
    table.set("*", "any");
    expect(table.find(`${"a.".repeat(1000)}example.com`)).toBe("any");
    expect(hostnameCandidates("a.".repeat(1000)).length).toBe(2);
  });
});

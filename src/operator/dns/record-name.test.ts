import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashHostname, recordNames } from "./record-name.ts";

describe("names of DNSRecords", () => {
  it.each([
    ["*.stage.example.com", "57b76476b6"],
    ["*.prod.example.com", "5bfc88bc87"],
  ])("0.2, 1.7.2: %s hashes to %s as in the design", (hostname, hash) => {
    expect(hashHostname(hostname)).toBe(hash);
    expect(recordNames("example-gateway", [hostname], { hashesDot: false }).get(hostname)).toBe(
      `example-gateway-${hash}-wildcard`,
    );
  });

  it.each([
    ["*.stage.example.com", "64754456b8"],
    ["*.prod.example.com", "76456f8647"],
  ])("0.3: %s hashes to %s as shipped, with a dot", (hostname, hash) => {
    expect(hashHostname(`${hostname}.`)).toBe(hash);
    expect(recordNames("example-gateway", [hostname], { hashesDot: true }).get(hostname)).toBe(
      `example-gateway-${hash}-wildcard`,
    );
  });

  it("1.7.2: end in -wildcard for exact hosts too", () => {
    expect(recordNames("web", ["www.example.com"], { hashesDot: false }).get("www.example.com")).toMatch(
      /^web-[bcdfghjklmnpqrstvwxz2456789]+-wildcard$/,
    );
  });

  it("are different for hostnames of one hash", () => {
    const [a, b] = collision();
    expect(hashHostname(a)).toBe(hashHostname(b));
    const names = recordNames("web", [a, b], { hashesDot: false });
    expect(new Set(names.values()).size).toBe(2);
    expect(recordNames("web", [b, a], { hashesDot: false })).toEqual(names);
  });

  it("are names that the API server takes, however long the Gateway's is", () => {
    const gateway = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,250}[a-z0-9])?$/);
    fc.assert(
      fc.property(gateway, fc.domain(), (name, hostname) => {
        const record = recordNames(name, [hostname], { hashesDot: false }).get(hostname) ?? "";
        expect(record.length).toBeLessThanOrEqual(253);
        expect(record).toMatch(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
      }),
    );
  });
});

/** By the birthday paradox, after some tens of thousands. */
function collision(): readonly [string, string] {
  const seen = new Map<string, string>();
  for (let i = 0; ; i++) {
    const hostname = `h${i.toString(36)}x${(i * 7919).toString(36)}.example.com`;
    const hash = hashHostname(hostname);
    const other = seen.get(hash);
    if (other !== undefined) return [other, hostname];
    seen.set(hash, hostname);
  }
}

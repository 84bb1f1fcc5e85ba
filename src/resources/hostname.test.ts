import { describe, expect, it } from "vitest";
import { isHostname, isWildcardHostname, judgeHostname } from "./hostname.ts";

const label = "a".repeat(63);

describe("hostnames", () => {
  it.each([
    "example.com",
    "*.example.com",
    "localhost",
    "*.com",
    "a-b.c1",
    "1.example",
    "xn--bcher-kva.example",
    `${label}.a`,
  ])("%s is one", (hostname) => {
    expect(judgeHostname(hostname)).toBeUndefined();
    expect(isHostname(hostname)).toBe(true);
  });

  it.each([
    ["192.0.2.1", "must be a DNS name, not an IP address"],
    ["2001:db8::1", "must be a DNS name, not an IP address"],
    ["*", "a wildcard must be the whole first label, as in *.example.com"],
    ["a.*.com", "a wildcard must be the whole first label, as in *.example.com"],
    ["*a.com", "a wildcard must be the whole first label, as in *.example.com"],
    ["*.*.com", "a wildcard must be the whole first label, as in *.example.com"],
    ["Example.com", "must be a lowercase DNS name (RFC 1123)"],
    ["example.com.", "must be a lowercase DNS name (RFC 1123)"],
    ["-a.com", "must be a lowercase DNS name (RFC 1123)"],
    ["a_b.com", "must be a lowercase DNS name (RFC 1123)"],
    ["a.com:80", "must be a lowercase DNS name (RFC 1123)"],
    ["*.", "must be a lowercase DNS name (RFC 1123)"],
    ["", "must be a lowercase DNS name (RFC 1123)"],
    [`a${label}.b`, `the label a${label} must have at most 63 characters`],
    [Array(127).fill("aa").join("."), "must have at most 253 characters"],
  ])("%j is none", (hostname, message) => {
    expect(judgeHostname(hostname)).toBe(message);
  });

  it("may be wildcards", () => {
    expect(["*.example.com", "example.com"].map(isWildcardHostname)).toEqual([true, false]);
  });
});

import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isIPAddress, isIPv4, isIPv6, isSameAddress } from "./ip-address.ts";

describe("IP addresses", () => {
  it.each(["0.0.0.0", "192.0.2.1", "255.255.255.255"])("%s is IPv4", (text) => {
    expect([isIPv4(text), isIPv6(text), isIPAddress(text)]).toEqual([true, false, true]);
  });

  it.each([
    "::",
    "::1",
    "2001:db8::",
    "1:2:3:4:5:6:7:8",
    "::ffff:192.0.2.1",
    "1:2:3:4:5:6:192.0.2.1",
    "ABCD::ef",
  ])("%s is IPv6", (text) => {
    expect([isIPv4(text), isIPv6(text), isIPAddress(text)]).toEqual([false, true, true]);
  });

  it.each([
    "",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.4 ",
    "a.b.c.d",
    "1..2.3",

    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "::g",
    "fe80::1%eth0",
    "192.0.2.1::",
    "1:192.0.2.1:2::",
    "::192.0.2",
    ":1",
    "1:",
    "[::1]",
  ])("%j is none", (text) => {
    expect(isIPAddress(text)).toBe(false);
  });

  it("are what Node takes for them, zones aside", () => {
    const part = fc.constantFrom(
      "0",
      "1",
      "ff",
      "ABCD",
      "255",
      "256",
      "01",
      ":",
      "::",
      ".",
      "1.2.3.4",
      "g",
      "00000",
    );
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")),
    );
    const separated = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(":"));
    fc.assert(
      fc.property(fc.oneof(text, separated), (candidate) => {
        expect(isIPAddress(candidate)).toBe(isIP(candidate) !== 0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("two addresses", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:DB8:0::1"],
    ["2001:db8::1", "2001:0db8:0000:0000:0000:0000:0000:0001"],
    ["::ffff:192.0.2.1", "::ffff:c000:201"],
    ["LB.example.com", "lb.example.com"],
  ])("%s and %s are the same", (a, b) => {
    expect([isSameAddress(a, b), isSameAddress(b, a)]).toEqual([true, true]);
  });

  it.each([
    ["192.0.2.1", "192.0.2.10"],
    ["2001:db8::1", "2001:db8::10"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["lb.example.com", "lb.example.org"],
  ])("%s and %s are not", (a, b) => {
    expect(isSameAddress(a, b)).toBe(false);
  });
});

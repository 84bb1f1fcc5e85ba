import { describe, expect, it } from "vitest";
import {
  compileClientAddresses,
  parseAddressRange,
  renderAddressRange,
  type ClientAddresses,
} from "./client-addresses.ts";

function takes(given: Partial<ClientAddresses>, peer: string, forwardedFor?: string): boolean {
  return compileClientAddresses({ source: "peer", ...given }).takes(peer, () => forwardedFor);
}

describe("address ranges", () => {
  it.each([
    ["10.0.0.0/8", "10.0.0.0", 8],
    ["10.1.2.3/8", "10.0.0.0", 8],
    ["10.1.2.3", "10.1.2.3", 32],
    ["0.0.0.0/0", "0.0.0.0", 0],
    ["::ffff:10.0.0.0/104", "10.0.0.0", 8],
    ["2001:db8::1/32", "2001:db8:0:0:0:0:0:0", 32],
    ["::/0", "0:0:0:0:0:0:0:0", 0],
    ["::1", "0:0:0:0:0:0:0:1", 128],
  ])("%s", (text, address, length) => {
    expect(renderAddressRange(parseAddressRange(text)!)).toEqual({ address, length });
  });

  it.each([
    "",
    "10.0.0/8",
    "10.0.0.0/33",
    "10.0.0.256",
    "010.0.0.1",
    "::1/129",
    "1::2::3",
    "10.0.0.0/-1",
    "a",
    "::g",
  ])("%s is none", (text) => expect(parseAddressRange(text)).toBeUndefined());
});

describe("client addresses", () => {
  it("are in what is allowed and not in what is denied", () => {
    const given = { allow: ["10.0.0.0/8", "2001:db8::/32"], deny: ["10.9.0.0/16"] };
    expect(takes(given, "10.1.2.3")).toBe(true);
    expect(takes(given, "2001:db8::7")).toBe(true);
    expect(takes(given, "10.9.2.3")).toBe(false);
    expect(takes(given, "192.0.2.1")).toBe(false);
    expect(takes({ deny: ["10.9.0.0/16"] }, "192.0.2.1")).toBe(true);
    expect(takes({ allow: [] }, "192.0.2.1")).toBe(false);
  });

  it("are the same in their mapped form", () => {
    expect(takes({ allow: ["10.0.0.0/8"] }, "::ffff:10.0.0.1")).toBe(true);
    expect(takes({ allow: ["::ffff:10.0.0.0/104"] }, "10.0.0.1")).toBe(true);
    expect(takes({ deny: ["0.0.0.0/0"] }, "::1")).toBe(true);
    expect(takes({ allow: ["::/0"] }, "10.0.0.1")).toBe(false);
  });

  it("are closed where a range cannot be read", () => {
    expect(takes({ allow: ["nonsense"] }, "10.0.0.1")).toBe(false);
    expect(takes({ deny: ["nonsense"] }, "10.0.0.1")).toBe(false);
  });

  it("come from X-Forwarded-For only as far as proxies are trusted", () => {
    const given = { allow: ["10.0.0.1"], source: "forwarded" as const };
    expect(takes(given, "192.0.2.1", "10.0.0.1")).toBe(false);
    const trusting = { ...given, trustedProxies: ["192.0.2.0/24"] };
    expect(takes(trusting, "192.0.2.1", "10.0.0.1")).toBe(true);
    expect(takes(trusting, "198.51.100.1", "10.0.0.1")).toBe(false);
    expect(takes(trusting, "192.0.2.1", "10.0.0.1, 203.0.113.5")).toBe(false);
    expect(takes(trusting, "192.0.2.1", "203.0.113.5,10.0.0.1 , 192.0.2.9")).toBe(true);
    expect(takes({ ...trusting, allow: ["192.0.2.1"] }, "192.0.2.1")).toBe(true);
    expect(takes({ source: "forwarded", trustedProxies: ["192.0.2.0/24"] }, "192.0.2.1", "unknown")).toBe(
      false,
    );
  });
});

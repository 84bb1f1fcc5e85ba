import { describe, expect, it } from "vitest";
import { intersectHostnames, ownHostname, sharedHostnames } from "./hostname-intersection.ts";

describe("intersectHostnames", () => {
  it.each([
    ["*", "*", "*"],
    ["*", "a.example.com", "a.example.com"],
    ["a.example.com", "*", "a.example.com"],
    ["*.example.com", "*", "*.example.com"],
    ["*.example.com", "a.example.com", "a.example.com"],
    ["a.example.com", "*.example.com", "a.example.com"],
    ["*.example.com", "a.b.example.com", "a.b.example.com"],
    ["*.example.com", "*.b.example.com", "*.b.example.com"],
    ["*.example.com", "*.example.com", "*.example.com"],
    ["*.example.com", "example.com", undefined],
    ["*.example.com", "a.example.net", undefined],
    ["a.example.com", "b.example.com", undefined],
    ["*.a.com", "*.b.com", undefined],
    ["*.example.com", "badexample.com", undefined],
  ])("%s and %s share %s (2.4.9)", (a, b, shared) => {
    expect(intersectHostnames(a, b)).toBe(shared);
    expect(intersectHostnames(b, a)).toBe(shared);
  });
});

describe("sharedHostnames", () => {
  it("takes the listener's hostname for a route without any (2.4.11)", () => {
    expect(sharedHostnames("*.example.com", undefined)).toEqual(["*.example.com"]);
    expect(sharedHostnames("*", [])).toEqual(["*"]);
  });

  it("ignores hostnames that the listener does not serve, and names each once", () => {
    expect(sharedHostnames("a.example.com", ["*.example.com", "A.example.com", "b.example.com"])).toEqual([
      "a.example.com",
    ]);
    expect(sharedHostnames("*.example.com", ["example.com", "example.net"])).toEqual([]);
  });
});

describe("ownHostname", () => {
  it.each([
    ["a.example.com", ["*.com", "*.example.com"], "*.example.com"],
    ["a.example.com", ["*.example.com", "A.example.com"], "a.example.com"],
    ["*.example.com", ["*.com", "b.example.com"], "*.com"],
    ["a.example.com", [], "*"],
    ["a.example.com", undefined, "*"],
  ])("%s comes from %j as %s", (shared, route, own) => {
    expect(ownHostname(shared, route)).toBe(own);
  });
});

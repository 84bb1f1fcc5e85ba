import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { refusedPathPattern } from "../../../model/index.ts";
import { refusedPatterns } from "./refused-request.ts";

const path = RE2JS.compile(refusedPathPattern);
const malformed = RE2JS.compile(refusedPatterns.malformed);
const orTrace = RE2JS.compile(refusedPatterns.malformedOrTrace);

const line = ({ method = "GET", host = "a.test", path: target = "/" }) =>
  `kit/http|${host}: ${method} ${host} ${target}`;

describe("requests that are refused", () => {
  it.each([
    ["/a/..;/b", true],
    ["/a/..%2Fb", true],
    ["/a%2F..", true],
    ["/a%", true],
    ["/a%2", true],
    ["/a%zz/b", true],
    ["/a..;/b", false],
    ["/a%20b", false],
    ["*", false],
  ])("by the path %s: %s", (given, isRefused) => {
    expect(malformed.matches(line({ path: given }))).toBe(isRefused);
  });

  it.each([
    ["a.test", false],
    ["a.test:", false],
    ["a.test:8080", false],
    ["a.test:65535", false],
    ["10.0.0.1:80", false],
    ["[::1]", false],
    ["[::1]:8443", false],
    ["-", false],
    ["a.test:65536", true],
    ["a.test:99999", true],
    ["a.test:000080", true],
    ["a.test:abc", true],
    ["a.test:80:90", true],
    ["a.test:-1", true],
    ["a.test:80@b.test", true],
    ["b.test@a.test", true],
    ["a.test:%0d%0aX-Inj:1", true],
    ["[::1]:x", true],
    ["[::1]x:80", false],
  ])("by the host %s: %s", (host, isRefused) => {
    expect(malformed.matches(line({ host }))).toBe(isRefused);
  });

  it("TRACE, where no rule names it", () => {
    expect(orTrace.matches(line({ method: "TRACE" }))).toBe(true);
    expect(malformed.matches(line({ method: "TRACE" }))).toBe(false);
    expect(orTrace.matches(line({ path: "/TRACE" }))).toBe(false);
  });

  it("by paths as the model has them", () => {
    const pieces = ["/", "a", ".", "..", ";", "%", "%2F", "%5c", "%3B", "%2", "f", "%zz", "%41"];
    const text = fc
      .array(fc.constantFrom(...pieces), { maxLength: 8 })
      .map((chosen) => `/${chosen.join("")}`);
    fc.assert(
      fc.property(text, (given) => {
        expect({ given, isRefused: malformed.matches(line({ path: given })) }).toEqual({
          given,
          isRefused: path.matches(given),
        });
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { nearest } from "./suggestion.ts";

const fields = ["name", "namespace", "hostname", "hostnames", "backendRefs", "port"];

describe("nearest", () => {
  it.each([
    ["hostName", "hostname"],
    ["backendRef", "backendRefs"],
    ["backendrefs", "backendRefs"],
    ["nmae", "name"],
    ["prot", "port"],
    ["namespaces", "namespace"],
    ["hsotnames", "hostnames"],
  ])("takes %s for %s", (word, expected) => {
    expect(nearest(word, fields)).toBe(expected);
  });

  it.each(["", "x", "path", "weight", "__proto__", "name".repeat(100)])("has nothing for %j", (word) => {
    expect(nearest(word, fields)).toBeUndefined();
  });
});

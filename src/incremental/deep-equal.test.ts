import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepEqual } from "./index.ts";

const plain = fc.anything({ withNullPrototype: true, withSparseArray: false, maxDepth: 4 });

describe("deepEqual", () => {
  const shared = new Date(0);
  it.each<[string, unknown, unknown]>([
    ["NaN and NaN", Number.NaN, Number.NaN],
    ["nested data", { a: [1, { b: "x" }], c: null }, { a: [1, { b: "x" }], c: null }],
    ["objects whose keys come in another order", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["records with and without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["bytes", new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ["a Buffer and an array of the same bytes", Buffer.from([1, 2]), new Uint8Array([1, 2])],
    ["undefined under the same key", { a: undefined }, { a: undefined }],
    ["a date and itself", { at: shared }, { at: shared }],
    ["own keys named __proto__", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])("takes as equal: %s", (_, a, b) => {
    expect(deepEqual(a, b)).toBe(true);
    expect(deepEqual(b, a)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ["0 and -0", 0, -0],
    ["an absent key and undefined under that key", {}, { a: undefined }],
    ["undefined under different keys", { a: undefined }, { b: undefined }],
    ["an added key", { a: 1 }, { a: 1, b: 2 }],
    ["null and an object", null, {}],
    ["an array and an object with the same keys", ["x"], { 0: "x" }],
    ["a string and an array of its characters", "ab", ["a", "b"]],
    ["a number and its string", 1, "1"],
    ["bytes and an array of numbers", new Uint8Array([1]), [1]],
    ["bytes of different lengths", new Uint8Array([1]), new Uint8Array([1, 2])],
    ["different bytes", new Uint8Array([1]), new Uint8Array([2])],
    ["two dates, since their content cannot be seen as keys", new Date(0), new Date(0)],
    ["two maps", new Map([["a", 1]]), new Map([["a", 2]])],
    ["an own key named __proto__ and an empty object", JSON.parse('{"__proto__":{}}'), {}],
    ["an own key and one that only the prototype has", { toString: () => "" }, {}],
    ["an own key and one that the other inherits", { constructor: Object }, { other: Object }],
    ["arrays of different lengths", [1], [1, undefined]],
  ])("takes as different: %s", (_, a, b) => {
    expect(deepEqual(a, b)).toBe(false);
    expect(deepEqual(b, a)).toBe(false);
  });

  it("is symmetric, and every value equals itself and its copy", () => {
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        expect(deepEqual(a, b)).toBe(deepEqual(b, a));
        expect(deepEqual(a, a)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (a) => {
        expect(deepEqual(a, structuredClone(a))).toBe(true);
      }),
    );
  });

  it("agrees with the canonical text of JSON data", () => {
    const small = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(deepEqual(a, b)).toBe(canonical(a) === canonical(b));
      }),
    );
  });
});

function canonical(value: unknown): string {
  if (Object.is(value, -0)) return "-0";
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join()}}`;
}

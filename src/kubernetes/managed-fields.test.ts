import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutManagedFields } from "./managed-fields.ts";

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    '"managedFields":[',
    '{"managedFields":[1]}',
    "\\",
    '\\"',
    ",",
    "{",
    "[",
    "]",
    "managedFields",
    "é\u2028",
  ),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    nasty,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(nasty, fc.constant("managedFields")), tie("value")), { maxLength: 4 })
      .map(objectOf),
  ),
}));

function objectOf(entries: [string, unknown][]): unknown {
  return Object.fromEntries(entries.filter(([name]) => name !== "__proto__"));
}

/** What is to be left: parsed, and then without lists of that name. */
function without(object: unknown): unknown {
  if (Array.isArray(object)) return object.map(without);
  if (typeof object !== "object" || object === null) return object;
  const entries = Object.entries(object).filter(
    ([name, item]) => name !== "managedFields" || !Array.isArray(item),
  );
  return Object.fromEntries(entries.map(([name, item]) => [name, without(item)]));
}

function withoutLists(text: string): string {
  return cutManagedFields(Buffer.from(text)).toString("utf8");
}

describe("lists of managed fields", () => {
  it("are gone, and all else is as it was", () => {
    fc.assert(
      fc.property(value, (object) => {
        expect(JSON.parse(withoutLists(JSON.stringify(object)))).toEqual(without(object));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{"metadata":{"managedFields":[{"f:a":{}}],"name":"a"}}', '{"metadata":{"name":"a"}}'],
    [
      '{"metadata":{"name":"a","managedFields":[{"k:{\\"p\\":80}":[]}]},"b":1}',
      '{"metadata":{"name":"a"},"b":1}',
    ],
    ['{"a":"\\"managedFields\\":[","managedFields":null}', undefined],
    ['{"managedFields":[', undefined],
    ['{"managedFields":["', undefined],
  ])("%s", (text, left = text) => {
    expect(withoutLists(text)).toBe(left);
  });

  it("do not make JSON of what is none", () => {
    fc.assert(
      fc.property(value, fc.nat(), (object, cut) => {
        const text = JSON.stringify(object);
        const part = text.slice(0, cut % text.length);
        fc.pre(!isJson(part));
        expect(isJson(withoutLists(part))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

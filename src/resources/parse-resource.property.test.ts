/** Whatever comes in: parsing never throws, never touches a prototype, and what it gives it would give again. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeObjects } from "../../test/resources/complete-objects.ts";
import { apiVersionOf, kinds } from "./kinds.ts";
import { parseResource } from "./parse-resource.ts";
import type { SchemaNode } from "./schema.ts";

const definitions = [...kinds.values()];
const typeMeta = fc
  .constantFrom(...definitions)
  .chain(({ group, versions, kind }) =>
    fc.constantFrom(...versions).map((version) => ({ apiVersion: apiVersionOf(group, version), kind })),
  );

/** Field names that occur in schemas, so that arbitrary objects get past the first level. */
const fieldNames = new Set(["metadata", "spec", "name", "__proto__", "constructor", "toString"]);
function collect(node: SchemaNode): void {
  if (node.type === "object") {
    for (const [name, field] of node.fields) {
      fieldNames.add(name);
      collect(field.node);
    }
  } else if (node.type === "array") collect(node.items);
}
for (const { schema } of definitions) collect(schema.node);

const leaf = fc.oneof(
  fc.constantFrom("", "a", "example.com", "HTTP", "10s", "/", "Exact", "v1", "\u0000", "{}", "__proto__"),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 8, depthSize: "small" },
    leaf,
    fc.array(tie("anything"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...fieldNames), tie("anything"), { maxKeys: 5 }),
  ),
}));

/** As if it had come over the wire, where `__proto__` is an ordinary key. */
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null");

describe("parsing", () => {
  it("never throws on arbitrary JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        expect(parseResource(input).outcome).toMatch(/^(resource|invalid|unknown-kind)$/);
      }),
    );
  });

  it("never throws on objects that look like ours", () => {
    fc.assert(
      fc.property(typeMeta, fc.dictionary(fc.constantFrom(...fieldNames), anything), (meta, rest) => {
        const parsed = parseResource(overTheWire({ ...rest, ...meta }));
        expect(parsed.outcome).toMatch(/^(resource|invalid)$/);
        expect(parsed.outcome === "invalid" && parsed.problems.length === 0).toBe(false);
      }),
      { numRuns: 1000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("never throws on a good object with one part replaced", () => {
    const part = fc
      .constantFrom(...completeObjects)
      .chain((object) => fc.constantFrom(...pathsOf(object)).map((path) => ({ object, path })));
    fc.assert(
      fc.property(part, anything, ({ object, path }, value) => {
        expect(parseResource(replaced(object, path, overTheWire(value))).outcome).toMatch(
          /^(resource|invalid|unknown-kind)$/,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["refuse", "ignore"] as const)(
    "gives the same of input that is its own (unknown fields: %s)",
    (unknownFields) => {
      const part = fc
        .constantFrom(...completeObjects)
        .chain((object) => fc.constantFrom(...pathsOf(object)).map((path) => ({ object, path })));
      const more = fc.dictionary(fc.constantFrom(...fieldNames), leaf, { maxKeys: 2 });
      fc.assert(
        fc.property(part, fc.oneof(anything, more), ({ object, path }, value) => {
          const input = replaced(object, path, value);
          const copied = parseResource(overTheWire(input), { unknownFields });
          expect(parseResource(overTheWire(input), { unknownFields, ownsInput: true })).toEqual(copied);
        }),
        { numRuns: 2000 },
      );
      for (const object of completeObjects) {
        const input = overTheWire({ ...object, status: { a: 1 }, extra: null });
        const copied = parseResource(overTheWire(input), { unknownFields });
        expect(parseResource(input, { unknownFields, ownsInput: true })).toEqual(copied);
      }
    },
  );

  it("gives what it would give again", () => {
    for (const object of completeObjects) {
      const parsed = parseResource(object);
      if (parsed.outcome !== "resource") throw new Error(object.kind);
      expect(parseResource(overTheWire(parsed.resource))).toEqual(parsed);
    }
  });
});

describe("hostile input", () => {
  const route = { apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", metadata: { name: "a" } };

  it("may be nested as deep as it likes", () => {
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = { spec: [deep] };
    for (const spec of [deep, { rules: [deep] }, { rules: [{ matches: deep }] }]) {
      expect(parseResource({ ...route, spec }).outcome).toBe("invalid");
    }
    expect(parseResource({ ...route, spec: {}, status: deep }).outcome).toBe("resource");
  });

  it("cannot make a pattern take long", () => {
    const texts = ["a".repeat(253), "a-".repeat(126), "a.".repeat(126), "1h".repeat(126), "%2".repeat(126)];
    const bad = texts.flatMap((text) => [
      `${text}\n`,
      `${text}!`,
      `*.${text}_`,
      `${text}/`,
      `http://${text}/`,
    ]);
    const started = process.cpuUsage();
    for (const object of completeObjects) {
      for (const path of pathsOf(object)) for (const text of bad) parseResource(replaced(object, path, text));
    }
    const { user } = process.cpuUsage(started);
    expect(user / 1e6).toBeLessThan(8);
  });

  it("with very many unknown fields is refused in reasonable time", () => {
    const spec = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`hostnam${i}`, 1]));
    const parsed = parseResource({ ...route, spec });
    expect(parsed).toMatchObject({ outcome: "invalid" });
    expect(parsed.outcome === "invalid" && parsed.problems).toHaveLength(20_000);
  });
});

function pathsOf(value: unknown): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, part]) => [[key], ...pathsOf(part).map((path) => [key, ...path])]);
}

/** A copy in which one part is another value; the parts beside it are shared. */
function replaced(root: unknown, [head, ...rest]: (string | number)[], value: unknown): unknown {
  if (head === undefined) return value;
  const copy: Record<string | number, unknown> = Array.isArray(root)
    ? ([...root] as never)
    : { ...(root as object) };
  copy[head] = replaced(copy[head], rest, value);
  return copy;
}

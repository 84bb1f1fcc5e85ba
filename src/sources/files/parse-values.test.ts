import { describe, expect, it } from "vitest";
import { parseValues } from "./parse-values.ts";
import { contentStart } from "./split-documents.ts";

const parse = (text: string) => parseValues(text, contentStart(text, 0, text.length));
const valuesOf = (text: string) => {
  const parsed = parse(text);
  return parsed.outcome === "values" ? parsed.values.map(({ value }) => value) : parsed;
};

function billionLaughs(levels: number): string {
  const lines = ["l0: &l0 lol"];
  for (let i = 1; i <= levels; i++)
    lines.push(
      `l${i}: &l${i} [${Array(10)
        .fill(`*l${i - 1}`)
        .join(", ")}]`,
    );
  return `${lines.join("\n")}\n`;
}

const unknownTag =
  "is not valid YAML: a tag (!) that means nothing here; put a text that begins with ! in quotes";

describe("parseValues", () => {
  it.each<[string, string, unknown[]]>([
    ["YAML", "a: 1\nb: yes\nc: 2024-01-01\nd: ~\n", [{ a: 1, b: "yes", c: "2024-01-01", d: null }]],
    ["JSON", '{"a": [1, {"b": "}\\"{"}], "c": "\\u00e4"}', [{ a: [1, { b: '}"{' }], c: "ä" }]],
    ["JSON, several values", '{"a": 1}\n{"a": 2}{"a": 3} [4]\n', [{ a: 1 }, { a: 2 }, { a: 3 }, [4]]],
    ["JSON with tabs", '{\n\t"a": 1\n}', [{ a: 1 }]],
    ["flow mappings that are not JSON", "{a: 1, 'b': 2}\n", [{ a: 1, b: 2 }]],
    ["anchors", "a: &a {x: 1}\nb: *a\n", [{ a: { x: 1 }, b: { x: 1 } }]],
    ["merge keys", "a: &a {x: 1, y: 1}\nb:\n  <<: *a\n  y: 2\n", [{ a: { x: 1, y: 1 }, b: { x: 1, y: 2 } }]],
  ])("reads %s", (_name, text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  it.each<[string, string, string, number]>([
    ["a key twice", "a:\n  b: 1\n  b: 2\n", "the key b is there twice; keep one", 12],
    ["a key twice in JSON", '{"a": 1, "b": 2, "a": 3}', 'the key "a" is there twice; keep one', 17],
    ["tabs", "a:\n\tb: 1\n", "is indented with a tab; use spaces", 3],
    [
      "a template",
      "a: {{ .Values.x }}\n",
      "has a mapping where a key must be a text (a template, it seems: render it first, as with `helm template`)",
      0,
    ],
    [
      "a merge conflict",
      "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nc: 1\n>>>>>>> x\n",
      "is not valid YAML: can not read a block mapping entry; a multiline key may not be an implicit key (a merge conflict that is not resolved yet)",
      19,
    ],
    [
      "JSON that ends early",
      '{"a": [1,',
      "is not valid YAML: unexpected end of the stream within a flow collection",
      9,
    ],
    ["deep nesting in YAML", `a: ${"[".repeat(5000)}`, "is nested deeper than 100 levels", 102],
    [
      "deep nesting in JSON",
      `${"[".repeat(5000)}${"]".repeat(5000)}`,
      "is nested deeper than 100 levels",
      99,
    ],
    [
      "an alias of what is around it",
      "a: &a\n  b: *a\n",
      "has an alias (*) inside the part that it stands for",
      0,
    ],
    ["billion laughs", billionLaughs(9), "its aliases (*) stand for more than 4 MiB", 0],
    [
      "a control character",
      "a: \u0001\n",
      "is not valid YAML: the stream contains non-printable characters",
      4,
    ],
    ["a tag", "a: !!js/function x\n", unknownTag, 18],
    ["a value that begins like a tag", "password: !hunter2\n", unknownTag, 19],
    ["a value that is no tag at all", "password: !h{u}\n", unknownTag, 15],
    ["a tag of another kind", "password: !!map hunter2\n", unknownTag, 23],
    ["a tag with an unknown handle", "password: !hunter!2\n", unknownTag, 19],
    [
      "a value that begins like an alias",
      "password: *hunter2\n",
      "is not valid YAML: an alias (*) of nothing; put a text that begins with * in quotes",
      18,
    ],
    [
      "a key twice in what may be a Secret",
      "kind: Secret\ndata: {hunter2: 1, hunter2: 2}\n",
      "the key here is there twice; keep one",
      32,
    ],
  ])("refuses %s", (_name, text, message, offset) => {
    expect(parse(text)).toEqual({ outcome: "unreadable", message, offset });
  });

  it("refuses long texts that aliases repeat", () => {
    const text = `a: &a ${"x".repeat(100_000)}\nb: [${Array(60).fill("*a").join(", ")}]\n`;
    expect(parse(text)).toMatchObject({
      outcome: "unreadable",
      message: "its aliases (*) stand for more than 4 MiB",
    });
  });

  it("refuses aliases that nest deeply once they are written out", () => {
    const lines = ["k0: &k0 [1]"];
    for (let i = 1; i < 150; i++) lines.push(`k${i}: &k${i} [*k${i - 1}]`);
    expect(parse(lines.join("\n"))).toMatchObject({ message: "is nested deeper than 100 levels" });
    // As numbers these keys are visited in another order than they are written.
    const backwards = lines.map((line, i) => line.replace(`k${i}:`, `${500 - i}:`));
    expect(parse(backwards.join("\n"))).toMatchObject({ message: "is nested deeper than 100 levels" });
  });

  it("bounds merge keys", () => {
    const wide = `{${Array.from({ length: 200 }, (_, i) => `k${i}: 1`).join(", ")}}`;
    const text = `a: &a ${wide}\n${Array.from({ length: 100 }, (_, i) => `m${i}: {<<: *a}`).join("\n")}\n`;
    expect(parse(text)).toMatchObject({ outcome: "unreadable" });
  });

  it("leaves prototypes alone", () => {
    for (const text of [
      '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
      "__proto__:\n  polluted: 1\nconstructor:\n  prototype:\n    polluted: 1\n",
      "a: &a {__proto__: {polluted: 1}}\n<<: *a\n",
    ]) {
      expect(parse(text).outcome).toBe("values");
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }
  });

  it("is quick with what is meant to be slow", () => {
    const began = performance.now();
    for (const text of [
      "[".repeat(1e6),
      "{".repeat(1e6),
      "- ".repeat(5e5),
      "? ".repeat(5e5),
      '"'.repeat(1e6),
      `{"a": "${"\\\\".repeat(5e5)}`,
    ]) {
      parse(text);
    }
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

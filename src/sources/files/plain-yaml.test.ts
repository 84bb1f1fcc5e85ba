import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { httpRoute } from "../../../test/sources/manifests.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { contentStart, splitDocuments } from "./split-documents.ts";

const readPlain = (text: string) => readPlainYaml(text, contentStart(text, 0, text.length));

/** What the complete reader makes of a text; undefined if it refuses. */
function readCompletely(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: load(text, { schema: CORE_SCHEMA }) };
  } catch {
    return undefined;
  }
}

function expectAgreement(text: string): void {
  const complete = readCompletely(text);
  const plain = readPlain(text);
  // What it leaves to the other reader is right by definition.
  expect({ text, value: plain ?? complete?.value }).toEqual({ text, value: complete?.value });
}

describe("readPlainYaml", () => {
  it("reads what people write", () => {
    expect(readPlain(httpRoute("a"))).toEqual(load(httpRoute("a")));
    expect(
      readPlain(`---
# A comment
apiVersion: v1
kind: Service

metadata:
  name: web
  labels:
    app.kubernetes.io/name: "web: 1"
    empty:
spec:
  # in between
  ports:
  - port: 80
    name: 'a # b'
    on: true
  -   name: b
      targetPort: null
  clusterIPs:
    - 10.0.0.1
    - /x y
  timeout: 10s
  none: {}
`),
    ).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", labels: { "app.kubernetes.io/name": "web: 1", empty: null } },
      spec: {
        ports: [
          { port: 80, name: "a # b", on: true },
          { name: "b", targetPort: null },
        ],
        clusterIPs: ["10.0.0.1", "/x y"],
        timeout: "10s",
        none: {},
      },
    });
  });

  it.each([
    ["a flow collection", "a: [1]\n"],
    ["a block scalar", "a: |\n  x\n"],
    ["an anchor", "a: &x y\n"],
    ["a comment behind a value", "a: b # c\n"],
    ["a colon in a value", "a: b: c\n"],
    ["a number of another kind", "a: 0x10\n"],
    ["a float", "a: 1.5\n"],
    ["an escape", 'a: "\\n"\n'],
    ["a value of several lines", "a: b\n  c\n"],
    ["a value below its key", "a:\n  b\n"],
    ["a key twice", "a: 1\na: 2\n"],
    ["a key that means something", "True: 1\n"],
    ["a key from elsewhere", "constructor: 1\n"],
    ["a tab", "a:\tb\n"],
    ["a letter beyond ASCII", "a: ä\n"],
    ["wrong indentation", "a:\n    b: 1\n  c: 2\n"],
    ["a list in a list", "a:\n- - b\n"],
    ["a list alone", "- a\n"],
    ["another document", "a: 1\n---\nb: 1\n"],
    ["nothing", "\n"],
  ])("leaves %s to the complete reader", (_name, text) => {
    expect(readPlain(text)).toBeUndefined();
  });

  it("agrees with the complete reader on all manifests that we have", () => {
    const files = ["test/golden", "examples"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    );
    expect(files.length).toBeGreaterThan(100);
    let plain = 0;
    for (const file of files.filter((name) => name.endsWith(".yaml"))) {
      const text = readFileSync(file, "utf8");
      for (const { start, end } of splitDocuments(text, 1_000) ?? []) {
        expectAgreement(text.slice(start, end));
        if (readPlain(text.slice(start, end)) !== undefined) plain++;
      }
    }
    expect(plain).toBeGreaterThan(5);
  });

  it("agrees with the complete reader on whatever is put together from pieces of YAML", () => {
    const key = fc.constantFrom("a", "b-c", "d.e/f", "g", "true", "null", "x_1", "on");
    const numbers = ["80", "0", "007", "1.5", "1e3", "-1", ".5", ".inf", "0x1f", "0b1", "1_000", "1:30"];
    const words = ["", "a", "b c", "/x", "~", "true", "True", "null", "10.0.0.1", "10s", "2026-01-01", "a-b"];
    const quoted = ['"q"', "'s'", '"', "''", '"a\\"', "'it''s'", "a'b"];
    const marked = ["a: b", "a:", "a:b", "http://a/b", "a #b", "#c", "# c", "- a", "-", "? a", "a  ", "<<"];
    const special = [
      "[a]",
      "[]",
      "{}",
      "{} ",
      "{a: b}",
      "|",
      "> ",
      "&a b",
      "*a",
      "!t a",
      "@a",
      "%a",
      "`a",
      "=",
    ];
    const value = fc.constantFrom(...numbers, ...words, ...quoted, ...marked, ...special);
    const indent = fc.constantFrom("", "", "", " ", "  ", "  ", "    ", "- ", "- ", "  - ", "    - ", "-   ");
    const line = fc.oneof(
      { weight: 8, arbitrary: fc.tuple(indent, key, value).map(([i, k, v]) => `${i}${k}: ${v}`) },
      { weight: 4, arbitrary: fc.tuple(indent, key).map(([i, k]) => `${i}${k}:`) },
      { weight: 2, arbitrary: fc.tuple(indent, value).map(([i, v]) => `${i}${v}`) },
      fc.constantFrom("", "  ", "# c", "   # c", "---", "...", "a:b", "\t"),
    );
    const document = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => `${lines.join("\n")}\n`);
    fc.assert(fc.property(document, expectAgreement), { numRuns: 3_000 });
  });

  it("agrees with the complete reader on manifests with a change anywhere", () => {
    const manifest = httpRoute("a", "/path");
    const piece = fc.constantFrom(
      "",
      " ",
      "  ",
      "\n",
      ":",
      "- ",
      "#",
      '"',
      "'",
      "a",
      "1",
      "\t",
      "\n\n",
      "? ",
    );
    const edit = fc.tuple(fc.nat(manifest.length), fc.nat(3), piece);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const change = (text: string, [at, removed, added]: (typeof edits)[number]) =>
          text.slice(0, at) + added + text.slice(at + removed);
        expectAgreement(edits.reduce(change, manifest));
      }),
      { numRuns: 2_000 },
    );
  });
});

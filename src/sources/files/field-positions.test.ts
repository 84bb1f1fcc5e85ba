import { describe, expect, it } from "vitest";
import { FieldPositions, readLoosely } from "./field-positions.ts";

const text = `# comment
kind: Thing
metadata: &m {name: x, labels: {a.b/c: d}}
spec:
  rules:
    - path: /
      "quoted key": 1
    - *m
  shared: *m
`;
const rest = (offset: number | undefined) => text.slice(offset ?? 0).split("\n")[0];

describe("positions", () => {
  it.each<[(string | number)[], string]>([
    [["kind"], "kind: Thing"],
    [["metadata", "labels", "a.b/c"], "a.b/c: d}}"],
    [["spec", "rules", 0], "path: /"],
    [["spec", "rules", 0, "quoted key"], '"quoted key": 1'],
    [["spec", "rules", 1], "*m"],
    [["spec", "shared", "name"], "name: x, labels: {a.b/c: d}}"],
    [["spec", "rules", 0, "missing"], "path: /"],
    [["spec", "missing"], "spec:"],
    [["nothing", "here"], "kind: Thing"],
  ])("of %j", (path, line) => {
    expect(rest(new FieldPositions().locate(text, path, 0))).toBe(line);
    expect(rest(readLoosely(text)?.offsetOf(path))).toBe(line);
  });

  it("tell the field at an offset", () => {
    const reading = readLoosely(text);
    expect(reading?.pathAt(text.indexOf("/\n"))).toEqual(["spec", "rules", 0, "path"]);
    expect(reading?.pathAt(text.indexOf("*m\n  sh"))).toEqual(["spec", "rules", 1]);
    expect(reading?.pathAt(0)).toEqual([]);
  });

  it("are those of the document when it is too large", () => {
    const large = `a: ${"x".repeat(100_000)}\nb: 1\n`;
    expect(new FieldPositions().locate(large, ["b"], 7)).toBe(7);
    expect(new FieldPositions().locate(`items: 1\n${large}`, ["items", 3], 7)).toBe(7);
  });
});

describe("a broken document", () => {
  it.each<[string, string, unknown]>([
    [
      "tells its name",
      "apiVersion: v1\nkind: Thing\nmetadata:\n  name: x\n bad: y\n",
      { apiVersion: "v1", kind: "Thing", name: "x" },
    ],
    ["does not make names up", 'kind: Thing\nmetadata: {name: "x\nfoo: bar\n', { kind: "Thing" }],
    ["may have none", "]", {}],
    ["may be a text", "x", {}],
  ])("%s", (_name, broken, identity) => {
    expect(readLoosely(broken)?.identity).toEqual(identity);
  });

  it("is given up when it nests too deeply", () => {
    expect(() => readLoosely("[".repeat(60_000))?.offsetOf([0, 0])).not.toThrow();
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationProblem } from "./configuration-problem.ts";
import { block, directive, variable, type Argument, type Directive } from "./directive.ts";
import { meansDirectives, readDirectives } from "./read-directives.ts";
import { writeDirectives } from "./write-directives.ts";

/** What users have put into objects to get out of a configuration's strings. */
const hostile = [
  '"',
  "'",
  "\\",
  '\\"',
  ";",
  "{",
  "}",
  "#",
  "\n",
  "\r\n",
  "\t",
  "} server { listen 81; }",
  '"; load_module /tmp/evil.so; #',
  "a\nproxy_pass http://evil;",
  "é",
  "\u2028",
  "😀",
  "$",
  "${request_uri}",
  "\0",
  "\u007f",
];

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...hostile)).map((parts) => parts.join("")),
);
const part = fc.oneof(text, fc.constant(variable("gw_up")));
const argument: fc.Arbitrary<Argument> = fc.oneof(text, fc.array(part, { minLength: 1, maxLength: 4 }));
const tree: fc.Memo<Directive> = fc.memo((depth) =>
  depth <= 1
    ? fc.array(argument, { maxLength: 3 }).map((given) => directive("return", ...given))
    : fc
        .tuple(fc.array(argument, { maxLength: 2 }), fc.array(tree(depth - 1), { maxLength: 3 }))
        .map(([given, content]) => block("location", given, content)),
);

function written(directives: readonly Directive[]): string | undefined {
  try {
    return writeDirectives(directives);
  } catch (error) {
    if (error instanceof ConfigurationProblem) return undefined;
    throw error;
  }
}

describe("NGINX's syntax", () => {
  it("is written so that it means the directives that were meant, or not at all", { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(fc.array(tree(3), { maxLength: 3 }), (directives) => {
        const result = written(directives);
        return result === undefined || meansDirectives(result, directives);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(hostile.map((value) => [value]))("keeps %j within its argument", (value) => {
    const directives = [block("map", ["", [variable("x")]], [directive("default", value)])];
    const result = written(directives);
    const isRefused = value.includes("$") || value === "\0" || value === "\u007f";
    expect(result && readDirectives(result)).toEqual(
      isRefused
        ? undefined
        : [{ name: "map", arguments: ["", "$x"], block: [{ name: "default", arguments: [value] }] }],
    );
  });

  it("refuses what NGINX's reader cannot hold", () => {
    expect(() => writeDirectives([directive("return", "x".repeat(1_000_000))])).toThrow(/longer than/);
  });

  it("takes no name of a directive or variable but NGINX's own", () => {
    expect(() => writeDirectives([directive("return;evil", "x")])).toThrow(/no directive/);
    expect(() => writeDirectives([directive("return", [variable("x} evil")])])).toThrow(/no variable/);
  });

  it("is not taken for right when something else was written", () => {
    const meant = [directive("return", "200", "text")];
    expect(meansDirectives('return "200" "text";\n', meant)).toBe(true);
    expect(meansDirectives('return "200" "text"; listen 81;\n', meant)).toBe(false);
    expect(meansDirectives('return "200" "other";\n', meant)).toBe(false);
    expect(() => meansDirectives('return "200" "text" }', meant)).toThrow(ConfigurationProblem);
    expect(() => readDirectives("server { listen 80;")).toThrow(/does not end/);
    expect(() => readDirectives('return "open')).toThrow(/does not end/);
    expect(() => readDirectives("}")).toThrow(/too many/);
  });
});

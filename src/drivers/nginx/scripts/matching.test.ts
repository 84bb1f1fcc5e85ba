/* Rules and regular expressions, as the driver writes them and the scripts read them, against the model's own matching. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import {
  compileRegularExpression,
  compileRules,
  parseRegularExpression,
  type RequestMatch,
  type Rule,
} from "../../../model/index.ts";
import { automatonOf, type Automaton } from "../data/automaton.ts";
import { renderTable } from "../data/rule-table.ts";

async function script<T>(name: string): Promise<T> {
  const module = (await import(new URL(`./${name}.js`, import.meta.url).href)) as { readonly default: T };
  return module.default;
}

interface Matching {
  findRule(
    folder: string,
    host: object,
    request: object,
    effort: Effort,
  ): { readonly action: string } | undefined;
}

interface Effort {
  left: number;
}

interface Automata {
  newEffort(): Effort;
  matches(automaton: Automaton, text: string, effort: Effort): boolean;
}

const automata = await script<Automata>("automata");
const matching = await script<Matching>("matching");

function matches(automaton: Automaton, given: string): boolean {
  return automata.matches(automaton, given, automata.newEffort());
}

const folder = mkdtempSync(join(tmpdir(), "gw-matching-"));
for (const name of ["table", "expression", "action"]) mkdirSync(join(folder, name));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The name of the action, which is the key of the rule here. */
function findByScript(
  rules: readonly Rule[],
  request: object,
  effort = automata.newEffort(),
): string | undefined {
  const table = renderTable(rules, ({ key }) => ({ name: `action of ${key}`, action: key }));
  for (const [name, content] of table.files) writeFileSync(join(folder, "table", name), content);
  for (const { key } of rules) writeFileSync(join(folder, "action", `action of ${key}`), JSON.stringify(key));
  for (const [id, source] of table.expressions) {
    writeFileSync(join(folder, "expression", id), JSON.stringify(automatonOf(source)));
  }
  return matching.findRule(folder, table.head, request, effort)?.action;
}

const paths = ["/", "/a", "/a/b", "/a/", "/ab", "/a%2Fb", "/a%2fb", "/__proto__", "/a/b/c/d"];
const match: fc.Arbitrary<RequestMatch> = fc.record(
  {
    path: fc.oneof(
      fc.record({ type: fc.constant("exact" as const), value: fc.constantFrom(...paths) }),
      fc.record({
        type: fc.constant("prefix" as const),
        value: fc.constantFrom("/", "/a", "/a/b", "/ab", "/a%2fb"),
      }),
      fc.record({ type: fc.constant("regex" as const), value: fc.constantFrom("/a.*", "/(a|b)", "/.*b") }),
    ),
    method: fc.constantFrom("GET", "POST"),
    headers: fc.array(
      fc.record(
        {
          name: fc.constantFrom("x-one", "constructor"),
          type: fc.constantFrom("exact" as const, "regex" as const),
          value: fc.constantFrom("1", "2"),
          invert: fc.constant(true as const),
        },
        { requiredKeys: ["name", "type", "value"] },
      ),
      { maxLength: 2 },
    ),
    queryParams: fc.array(
      fc.record({
        name: fc.constantFrom("q", "__proto__"),
        type: fc.constantFrom("exact" as const, "regex" as const),
        value: fc.constantFrom("1", "2"),
      }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: ["path", "headers", "queryParams"] },
);

const request = fc.record({
  method: fc.constantFrom("GET", "POST"),
  path: fc.constantFrom(...paths),
  query: fc.constantFrom("", "q=1", "q=2&q=1", "__proto__=1"),
  headers: fc.dictionary(fc.constantFrom("x-one", "constructor"), fc.constantFrom("1", "2", "")),
});

const action = {} as Rule["action"];

describe("the scripts match as the model does", () => {
  it("rules", { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), request, (matches, { headers, ...rest }) => {
        const rules = matches.map((each, index): Rule => ({ key: `rule ${index}`, match: each, action }));
        const asked = {
          ...rest,
          header: (name: string) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
        };
        expect(findByScript(rules, asked)).toBe(compileRules(rules)(asked)?.key);
      }),
      { numRuns: 300 },
    );
  });

  it("rules of tables that are cut in parts", () => {
    const rules = Array.from({ length: 500 }, (_, index): Rule => {
      const path = { type: index % 3 === 0 ? ("exact" as const) : ("prefix" as const), value: `/r/${index}` };
      return { key: `rule ${index}`, match: { path, headers: [], queryParams: [] }, action };
    });
    const compiled = compileRules(rules);
    for (const path of ["/r/0", "/r/1", "/r/1/x", "/r/3/x", "/r/499/x/y", "/r", "/", "/r/500"]) {
      const asked = { method: "GET", path, query: "", header: () => undefined };
      expect([path, findByScript(rules, asked)]).toEqual([path, compiled(asked)?.key]);
    }
  });

  const atom = fc.constantFrom(
    "a",
    "b",
    ".",
    "\\d",
    "[ab]",
    "[^a]",
    "\\w",
    "-",
    "\\bb",
    "^",
    "$",
    "(?i:A)",
    "\\.",
  );
  const suffix = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}");
  const sequence = fc
    .array(fc.tuple(atom, suffix), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.flat().join(""));
  const expression = fc
    .array(sequence, { minLength: 1, maxLength: 3 })
    .chain((parts) => fc.tuple(fc.constant(parts.join("|")), suffix))
    .map(([inner, after]) => `(${inner})${after}b?`)
    .filter((source) => parseRegularExpression(source).ok);
  const text = fc
    .array(fc.constantFrom("a", "b", "A", "1", "-", ".", " ", "\n"), { maxLength: 8 })
    .map((all) => all.join(""));

  it("regular expressions", { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(expression, text, (source, given) => {
        expect(matches(automatonOf(source), given)).toBe(compileRegularExpression(source)(given));
      }),
      { numRuns: 1_500 },
    );
  });

  it(
    "regular expressions whose automaton would be too large, in time that does not explode",
    { timeout: 30_000 },
    () => {
      const source = "(a|b)*a(a|b){14}";
      const automaton = automatonOf(source);
      expect(automaton).toHaveProperty("operations");
      const test = compileRegularExpression(source);
      for (const given of ["a".repeat(15), "b".repeat(15), `ba${"b".repeat(14)}`, "ab".repeat(200), ""]) {
        expect([given, matches(automaton, given)]).toEqual([given, test(given)]);
      }
      const begin = performance.now();
      matches(automatonOf("(a+)+c"), "a".repeat(16_000));
      matches(automaton, "ab".repeat(4_000));
      expect(performance.now() - begin).toBeLessThan(2_000);
    },
  );

  const asked = (path: string) => ({ method: "GET", path, query: "", header: () => undefined });
  const rulesOf = (...sources: readonly string[]) =>
    sources.map((value, index): Rule => {
      const taken = { path: { type: "regex" as const, value }, headers: [], queryParams: [] };
      return { key: `rule ${index}`, match: taken, action };
    });

  it("and like it they give up where expressions cost too much, and pass over none", () => {
    const rules = rulesOf("/.*(a|b).{700}[xy]{50}z", "/.*");
    expect(findByScript(rules, asked("/x"))).toBe("rule 1");
    const tooCostly = expect.objectContaining({ isTooCostly: true }) as Error;
    expect(() => findByScript(rules, asked(`/${"ab".repeat(3_500)}`))).toThrow(tooCostly);
    // What was spent on one host is missing for the next one.
    const effort = automata.newEffort();
    expect(findByScript(rules, asked("/x"), effort)).toBe("rule 1");
    effort.left = 3;
    expect(() => findByScript(rules, asked("/x"), effort)).toThrow(tooCostly);
  });

  it("and like it they have enough for a hundred usual expressions and a long path", () => {
    const sources = Array.from({ length: 100 }, (_, index) => `/api/v[0-9]+/.*/x${index}`);
    const path = `/api/v1/${"orders/17/".repeat(200)}x99`;
    expect(findByScript(rulesOf(...sources), asked(path))).toBe("rule 99");
  });

  it("one after the other with the same memory, whatever their sizes", () => {
    const effort = automata.newEffort();
    const sources = ["(a|b)*a(a|b){14}", "(a|b)*a(a|b){40}\\b.*", "(a|b)*b(a|b){14}"];
    for (const given of ["ab".repeat(20), "a".repeat(60), "b".repeat(30), "", "ab"]) {
      for (const source of sources) {
        const taken = automata.matches(automatonOf(source), given, effort);
        expect([source, given, taken]).toEqual([source, given, compileRegularExpression(source)(given)]);
      }
    }
  });
});

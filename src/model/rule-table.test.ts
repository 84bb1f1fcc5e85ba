import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileMatch, type MatchableRequest } from "./matching.ts";
import { MatchingEffort, MatchingTooCostly } from "./regular-expression/matching-effort.ts";
import { compileRules } from "./rule-table.ts";
import type { RequestMatch, Rule, RuleAction } from "./rule.ts";

const action: RuleAction = {
  route: { kind: "HTTPRoute", namespace: "default", name: "web", rule: 0 },
  protocol: "http",
  mirrors: [],
  backends: [],
  timeouts: {},
};

function rule(key: string, match: Partial<RequestMatch> & Pick<RequestMatch, "path">): Rule {
  return { key, match: { headers: [], queryParams: [], ...match }, action };
}

function request(path: string, method = "GET", version?: string, query = ""): MatchableRequest {
  return { method, path, query, header: (name) => (name === "version" ? version : undefined) };
}

const segments = fc.array(fc.constantFrom("a", "b", "ab", "%C3", "%c3", "__proto__"), { maxLength: 4 });
const path = fc
  .tuple(segments, fc.boolean())
  .map(([names, slash]) => `/${names.join("/")}${slash && names.length > 0 ? "/" : ""}`);
const pathMatch = fc.oneof(
  fc.record({ type: fc.constant("exact" as const), value: path }),
  fc.record({ type: fc.constant("prefix" as const), value: path }),
  fc.record({
    type: fc.constant("regex" as const),
    value: fc.constantFrom("/a.*", "/b/.*", ".*/ab", "/[ab]", "/.*"),
  }),
);
const version = fc.option(fc.constantFrom("1", "2"), { nil: undefined });
const match = fc
  .record({ path: pathMatch, method: fc.constantFrom("GET", "POST", "any"), version })
  .map(({ path: given, method, version: wanted }): RequestMatch => ({
    path: given,
    ...(method === "any" ? {} : { method }),
    headers: wanted === undefined ? [] : [{ name: "version", type: "exact", value: wanted }],
    queryParams: [],
  }));
const rules = fc
  .array(match, { maxLength: 30 })
  .map((matches) => matches.map((given, position) => rule(String(position), given)));

describe("a table of rules", () => {
  it("finds what asking one after the other finds", () => {
    fc.assert(
      fc.property(
        rules,
        fc.array(fc.tuple(path, fc.constantFrom("GET", "POST"), version), { minLength: 1, maxLength: 10 }),
        (given, requests) => {
          const find = compileRules(given);
          for (const [asked, method, header] of requests) {
            const made = request(asked, method, header);
            const expected = given.find((one) => compileMatch(one.match).test(made));
            expect(find(made)?.key).toBe(expected?.key);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("keeps the given order between exact paths, prefixes and regular expressions", () => {
    const prefix = rule("prefix", { path: { type: "prefix", value: "/a" } });
    const exact = rule("exact", { path: { type: "exact", value: "/a" } });
    const regex = rule("regex", { path: { type: "regex", value: "/a" } });
    for (const given of [
      [prefix, exact, regex],
      [exact, regex, prefix],
      [regex, prefix, exact],
    ]) {
      expect(compileRules(given)(request("/a"))?.key).toBe(given[0]?.key);
    }
  });

  it("goes on where a condition does not hold", () => {
    const find = compileRules([
      rule("post", { path: { type: "exact", value: "/a/b" }, method: "POST" }),
      rule("deep", { path: { type: "prefix", value: "/a/b" }, method: "PUT" }),
      rule("shallow", { path: { type: "prefix", value: "/a" } }),
    ]);
    expect(find(request("/a/b", "POST"))?.key).toBe("post");
    expect(find(request("/a/b", "PUT"))?.key).toBe("deep");
    expect(find(request("/a/b"))?.key).toBe("shallow");
    expect(find(request("/ab"))).toBeUndefined();
  });

  it("without rules finds nothing", () => {
    expect(compileRules([])(request("/"))).toBeUndefined();
  });

  it("gives OPTIONS * to no prefix", () => {
    expect(
      compileRules([rule("all", { path: { type: "prefix", value: "/" } })])(request("*")),
    ).toBeUndefined();
  });

  it("asks few of many rules", () => {
    const many = Array.from({ length: 10_000 }, (_, position) =>
      rule(String(position), {
        path: {
          type: position % 2 === 0 ? "prefix" : "exact",
          value: `/team-${position % 100}/app-${position}`,
        },
        headers: [{ name: "version", type: "exact", value: "1" }],
      }),
    );
    const find = compileRules(many);
    let asked = 0;
    const counted = (target: string): MatchableRequest => ({
      ...request(target),
      header: () => {
        asked++;
        return "1";
      },
    });
    expect(find(counted("/team-0/app-9900/x"))?.key).toBe("9900");
    expect(find(counted("/team-99/app-9999"))?.key).toBe("9999");
    expect(find(counted("/team-99/nothing"))).toBeUndefined();
    expect(asked).toBe(2);
  });

  it("walks no deeper than its own prefixes", () => {
    const find = compileRules([rule("deep", { path: { type: "prefix", value: "/a/a" } })]);
    const before = performance.now();
    for (let round = 0; round < 1000; round++) find(request("/a".repeat(8000)));
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it("does not pass over rules that it could not ask", () => {
    const find = compileRules([
      rule("forbids", { path: { type: "regex", value: "/.*(a|b).{700}" } }),
      rule("takes all", { path: { type: "prefix", value: "/" } }),
    ]);
    expect(find(request("/x"))?.key).toBe("takes all");
    const effort = new MatchingEffort(10_000);
    expect(() => find(request("/ab".repeat(1_000)), effort)).toThrow(MatchingTooCostly);
    // What was spent on one table is missing for the next one.
    expect(() => find(request("/x"), effort)).toThrow(MatchingTooCostly);
  });

  it("counts what conditions cost", () => {
    const find = compileRules([
      rule("header", {
        path: { type: "prefix", value: "/" },
        headers: [{ name: "version", type: "regex", value: ".*(a|b).{700}" }],
      }),
    ]);
    const asked = request("/", "GET", "ab".repeat(1_000));
    expect(() => find(asked, new MatchingEffort(10_000))).toThrow(MatchingTooCostly);
  });
});

/** Rules about the list of rules of a Route, whatever its kind. */
import { everyPair } from "./object-reference.ts";
import type { RuleVerdict } from "./schema.ts";

export const uniqueRuleNamesMessage = "Rule name must be unique within the route";

export function haveUniqueNames(rules: readonly { readonly name?: string }[]): RuleVerdict {
  return everyPair(rules, (a, b) => a.name === undefined || a.name !== b.name);
}

export const totalMatchesMessage =
  "While 16 rules and 64 matches per rule are allowed, the total number of matches across all rules in a route must be less than 128";

/** The API's message says "less than", its rule says "at most". */
export function haveFewMatches(rules: readonly { readonly matches?: readonly unknown[] }[]): boolean {
  let total = 0;
  for (const { matches } of rules) total += matches?.length ?? 0;
  return total <= 128;
}

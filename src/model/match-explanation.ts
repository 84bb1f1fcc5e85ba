import { compileMatch, type MatchableRequest } from "./matching.ts";
import { MatchingEffort } from "./regular-expression/matching-effort.ts";
import { firstQueryValue } from "./request-path.ts";
import type { HeaderMatch, RequestMatch } from "./rule.ts";

/** One part of a match against one request, for people. */
export interface MatchStep {
  readonly part: "path" | "method" | "header" | "query parameter";
  readonly held: boolean;
  readonly expected: string;
  readonly actual: string;
}

const relations = { exact: "exactly", prefix: "at or below", regex: "matching" } as const;

/** Every part of the match and whether it held, also those after one that did not. Throws `MatchingTooCostly`. */
export function explainMatch(
  match: RequestMatch,
  request: MatchableRequest,
  effort = new MatchingEffort(),
): readonly MatchStep[] {
  const holds = (part: Partial<RequestMatch>) =>
    compileMatch({ path: { type: "prefix", value: "/" }, headers: [], queryParams: [], ...part }).test(
      {
        method: request.method,
        query: request.query,
        path: part.path ? request.path : "/",
        header: (name) => request.header(name),
      },
      effort,
    );
  const describe = (
    part: "header" | "query parameter",
    given: HeaderMatch,
    held: boolean,
    actual: string | undefined,
  ): MatchStep => ({
    part,
    held,
    expected: `${given.name} ${given.invert ? "not " : ""}${relations[given.type]} ${given.value}`,
    actual: actual === undefined ? `${given.name} is absent` : `${given.name} is ${actual}`,
  });
  const steps: MatchStep[] = [
    {
      part: "path",
      held: holds({ path: match.path }),
      expected: `${relations[match.path.type]} ${match.path.value}`,
      actual: request.path,
    },
  ];
  if (match.method !== undefined) {
    const held = holds({ method: match.method });
    steps.push({ part: "method", held, expected: match.method, actual: request.method });
  }
  for (const header of match.headers) {
    steps.push(describe("header", header, holds({ headers: [header] }), request.header(header.name)));
  }
  for (const parameter of match.queryParams) {
    const actual = firstQueryValue(request.query, parameter.name);
    steps.push(describe("query parameter", parameter, holds({ queryParams: [parameter] }), actual));
  }
  return steps;
}

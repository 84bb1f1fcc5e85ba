// Conditions on headers and query parameters, as matches of the model.
//
// A match is a text or a regular expression for the whole value; a match on a header may be inverted, and then also holds for requests without that header. All of the API's operators
// are one or two of these. Contour's negative operators do not hold for a request without the header, unless it says
// `treatMissingAsEmpty`; so they are two: the header is there, and its value is another.

import { parseRegularExpression, type HeaderMatch, type ValueMatch } from "../../model/index.ts";
import {
  isFieldName,
  isFieldValue,
  type HTTPProxyHeaderCondition,
  type HTTPProxyQueryParameterCondition,
} from "../../resources/index.ts";

/** What a condition means, or why it means nothing, as the rest of a sentence that begins with the field. */
export type Judged<T> = { readonly matches: readonly T[] } | { readonly wrong: string };

/** Every value, the empty one too. */
const anything = ".*";

export function headerMatches(condition: HTTPProxyHeaderCondition): Judged<HeaderMatch> {
  const { contains, notcontains, exact, notexact, regex, ignoreCase, treatMissingAsEmpty } = condition;
  const name = condition.name.toLowerCase();
  if (!isFieldName(name))
    return { wrong: `${JSON.stringify(condition.name)} is not a name that a header can have` };
  const given = [contains, notcontains, exact, notexact, regex].filter(isGiven).length;
  const asked = given + (condition.present === true ? 1 : 0) + (condition.notpresent === true ? 1 : 0);
  if (asked === 0) return { wrong: `header ${name}: nothing is asked of it` };
  if (asked > 1)
    return {
      wrong: `header ${name}: only one of present, notpresent, contains, notcontains, exact, notexact and regex can be set`,
    };

  const there: HeaderMatch = { name, type: "regex", value: anything };
  if (condition.present === true) return { matches: [there] };
  if (condition.notpresent === true) return { matches: [{ ...there, invert: true }] };
  if (isGiven(regex)) return matchesExpression(name, regex, `header ${name}`);

  const text = contains || notcontains || exact || notexact || "";
  if (!isFieldValue(text))
    return { wrong: `header ${name}: the text has characters that no header can have` };
  const isPart = isGiven(contains) || isGiven(notcontains);
  const match: HeaderMatch = textMatch(name, isPart ? "part" : "whole", text, ignoreCase === true);
  if (isGiven(contains) || isGiven(exact)) return { matches: [match] };
  const other: HeaderMatch = { ...match, invert: true };
  return { matches: treatMissingAsEmpty === true ? [other] : [there, other] };
}

export function queryParameterMatches(condition: HTTPProxyQueryParameterCondition): Judged<ValueMatch> {
  const { name, exact, prefix, suffix, regex, contains, ignoreCase } = condition;
  if (name === "" || unfitForQuery.test(name)) {
    return { wrong: `${JSON.stringify(name)} is not a name that a query parameter can have` };
  }
  const asked =
    [exact, prefix, suffix, regex, contains].filter(isGiven).length + (condition.present === true ? 1 : 0);
  if (asked === 0) return { wrong: `query parameter ${name}: nothing is asked of it` };
  if (asked > 1)
    return {
      wrong: `query parameter ${name}: only one of exact, prefix, suffix, regex, contains and present can be set`,
    };
  if (condition.present === true) return { matches: [{ name, type: "regex", value: anything }] };
  if (isGiven(regex)) return matchesExpression(name, regex, `query parameter ${name}`);
  const text = exact || prefix || suffix || contains || "";
  if (unfitForQuery.test(text))
    return { wrong: `query parameter ${name}: the text has characters that no query can have` };
  const where = isGiven(exact) ? "whole" : isGiven(prefix) ? "start" : isGiven(suffix) ? "end" : "part";
  return { matches: [textMatch(name, where, text, ignoreCase === true)] };
}

// oxlint-disable-next-line no-control-regex
const unfitForQuery = /[\u0000-\u001f\u007f\u2028\u2029]/;

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

function matchesExpression(name: string, value: string, what: string): Judged<ValueMatch> {
  const verdict = parseRegularExpression(value);
  if (!verdict.ok)
    return {
      wrong: `${what}: regex ${JSON.stringify(value)}: ${verdict.problem}`,
    };
  return { matches: [{ name, type: "regex", value }] };
}

function textMatch(
  name: string,
  where: "whole" | "start" | "end" | "part",
  text: string,
  ignoresCase: boolean,
): ValueMatch {
  if (where === "whole" && !ignoresCase) return { name, type: "exact", value: text };
  const before = where === "end" || where === "part" ? anything : "";
  const after = where === "start" || where === "part" ? anything : "";
  return { name, type: "regex", value: `${before}${literalPattern(text, ignoresCase)}${after}` };
}

/** Case is that of ASCII letters, as HTTP has it. */
function literalPattern(text: string, ignoresCase: boolean): string {
  return text.replace(/[A-Za-z]|[\\^$.*+?()[\]{}|]/g, (found) => {
    if (!/[A-Za-z]/.test(found)) return `\\${found}`;
    return ignoresCase ? `[${found.toUpperCase()}${found.toLowerCase()}]` : found;
  });
}

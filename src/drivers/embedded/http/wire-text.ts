import type { HeaderMatch, Rule } from "../../../model/index.ts";

/**
 * A rule's text as headers have it here. Rules are written in UTF-8 and so are the bytes on the wire; Node reads and writes
 * these as Latin-1, one character for each byte. Converting the rule once spares converting every request.
 */
export function wireText(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** The same rules where there is nothing to convert. */
export function withWireText(rules: readonly Rule[]): readonly Rule[] {
  return rules.some(needsConversion)
    ? rules.map((rule) => (needsConversion(rule) ? convert(rule) : rule))
    : rules;
}

function needsConversion({ match }: Rule): boolean {
  return match.headers.some(isText);
}

/** Expressions are about bytes already: they may not have such letters. */
function isText({ type, value }: HeaderMatch): boolean {
  return type === "exact" && !isAscii(value);
}

function convert(rule: Rule): Rule {
  const headers = rule.match.headers.map((header) =>
    isText(header) ? { ...header, value: wireText(header.value) } : header,
  );
  return { ...rule, match: { ...rule.match, headers } };
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(text);
}

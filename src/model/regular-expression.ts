import { RE2JS } from "re2js";

export type RegularExpressionVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** For the owner of the route: what is wrong and what to do. */
      readonly problem: string;
      /** Index into the source. */
      readonly at: number;
    };

/** Longest source; the API allows 1,024 characters for paths and 4,096 for header values. */
export const longestRegularExpression = 4096;

/** Whether `source` is a regular expression that every proxy understands alike, in bounded time. */
export function parseRegularExpression(source: string): RegularExpressionVerdict {
  if (source.length > longestRegularExpression) {
    return {
      ok: false,
      problem: `the regular expression is longer than ${longestRegularExpression} characters`,
      at: longestRegularExpression,
    };
  }
  try {
    RE2JS.compile(source);
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error), at: 0 };
  }
}

/** A test of the whole text, in time linear to it. `source` must have been found good by `parseRegularExpression`. */
export function compileRegularExpression(source: string): (text: string) => boolean {
  const compiled = RE2JS.compile(source);
  return (text) => compiled.testExact(text);
}

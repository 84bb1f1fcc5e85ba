import type { ProxyProblem } from "./proxy-problem.ts";

/** What is to be said of an HTTPProxy: errors make it invalid, warnings do not. */
export interface Findings {
  readonly errors: readonly ProxyProblem[];
  readonly warnings: readonly ProxyProblem[];
}

export function joinFindings(all: readonly Findings[]): Findings {
  return {
    errors: withoutRepetitions(all.flatMap(({ errors }) => errors)),
    warnings: withoutRepetitions(all.flatMap(({ warnings }) => warnings)),
  };
}

/** An object that is included twice has the same mistakes twice. */
function withoutRepetitions(problems: readonly ProxyProblem[]): readonly ProxyProblem[] {
  const byText = new Map(problems.map((one) => [`${one.type} ${one.reason} ${one.message}`, one]));
  return [...byText.values()];
}

/** Collects while a part of an HTTPProxy is judged. */
export class FindingList implements Findings {
  readonly errors: ProxyProblem[] = [];
  readonly warnings: ProxyProblem[] = [];

  error(...problems: readonly ProxyProblem[]): undefined {
    this.errors.push(...problems);
    return undefined;
  }

  warn(...problems: readonly ProxyProblem[]): void {
    this.warnings.push(...problems);
  }
}

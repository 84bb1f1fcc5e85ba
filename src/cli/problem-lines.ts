import type { SourceProblem } from "../controller/index.ts";
import { printable } from "./printable.ts";
import type { Style } from "./style.ts";

/** The source names the objects where the problem does not. */
const saysWhatStays = /; until it is fixed, .+ stays? as (?:it was|they were)$/;

/** `shop.yaml:12:9: error: HTTPRoute shop/cart: spec.rules[0]: …`, as compilers write it, so that editors find the place. */
export function renderProblem(problem: SourceProblem, style: Style): string {
  const { severity, message, lastGoodInForce } = problem;
  const mark = severity === "error" ? style.red("error") : style.yellow("warning");
  const kept =
    lastGoodInForce && !saysWhatStays.test(message)
      ? style.dim(" (the last good version stays in force)")
      : "";
  return `${style.bold(renderPlace(problem))}: ${mark}: ${renderSubject(problem)}${printable(message)}${kept}`;
}

/** Said once a problem is over: which it was, without what was wrong. The line may be another by now. */
export function renderFixed(problem: SourceProblem, style: Style): string {
  const { origin, object, field } = problem;
  const subject = [object, field].filter((part) => part !== undefined).map(printable);
  const place = subject.length > 0 ? printable(origin) : renderPlace(problem);
  return `${style.bold(place)}: ${[style.green("fixed"), ...subject].join(": ")}`;
}

function renderPlace({ origin, line, column }: SourceProblem): string {
  return [
    printable(origin),
    ...(line === undefined ? [] : [line, ...(column === undefined ? [] : [column])]),
  ].join(":");
}

function renderSubject({ object, field }: SourceProblem): string {
  return [object, field].map((part) => (part === undefined ? "" : `${printable(part)}: `)).join("");
}

/** The same problem after an edit that moved it. */
export function problemIdentity({ severity, origin, object, field, message }: SourceProblem): string {
  return JSON.stringify([severity, origin, object, field, message]);
}

import {
  classControllers,
  unnamedClasses,
  whyNotOurs,
  type DryRun,
  type DryRunObject,
} from "../../controller/index.ts";
import { renderFinding, renderNotes, renderUnnamedClass } from "../status-lines.ts";
import { printable } from "../printable.ts";
import type { Style } from "../style.ts";
import { renderTable } from "../table.ts";

/** Kinds that get a status from somebody, if not from us. */
const judgedKind = /^(?:GatewayClass|Gateway|ListenerSet|XMesh|Ingress|HTTPProxy|.*Route|.*Policy)$/;

type Result = "accepted" | "partial" | "refused" | "not ours";

const words: Readonly<
  Record<Result, { readonly mark: string; readonly colour: "green" | "yellow" | "red" | "dim" }>
> = {
  accepted: { mark: "✓", colour: "green" },
  partial: { mark: "!", colour: "yellow" },
  refused: { mark: "✗", colour: "red" },
  "not ours": { mark: "-", colour: "dim" },
};

/** For people: every object that can be accepted or refused, with the reasons below it, and what else was read. */
export function renderCheckTable({ controller, objects, problems, notes }: DryRun, style: Style): string {
  const judged = objects.filter(({ shown, verdict }) => verdict || judgedKind.test(shown.kind));
  const head = ["", "KIND", "NAMESPACE", "NAME", "RESULT"].map((cell) => style.bold(cell));
  const [headLine = "", ...rows] = renderTable([head, ...judged.map((object) => renderRow(object, style))]);
  const controllers = classControllers(objects.map(({ shown }) => shown));
  const lines: string[] = judged.length > 0 ? [headLine] : [];
  for (const [index, row] of rows.entries()) {
    lines.push(row, ...explain(judged[index]!, controllers, style));
  }
  const remarks = [
    ...unnamedClasses(controller.resources()).map(renderUnnamedClass),
    ...renderNotes(notes.map(({ message }) => message)),
  ].map(style.yellow);
  if (remarks.length > 0) lines.push("", ...remarks);
  lines.push(...(lines.length > 0 ? [""] : []), renderSummary(objects, judged));
  if (objects.length > 0 && judged.length === 0) lines.push("No Gateway and no route is among them.");
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (errors > 0) lines.push(style.red(`${count(errors, "problem")} in the files; see above.`));
  return `${lines.join("\n")}\n`;
}

function resultOf({ verdict }: DryRunObject): Result {
  return verdict?.result ?? "not ours";
}

function renderRow(object: DryRunObject, style: Style): string[] {
  const { kind, metadata } = object.shown;
  const result = resultOf(object);
  const { mark, colour } = words[result];
  const shown = result === "partial" ? "accepted in part" : result;
  return [style[colour](mark), kind, metadata.namespace ?? "", metadata.name, style[colour](shown)];
}

function explain(object: DryRunObject, controllers: ReadonlyMap<string, string>, style: Style): string[] {
  const { shown, verdict } = object;
  if (!verdict) return [`    ${style.dim(printable(whyNotOurs(shown, controllers)))}`];
  const colour = verdict.result === "refused" ? style.red : style.yellow;
  return verdict.findings.map((finding) => `    ${renderFinding(finding, colour)}`);
}

function renderSummary(objects: readonly DryRunObject[], judged: readonly DryRunObject[]): string {
  const parts = (Object.keys(words) as Result[]).flatMap((result) => {
    const number = judged.filter((object) => resultOf(object) === result).length;
    return number === 0 ? [] : [`${number} ${result === "partial" ? "accepted in part" : result}`];
  });
  const others = new Map<string, number>();
  for (const { shown, verdict } of objects) {
    if (!verdict && !judgedKind.test(shown.kind)) others.set(shown.kind, (others.get(shown.kind) ?? 0) + 1);
  }
  const also = [...others].map(([kind, number]) => count(number, kind));
  if (also.length > 0) parts.push(`also read ${also.join(", ")}`);
  return `${count(objects.length, "object")}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}.`;
}

function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

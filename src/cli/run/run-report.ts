/*
 * What `run` says while it runs. Until `begin`, everything is only noted; then what is not well is told, and after that each
 * change: problems that come and go, statuses that became different, objects that went away.
 */
import {
  hintsFrom,
  watchListeners,
  type Controller,
  type ControllerEvents,
  type Hint,
  type SourceProblem,
} from "../../controller/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
import { renderClosed, renderOpened } from "../listener-lines.ts";
import { printable } from "../printable.ts";
import { problemIdentity, renderFixed, renderProblem } from "../problem-lines.ts";
import { isWell, nameObject, renderStatus } from "../status-lines.ts";
import type { Style } from "../style.ts";

export interface RunReportOptions {
  readonly tell: (line: string) => void;
  readonly style: Style;
  readonly complain: (line: string) => void;
  readonly complaintStyle: Style;
}

/** More lines than this at once are a flood; then those that are well are only counted. */
const flood = 20;

export class RunReport implements ControllerEvents {
  readonly #options: RunReportOptions;
  /** What was last told of an object, or could have been. */
  readonly #told = new Map<string, ObjectStatus>();
  #problems = new Map<string, SourceProblem>();
  #notices: string[] = [];
  #controller: Controller | undefined;
  #hasBegun = false;

  constructor(options: RunReportOptions) {
    this.#options = options;
  }

  /** Hears of objects that go away as well, and of ports that open and close. */
  watch(controller: Controller): void {
    this.#controller = controller;
    controller.statuses.subscribe((changes) => {
      const gone = [...changes.values()].flatMap(({ before, after }) => (before && !after ? [before] : []));
      this.#leave(gone);
    });
    watchListeners(controller, ({ opened, closed }) => {
      if (!this.#hasBegun) return;
      const { style } = this.#options;
      this.#tellSome([
        ...opened.flatMap((listener) => renderOpened(listener, style)),
        ...closed.map((key) => renderClosed(key, style)),
      ]);
    });
  }

  begin(): void {
    const { tell, style } = this.#options;
    this.#hasBegun = true;
    for (const notice of this.#notices) tell(style.yellow(printable(notice)));
    this.#notices = [];
    this.#complain([...this.#problems.values()]);
    const statuses = [...this.#told.values()];
    const ill = statuses.filter((status) => !isWell(status));
    const hint = this.#hints();
    this.#tellSome(ill.flatMap((status) => renderStatus(status, { style, hint })));
    const well = statuses.length - ill.length;
    if (statuses.length === 0) tell("No Gateway and no route is here to be served yet.");
    else tell(style.dim(`${well} of ${statuses.length} objects with a status are accepted in full.`));
  }

  /** A sentence from the driver. */
  note(notice: string): void {
    if (this.#hasBegun) this.#options.tell(this.#options.style.yellow(printable(notice)));
    else this.#notices.push(notice);
  }

  problems(problems: readonly SourceProblem[]): void {
    const now = new Map(problems.map((problem) => [problemIdentity(problem), problem]));
    const before = this.#problems;
    this.#problems = now;
    if (!this.#hasBegun) return;
    const { complain, complaintStyle } = this.#options;
    const fixed = [...before].flatMap(([identity, problem]) => (now.has(identity) ? [] : [problem]));
    for (const problem of fixed.slice(0, flood)) complain(renderFixed(problem, complaintStyle));
    if (fixed.length > flood) complain(`${fixed.length - flood} more problems are over.`);
    this.#complain([...now].flatMap(([identity, problem]) => (before.has(identity) ? [] : [problem])));
  }

  statuses(statuses: readonly ObjectStatus[]): void {
    if (!this.#hasBegun) {
      for (const status of statuses) this.#told.set(identityOf(status), status);
      return;
    }
    const isFlood = statuses.length > flood;
    const hint = this.#hints();
    this.#tellSome(
      statuses.flatMap((status) => this.#different(status, { hint, aloud: !isFlood || !isWell(status) })),
    );
    const left = isFlood ? statuses.filter(isWell).length : 0;
    if (left > 0) this.#options.tell(this.#options.style.dim(`${left} more statuses changed and are well.`));
  }

  fault(where: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const { complain, complaintStyle } = this.#options;
    complain(`${complaintStyle.red("internal error")}: ${printable(where)}: ${printable(text)}`);
  }

  #hints(): Hint {
    return hintsFrom(() => this.#controller?.resources() ?? []);
  }

  #complain(problems: readonly SourceProblem[]): void {
    const { complain, complaintStyle } = this.#options;
    for (const problem of problems.slice(0, flood)) complain(renderProblem(problem, complaintStyle));
    if (problems.length > flood)
      complain(`${problems.length - flood} more problems; gatewright check tells all.`);
  }

  #tellSome(lines: readonly string[]): void {
    const { tell, style } = this.#options;
    for (const line of lines.slice(0, flood)) tell(line);
    if (lines.length > flood) {
      tell(style.dim(`${lines.length - flood} more lines like these; gatewright check tells all.`));
    }
  }

  /** Lines, if something became different to the reader: the words, or the version of the object that they are about. */
  #different(
    status: ObjectStatus,
    { hint, aloud }: { readonly hint: Hint; readonly aloud: boolean },
  ): string[] {
    const { style } = this.#options;
    const identity = identityOf(status);
    const before = this.#told.get(identity);
    this.#told.set(identity, status);
    if (!aloud) return [];
    const lines = renderStatus(status, { style, hint });
    const isSame =
      before?.generation === status.generation &&
      renderStatus(before, { style, hint }).join("\n") === lines.join("\n");
    return isSame ? [] : lines;
  }

  #leave(statuses: readonly ObjectStatus[]): void {
    for (const status of statuses) this.#told.delete(identityOf(status));
    if (!this.#hasBegun) return;
    const { style } = this.#options;
    this.#tellSome(
      statuses.map((status) => {
        const { kind, namespace, name } = status;
        const key = namespace === undefined ? name : `${namespace}/${name}`;
        const isGone = this.#controller?.find(kind, key) === undefined;
        return `${style.bold(nameObject(status))}  ${isGone ? "removed" : "no longer served here"}`;
      }),
    );
  }
}

/** An object has a status for each controller name of ours. */
function identityOf({ key, content }: ObjectStatus): string {
  return "controllerName" in content ? `${key}|${content.controllerName}` : key;
}

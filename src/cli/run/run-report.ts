/*
 * What `run` says while it runs. Until `begin`, everything is only noted; then what is not well is told, and after that each
 * change: problems that come and go, statuses that became different, objects that went away.
 */
import type { Controller, ControllerEvents, SourceProblem } from "../../controller/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
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
  readonly #statuses = new Map<string, ObjectStatus>();
  /** What was last told of an object. */
  readonly #told = new Map<string, string>();
  #problems = new Map<string, SourceProblem>();
  #notices: string[] = [];
  #controller: Controller | undefined;
  #hasBegun = false;

  constructor(options: RunReportOptions) {
    this.#options = options;
  }

  /** Hears of objects that go away as well. */
  watch(controller: Controller): void {
    this.#controller = controller;
    controller.statuses.subscribe((changes) => {
      for (const { before, after } of changes.values()) if (before && !after) this.#leave(before);
    });
  }

  begin(): void {
    const { tell, style } = this.#options;
    this.#hasBegun = true;
    for (const notice of this.#notices) tell(style.yellow(printable(notice)));
    this.#notices = [];
    for (const problem of this.#problems.values()) this.#complain(problem);
    const statuses = [...this.#statuses.values()];
    for (const status of statuses) this.#tellStatus(status, !isWell(status));
    const well = statuses.filter(isWell).length;
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
    for (const [identity, problem] of before)
      if (!now.has(identity)) complain(renderFixed(problem, complaintStyle));
    for (const [identity, problem] of now) if (!before.has(identity)) this.#complain(problem);
  }

  statuses(statuses: readonly ObjectStatus[]): void {
    for (const status of statuses) this.#statuses.set(identityOf(status), status);
    if (!this.#hasBegun) return;
    const isFlood = statuses.length > flood;
    for (const status of statuses) this.#tellStatus(status, !isFlood || !isWell(status));
    const left = isFlood ? statuses.filter(isWell).length : 0;
    if (left > 0) this.#options.tell(this.#options.style.dim(`${left} more statuses changed and are well.`));
  }

  fault(where: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const { complain, complaintStyle } = this.#options;
    complain(`${complaintStyle.red("internal error")}: ${printable(where)}: ${printable(text)}`);
  }

  #complain(problem: SourceProblem): void {
    this.#options.complain(renderProblem(problem, this.#options.complaintStyle));
  }

  /** Tells what became different to the reader: the words, or the version of the object that they are about. */
  #tellStatus(status: ObjectStatus, aloud: boolean): void {
    const lines = renderStatus(status, this.#options.style);
    const text = `${status.generation} ${lines.join("\n")}`;
    const identity = identityOf(status);
    if (this.#told.get(identity) === text) return;
    this.#told.set(identity, text);
    if (aloud) for (const line of lines) this.#options.tell(line);
  }

  #leave(status: ObjectStatus): void {
    const { kind, namespace, name } = status;
    this.#statuses.delete(identityOf(status));
    this.#told.delete(identityOf(status));
    if (!this.#hasBegun) return;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    const isGone = this.#controller?.find(kind, key) === undefined;
    const { tell, style } = this.#options;
    tell(`${style.bold(nameObject(status))}  ${isGone ? "removed" : "no longer served here"}`);
  }
}

/** An object has a status for each controller name of ours. */
function identityOf({ key, content }: ObjectStatus): string {
  return "controllerName" in content ? `${key}|${content.controllerName}` : key;
}

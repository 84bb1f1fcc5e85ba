import type { ResourceChange, SourceProblem, SourceSink } from "../source.ts";

/** What comes within this time is handed over together, ms. */
const pause = 1;
/** A steady stream is handed over at least this often, ms. */
const longest = 3;

/**
 * Gathers changes and problems for the sink: one call for what came together. Of one object only the last counts, but for one that is
 * deleted and made anew. Nothing is handed over before `open`, and then all at once.
 */
export class ChangeFeed {
  readonly #changes = new Map<string, ResourceChange>();
  /** By what they are about. */
  readonly #problems = new Map<string, readonly SourceProblem[]>();
  readonly #fault: (error: unknown) => void;
  #sink: SourceSink | undefined;
  #isReportDue = false;
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  #lastAt = 0;
  #isClosed = false;

  constructor(fault: (error: unknown) => void) {
    this.#fault = fault;
  }

  change(change: ResourceChange): void {
    const id = `${change.kind}/${change.key}`;
    const waiting = this.#changes.get(id);
    // An object that was deleted and made anew is another one: whoever looks on must see that the first is gone.
    if (waiting && !waiting.resource && change.resource) this.flush();
    this.#changes.set(id, change);
    this.#plan();
  }

  /** `about`: an object, a watch; an empty list: all is well with it. */
  setProblems(about: string, problems: readonly SourceProblem[]): void {
    if (problems.length > 0) this.#problems.set(about, problems);
    else if (!this.#problems.delete(about)) return;
    this.#isReportDue = true;
    this.#plan();
  }

  /** Hands over what there is, in one call even if it is nothing. Until then only problems are told. */
  open(sink: SourceSink): void {
    this.#sink = sink;
    this.flush(true);
  }

  flush(isFirst = false): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sink = this.#sink;
    if (!sink || this.#isClosed) return;
    this.reportTo(sink);
    if (this.#changes.size === 0 && !isFirst) return;
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    this.#tell(() => sink.apply(changes));
  }

  /** If anything changed since the last time. */
  reportTo(sink: SourceSink): void {
    if (!this.#isReportDue) return;
    this.#isReportDue = false;
    const problems = [...this.#problems.values()].flat();
    this.#tell(() => sink.report(problems));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    this.#lastAt = performance.now();
    if (this.#timer || !this.#sink || this.#isClosed) return;
    this.#firstAt = this.#lastAt;
    this.#arm();
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      const now = performance.now();
      const isQuiet = now - this.#lastAt >= pause;
      if (isQuiet || now - this.#firstAt + pause > longest) this.flush();
      else this.#arm();
    }, pause);
  }

  #tell(telling: () => void): void {
    try {
      telling();
    } catch (error) {
      this.#fault(error);
    }
  }
}

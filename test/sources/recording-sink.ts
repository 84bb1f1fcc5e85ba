import type { Resource } from "../../src/resources/index.ts";
import type { ResourceChange, SourceProblem, SourceSink } from "../../src/sources/index.ts";

/** Keeps what a source hands over: every batch, and what follows from all of them. */
export class RecordingSink implements SourceSink {
  readonly batches: (readonly ResourceChange[])[] = [];
  readonly reports: (readonly SourceProblem[])[] = [];
  /** By `<Kind>/<namespace>/<name>`, or `<Kind>/<name>`. */
  readonly objects = new Map<string, Resource>();
  #wake: () => void = () => undefined;

  get problems(): readonly SourceProblem[] {
    return this.reports.at(-1) ?? [];
  }

  get keys(): string[] {
    return [...this.objects.keys()].sort();
  }

  /** Problems as `origin:line:column object field: message`, for comparison. */
  get lines(): string[] {
    return this.problems.map(formatProblem);
  }

  apply(changes: readonly ResourceChange[]): void {
    this.batches.push(changes);
    for (const { kind, key, resource } of changes) {
      if (resource === undefined) this.objects.delete(`${kind}/${key}`);
      else this.objects.set(`${kind}/${key}`, resource);
    }
    this.#wake();
  }

  report(problems: readonly SourceProblem[]): void {
    this.reports.push(problems);
    this.#wake();
  }

  /** Waits for something to become true by what is handed over. */
  async until(isTrue: () => boolean, timeoutMs = 5_000): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (!isTrue()) {
      const left = end - Date.now();
      if (left <= 0)
        throw new Error(`waited in vain; objects ${this.keys.join(", ")}; problems ${this.lines.join("; ")}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

export function formatProblem(problem: SourceProblem): string {
  const { severity, origin, line, column, object, field, message, lastGoodInForce } = problem;
  const place = line === undefined ? origin : `${origin}:${line}:${column}`;
  const about = [object, field].filter((part) => part !== undefined).join(" ");
  return `${severity} ${place} ${about}${about === "" ? "" : ": "}${message}${lastGoodInForce === true ? " [last good]" : ""}`;
}

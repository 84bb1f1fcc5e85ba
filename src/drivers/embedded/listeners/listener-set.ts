import type { ApplyReport } from "../../driver.ts";
import type { Listener } from "../../../model/index.ts";
import { OpenListener, type OpenListenerOptions } from "./open-listener.ts";

/*
 * All listeners that are wanted. `change` brings the changed ones in force for connections to come; `open` then opens their
 * sockets. A listener whose port or address cannot be had is tried again, at growing intervals, for as long as it is wanted, and
 * each change of how it stands is reported.
 */

export interface ListenerSetOptions extends OpenListenerOptions {
  /** Runs work after all work that was handed over before. */
  readonly enqueue: (work: () => Promise<void>) => void;
  readonly report: (reports: readonly ApplyReport[]) => void;
  /** Nobody is connected to a listener that was removed. */
  readonly forgetHttp: (listener: string) => void;
}

export class ListenerSet {
  readonly #options: ListenerSetOptions;
  readonly #open = new Map<string, OpenListener>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  readonly #draining = new Set<Promise<void>>();

  constructor(options: ListenerSetOptions) {
    this.#options = options;
  }

  get(key: string): OpenListener | undefined {
    return this.#open.get(key);
  }

  values(): Iterable<OpenListener> {
    return this.#open.values();
  }

  /** Returns at once; the sockets of removed listeners are closed when it does, and who is connected to them may finish. */
  change(changes: ReadonlyMap<string, Listener | undefined>): void {
    for (const [key, listener] of changes) {
      const known = this.#open.get(key);
      if (!listener) this.#remove(key, known);
      else if (known) this.#await(known.change(listener));
      else this.#open.set(key, new OpenListener(listener, this.#options));
    }
  }

  /** Ports that may not be had as they are come last, so that a substitute never takes a port that another listener asks for. */
  async open(keys: Iterable<string>): Promise<ApplyReport[]> {
    const listeners = [...keys].flatMap((key) => this.#open.get(key) ?? []);
    const reports: ApplyReport[] = [];
    for (const open of listeners.sort(byNeedOfSubstitute)) {
      const { key } = open.listener;
      clearTimeout(this.#retries.get(key));
      reports.push({ kind: "listeners", key, state: await open.open() });
      this.#planRetry(open);
    }
    return reports;
  }

  async close(): Promise<void> {
    for (const [key, open] of this.#open) this.#remove(key, open);
    await Promise.all(this.#draining);
  }

  #remove(key: string, open: OpenListener | undefined): void {
    clearTimeout(this.#retries.get(key));
    this.#retries.delete(key);
    this.#open.delete(key);
    if (!open) return;
    const closed = open.close(this.#options.limits.grace).then(() => {
      if (!this.#open.has(key)) this.#options.forgetHttp(key);
    });
    this.#await(closed);
  }

  #await(draining: Promise<void>): void {
    this.#draining.add(draining);
    void draining.finally(() => this.#draining.delete(draining));
  }

  #planRetry(open: OpenListener): void {
    const { key } = open.listener;
    this.#retries.delete(key);
    if (open.failures === 0) return;
    const { retryFirst, retryMost } = this.#options.limits;
    const delay = Math.min(retryMost, retryFirst * 2 ** Math.min(open.failures - 1, 20));
    const timer = setTimeout(() => this.#options.enqueue(() => this.#retry(open)), delay);
    this.#retries.set(key, timer.unref());
  }

  async #retry(open: OpenListener): Promise<void> {
    const { key } = open.listener;
    if (this.#open.get(key) !== open) return;
    const before = JSON.stringify(open.state);
    const reports = await this.open([key]);
    if (JSON.stringify(open.state) !== before) this.#options.report(reports);
  }
}

function byNeedOfSubstitute({ listener: a }: OpenListener, { listener: b }: OpenListener): number {
  const privileged = Number(a.port < 1024) - Number(b.port < 1024);
  return privileged || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

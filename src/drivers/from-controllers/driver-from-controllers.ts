/*
 * A driver made of four small interfaces: it keeps the books (`books.ts`), works through what is open (`pass.ts`), reports,
 * and tries again later what failed. Passes follow each other: the data plane is never called twice at once.
 */
import { allFeatures, type ModelChanges } from "../../model/index.ts";
import type { ApplyReport, BoundAddress, Driver, ItemState, Report } from "../driver.ts";
import { Books } from "./books.ts";
import type { Controllers } from "./controllers.ts";
import { ControllersDriverError } from "./driver-error.ts";
import type { Ledger } from "./ledger.ts";
import { runPass, type CallFailure } from "./pass.ts";

export interface FromControllersOptions {
  readonly name?: string;
  /** What the data plane does right; everything by default. */
  readonly features?: ReadonlySet<string>;
  /** First wait before another try, ms; doubles up to 30 s. */
  readonly retryDelay?: number;
  /** Makes the data plane ready, before the first call. */
  readonly start?: () => void | Promise<void>;
  /** Ends the data plane, after the last call. Without it the data plane goes on with what it has. */
  readonly stop?: () => void | Promise<void>;
  /** Hears of every call that failed, also of those that no report is about: what is to be removed has no status left. */
  readonly onFailure?: (failure: CallFailure) => void;
}

const longestDelay = 30_000;

export function driverFromControllers(
  controllers: Controllers,
  options: FromControllersOptions = {},
): Driver {
  return new ControllersDriver(controllers, options);
}

class ControllersDriver implements Driver {
  readonly name: string;
  readonly features: ReadonlySet<string>;
  readonly #options: FromControllersOptions;
  readonly #books: Books;
  /** Where listeners said that they can be reached. */
  readonly #addresses = new Map<string, readonly BoundAddress[]>();
  /** Items whose last report was not `programmed`. */
  readonly #unsettled = new Set<string>();
  readonly #firstDelay: number;
  #report: Report | undefined;
  #work: Promise<void> = Promise.resolve();
  #delay: number;
  #timer: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | undefined;

  constructor(controllers: Controllers, options: FromControllersOptions) {
    this.name = options.name ?? "controllers";
    this.features = options.features ?? allFeatures;
    this.#options = options;
    this.#books = new Books(controllers);
    this.#firstDelay = options.retryDelay ?? 500;
    this.#delay = this.#firstDelay;
  }

  async start(report: Report): Promise<void> {
    if (this.#report) throw new ControllersDriverError("GATEWRIGHT_DRIVER_STARTED", this.name);
    this.#report = report;
    await this.#options.start?.();
  }

  apply(changes: ModelChanges): Promise<void> {
    if (!this.#report || this.#stopping) {
      return Promise.reject(new ControllersDriverError("GATEWRIGHT_DRIVER_NOT_STARTED", this.name));
    }
    return this.#enqueue(async () => {
      this.#books.take(changes);
      this.#delay = this.#firstDelay;
      await this.#pass();
    });
  }

  stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping ??= this.#work.then(() => this.#options.stop?.());
    return this.#stopping;
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.#stopping ? undefined : work()));
    this.#work = done.catch(() => {});
    return done;
  }

  async #pass(): Promise<void> {
    clearTimeout(this.#timer);
    const reports: ApplyReport[] = [];
    let failures = 0;
    await runPass(this.#books, {
      isOver: () => this.#stopping !== undefined,
      onState: (ledger, name, state) => this.#note(reports, ledger, name, state),
      onRemoved: (ledger, name) => this.#forget(ledger, name),
      onFailure: (failure) => {
        failures++;
        this.#options.onFailure?.(failure);
      },
    });
    if (this.#stopping) return;
    if (failures > 0) this.#tryAgainLater();
    if (reports.length > 0) this.#report?.(reports);
  }

  #tryAgainLater(): void {
    // Only who hears of reports and failures can throw here, and there is nobody else to tell.
    const pass = () => void this.#enqueue(() => this.#pass()).catch(() => {});
    this.#timer = setTimeout(pass, this.#delay).unref();
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }

  /** Listeners are reported always, other items when they are not in force, and once more when that is over. */
  #note(reports: ApplyReport[], ledger: Ledger<unknown>, name: string, given: ItemState): void {
    const { kind, key } = ledger.calls.itemOf(name);
    const id = `${kind}|${key}`;
    const wasUnsettled = this.#unsettled.has(id);
    if (given.type !== "programmed") {
      this.#unsettled.add(id);
      reports.push({ kind, key, state: given });
      return;
    }
    this.#unsettled.delete(id);
    if (kind !== "listeners") {
      if (wasUnsettled) reports.push({ kind, key, state: { type: "programmed" } });
      return;
    }
    if (given.addresses) this.#addresses.set(key, given.addresses);
    const addresses = this.#addresses.get(key);
    reports.push({ kind, key, state: { type: "programmed", ...(addresses ? { addresses } : {}) } });
  }

  #forget(ledger: Ledger<unknown>, name: string): void {
    const { kind, key } = ledger.calls.itemOf(name);
    this.#unsettled.delete(`${kind}|${key}`);
    if (kind === "listeners") this.#addresses.delete(key);
  }
}

import type { Driver, Report } from "../../drivers/index.ts";
import { modelKinds, type ModelChanges, type ModelKind } from "../../model/index.ts";

/**
 * The driver of one Gateway, which may become another kind while it runs: a ProxyConfig can change. The new one gets all that
 * there is before the old one is stopped.
 */
export class SwitchableDriver implements Driver {
  #driver: Driver;
  readonly #items = new Map<ModelKind, Map<string, unknown>>(modelKinds.map((kind) => [kind, new Map()]));
  #report: Report | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  get name(): string {
    return this.#driver.name;
  }

  get features(): ReadonlySet<string> {
    return this.#driver.features;
  }

  async start(report: Report): Promise<void> {
    this.#report = report;
    await this.#startDriver(this.#driver);
  }

  apply(changes: ModelChanges): Promise<void> {
    for (const kind of modelKinds) {
      for (const [key, item] of changes[kind]) {
        if (item) this.#items.get(kind)?.set(key, item);
        else this.#items.get(kind)?.delete(key);
      }
    }
    const handed = this.#queue.then(() => this.#driver.apply(changes));
    return handed;
  }

  /** Resolves when the new one is in charge. */
  switchTo(driver: Driver): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      const before = this.#driver;
      this.#driver = driver;
      if (!this.#report) return;
      await this.#startDriver(driver);
      await driver.apply(Object.fromEntries(this.#items) as unknown as ModelChanges);
      await before.stop();
    });
    return this.#queue;
  }

  async stop(): Promise<void> {
    await this.#queue.catch(() => undefined);
    await this.#driver.stop();
  }

  #startDriver(driver: Driver): Promise<void> {
    return driver.start((reports) => {
      if (this.#driver === driver) this.#report?.(reports);
    });
  }
}

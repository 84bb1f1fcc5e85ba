/*
 * A driver made of drivers: each Gateway has one of its own, which gets what is that Gateway's and nothing else.
 *
 * A Gateway's driver is made and started when the Gateway has its first item, and stopped when it has none left. Changes are handed
 * over in the order in which they came; a driver that is still starting gets them as soon as it has started. If it cannot
 * start, its listeners are refused in its words, and the next change of the Gateway tries again with all that there is.
 *
 * Reports pass through, except that certificates and backends are shared by Gateways: as long as one driver refuses an item, it is refused.
 */
import type { ModelChanges, ModelKind } from "../model/index.ts";
import type { ApplyReport, Driver, Report } from "./driver.ts";
import { emptyChanges, GatewayItems } from "./gateway-items.ts";

export interface ByGatewayOptions {
  readonly name: string;
  readonly features: ReadonlySet<string>;
  /** Makes the driver of a Gateway, `<namespace>/<name>`. They may be of different kinds. */
  readonly create: (gateway: string) => Driver;
  /** Hears of what a Gateway's driver could not do; the others go on. */
  readonly fault?: (gateway: string, error: unknown) => void;
}

export interface GatewayDrivers extends Driver {
  /** Ends the Gateway's driver and makes another, because what `create` would make has become different. */
  renew(gateway: string): Promise<void>;
}

export function driverByGateway(options: ByGatewayOptions): GatewayDrivers {
  return new ByGateway(options);
}

interface Child {
  readonly gateway: string;
  readonly driver: Driver | undefined;
  readonly started: Promise<void>;
  /** Nobody listens to it any more. */
  ended: boolean;
}

class ByGateway implements GatewayDrivers {
  readonly name: string;
  readonly features: ReadonlySet<string>;
  readonly #create: (gateway: string) => Driver;
  readonly #fault: (gateway: string, error: unknown) => void;
  readonly #items = new GatewayItems();
  readonly #children = new Map<string, Child>();
  /** The end of a Gateway's last driver, which the next one must wait for: they may want the same port. */
  readonly #endings = new Map<string, Promise<void>>();
  /** Item → Gateway → why its driver refuses it. */
  readonly #refusals = new Map<string, Map<string, ApplyReport>>();
  #report: Report = () => {};

  constructor({ name, features, create, fault = () => {} }: ByGatewayOptions) {
    this.name = name;
    this.features = features;
    this.#create = create;
    this.#fault = fault;
  }

  start(report: Report): Promise<void> {
    this.#report = report;
    return Promise.resolve();
  }

  async apply(changes: ModelChanges): Promise<void> {
    const byGateway = this.#items.apply(changes);
    const failures: unknown[] = [];
    const handed = [...byGateway].map(async ([gateway, own]) => {
      try {
        await this.#hand(gateway, own);
      } catch (error) {
        failures.push(error);
      }
    });
    await Promise.all(handed);
    if (failures.length > 0 && failures.length === byGateway.size) throw failures[0];
  }

  async renew(gateway: string): Promise<void> {
    const child = this.#children.get(gateway);
    if (!child) return;
    this.#children.delete(gateway);
    this.#end(child);
    for (const id of this.#refusals.keys()) this.#withdraw(gateway, id);
    await this.#hand(gateway, emptyChanges());
  }

  async stop(): Promise<void> {
    for (const child of this.#children.values()) this.#end(child);
    this.#children.clear();
    await Promise.all(this.#endings.values());
  }

  /** Synchronous until the driver has the changes (or is starting), so that the order of calls is the order of changes. */
  #hand(gateway: string, own: ModelChanges): Promise<void> {
    const known = this.#children.get(gateway);
    const isLast = !this.#items.has(gateway);
    if (!known && isLast) return Promise.resolve();
    const child = known ?? this.#begin(gateway);
    // A driver that is new, for the Gateway or after one that did not start, must hear all there is.
    const changes = known ? own : this.#items.all(gateway);
    const applied = child.started.then(() => child.driver?.apply(changes));
    if (isLast) this.#children.delete(gateway);
    return applied
      .catch((error: unknown) => {
        this.#fail(child, changes, error);
        throw error;
      })
      .finally(() => {
        this.#forget(gateway, own);
        if (isLast) this.#end(child);
      });
  }

  #begin(gateway: string): Child {
    const ended = this.#endings.get(gateway) ?? Promise.resolve();
    let driver: Driver | undefined;
    let failure: unknown;
    try {
      driver = this.#create(gateway);
    } catch (error) {
      failure = error;
    }
    const started = ended.then(() => {
      if (!driver) throw failure;
      return driver.start((reports) => this.#take(child, reports));
    });
    const child: Child = { gateway, driver, started, ended: false };
    this.#children.set(gateway, child);
    started.catch(() => {
      if (this.#children.get(gateway) === child) this.#children.delete(gateway);
      child.ended = true;
    });
    return child;
  }

  #end(child: Child): void {
    const { gateway, driver } = child;
    if (child.ended) return;
    child.ended = true;
    const ending = child.started
      .then(
        () => driver?.stop(),
        () => undefined,
      )
      .catch((error: unknown) => this.#fault(gateway, error))
      .finally(() => {
        if (this.#endings.get(gateway) === ending) this.#endings.delete(gateway);
      });
    this.#endings.set(gateway, ending);
  }

  /** Nothing of the changes came into force: the listeners among them say so. */
  #fail({ gateway }: Child, changes: ModelChanges, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const listeners = [...changes.listeners].filter(([, listener]) => listener !== undefined);
    const state = { type: "refused", message } as const;
    this.#fault(gateway, error);
    this.#report(listeners.map(([key]) => ({ kind: "listeners", key, state })));
  }

  #take(child: Child, reports: readonly ApplyReport[]): void {
    if (child.ended) return;
    this.#report(reports.map((report) => this.#weigh(child.gateway, report)));
  }

  #weigh(gateway: string, report: ApplyReport): ApplyReport {
    const { kind, key, state } = report;
    if (kind === "listeners") return report;
    const id = `${kind}|${key}`;
    if (state.type !== "refused") return this.#withdraw(gateway, id) ?? report;
    const refusals = this.#refusals.get(id) ?? new Map<string, ApplyReport>();
    refusals.set(gateway, report);
    this.#refusals.set(id, refusals);
    return report;
  }

  /** A refusal of another Gateway's driver that still stands, if there is one. */
  #withdraw(gateway: string, id: string): ApplyReport | undefined {
    const refusals = this.#refusals.get(id);
    refusals?.delete(gateway);
    if (refusals?.size === 0) this.#refusals.delete(id);
    return refusals?.values().next().value;
  }

  /** What a Gateway no longer has, its driver no longer refuses. */
  #forget(gateway: string, changes: ModelChanges): void {
    const reports: ApplyReport[] = [];
    for (const [kind, items] of Object.entries(changes) as [ModelKind, ModelChanges[ModelKind]][]) {
      for (const key of items.keys()) {
        const id = `${kind}|${key}`;
        if (!this.#refusals.get(id)?.has(gateway) || this.#items.holds(gateway, kind, key)) continue;
        reports.push(this.#withdraw(gateway, id) ?? { kind, key, state: { type: "programmed" } });
      }
    }
    if (reports.length > 0) this.#report(reports);
  }
}

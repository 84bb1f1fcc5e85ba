/*
 * The Envoy driver: model changes become resources, which every proxy of the Gateway is sent as it needs them.
 *
 * Changes that come while proxies are busy with earlier ones are not queued as such: each proxy gets the newest version of what it
 * lacks. So one `apply` may be answered together with the next, but never before its own changes hold.
 */
import type { ModelChanges, ModelKind } from "../../model/index.ts";
import type { ApplyReport, BoundAddress, Driver, Report } from "../driver.ts";
import { EnvoyDriverError } from "./driver-error.ts";
import type { RenderedResource, ResourceType } from "./rendered-resource.ts";
import { encodeResource, Fleet, type EnvoyControlPlane, type FleetDescription } from "./xds/index.ts";

/** What `render/` is to the rest: it holds the items of the model and says what becomes of changes. */
export interface Renderer {
  apply(changes: ModelChanges): RenderedChanges;
}

export interface RenderedChanges {
  readonly resources: readonly RenderedResource[];
  readonly removed: readonly { readonly type: ResourceType; readonly name: string }[];
  /** Items that cannot be rendered; without a message, that is over. */
  readonly problems: readonly { readonly kind: ModelKind; readonly key: string; readonly message?: string }[];
}

export interface EnvoyDriverOptions {
  readonly features: ReadonlySet<string>;
  readonly renderer: Renderer;
  /** Where the proxies come in. */
  readonly controlPlane: EnvoyControlPlane;
  /** `<namespace>/<name>` of the Gateway, as it stands in the proxies' certificates. */
  readonly gateway: string;
  /** Where clients reach a listener, by its key, if that is known. */
  readonly addressesOf?: (listener: string) => readonly BoundAddress[] | undefined;
  /**
   * `ignore` (default): addresses that a Gateway asks for belong to something in front of its proxies, like a load balancer. `bind`: they are
   * the proxies' own.
   */
  readonly listenerAddresses?: "bind" | "ignore";
  /** How long a proxy may take for one step of a change, ms. */
  readonly patience?: number;
  /** How long the last proxy may be away before that is said, ms. */
  readonly absence?: number;
  /** Hears of proxies that come and go. */
  readonly notify?: (notice: string) => void;
}

export interface EnvoyDriver extends Driver {
  /** At least one proxy has its first full configuration. */
  readonly isJoined: boolean;
  /** There is no proxy, and somebody knows why. */
  explainAbsence(message: string): void;
  /**
   * The proxies that call themselves so, and no others, are about to end: from now on, also when they come back by another stream,
   * they take no more connections, ask clients to leave, and are not waited for.
   */
  drain(nodes: ReadonlySet<string>): void;
  describe(): FleetDescription;
}

export function envoyDriver(options: EnvoyDriverOptions): EnvoyDriver {
  return new XdsDriver(options);
}

class XdsDriver implements EnvoyDriver {
  readonly name = "envoy";
  readonly features: ReadonlySet<string>;
  readonly #options: EnvoyDriverOptions;
  readonly #fleet: Fleet;
  readonly #problems = new Map<string, string>();
  #report: Report | undefined;
  #detach: (() => void) | undefined;
  #isStopped = false;

  constructor(options: EnvoyDriverOptions) {
    this.#options = options;
    this.features = options.features;
    const { addressesOf = () => undefined, patience = 15_000, absence = 10_000, notify } = options;
    this.#fleet = new Fleet({
      report: (reports) => this.#tell(reports),
      addressesOf,
      patience,
      absence,
      ...(notify && { notify }),
    });
  }

  start(report: Report): Promise<void> {
    if (this.#report) {
      const message = "The Envoy driver was started already; make another one.";
      return Promise.reject(new EnvoyDriverError("GATEWRIGHT_DRIVER_STARTED", message));
    }
    this.#report = report;
    const { controlPlane, gateway } = this.#options;
    this.#detach = controlPlane.attach(gateway, (stream, client) => this.#fleet.connect(stream, client));
    return Promise.resolve();
  }

  async apply(changes: ModelChanges): Promise<void> {
    if (!this.#report || this.#isStopped) {
      const message = `The Envoy driver ${this.#isStopped ? "was stopped" : "is not started"}: no changes can be applied.`;
      throw new EnvoyDriverError("GATEWRIGHT_DRIVER_NOT_STARTED", message);
    }
    const { resources, removed, problems } = this.#options.renderer.apply(this.#withAddresses(changes));
    this.#noteProblems(problems);
    await this.#fleet.apply({ set: resources.map(encodeResource), removed });
    const listeners = [...changes.listeners].flatMap(([key, listener]) => (listener ? [key] : []));
    this.#fleet.reportListeners(listeners);
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.#detach?.();
    this.#fleet.stop();
    return Promise.resolve();
  }

  get isJoined(): boolean {
    return this.#fleet.isJoined;
  }

  explainAbsence(message: string): void {
    this.#fleet.explainAbsence(message);
  }

  drain(nodes: ReadonlySet<string>): void {
    this.#fleet.drain(nodes);
  }

  describe(): FleetDescription {
    return this.#fleet.describe();
  }

  #withAddresses(changes: ModelChanges): ModelChanges {
    if (this.#options.listenerAddresses === "bind" || changes.listeners.size === 0) return changes;
    const listeners = Array.from(
      changes.listeners,
      ([key, listener]) => [key, listener && { ...listener, addresses: [] }] as const,
    );
    return { ...changes, listeners: new Map(listeners) };
  }

  #noteProblems(problems: RenderedChanges["problems"]): void {
    const reports: ApplyReport[] = [];
    for (const { kind, key, message } of problems) {
      const item = `${kind} ${key}`;
      if (message !== undefined) {
        this.#problems.set(item, message);
        reports.push({ kind, key, state: { type: "refused", message } });
      } else if (this.#problems.delete(item)) reports.push({ kind, key, state: { type: "programmed" } });
    }
    this.#tell(reports, true);
  }

  /** What cannot be rendered stays refused, whatever is true of the last good version. */
  #tell(reports: readonly ApplyReport[], isOwn = false): void {
    if (this.#isStopped) return;
    const told = isOwn ? reports : reports.map((report) => this.#withProblem(report));
    if (told.length > 0) this.#report?.(told);
  }

  #withProblem(report: ApplyReport): ApplyReport {
    const message = this.#problems.get(`${report.kind} ${report.key}`);
    return message === undefined ? report : { ...report, state: { type: "refused", message } };
  }
}

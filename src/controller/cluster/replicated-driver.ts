/*
 * The driver of a controller that has replicas: what is reported is what is true of all proxies, not only of those that are connected
 * here. The leader hears the others; those report to it what became of items on their own proxies.
 *
 *   driver ─► own reports ─┬─► states ─► decided ─► controller
 *   channel ─► others' ────┘      └─► the leader, if that is another
 */
import { createHash } from "node:crypto";
import type { ControllerClient, ControllerService, ChannelStream } from "../../channel/index.ts";
import type { ApplyReport, Driver, Report } from "../../drivers/index.ts";
import { modelKinds, type ModelChanges, type ModelKind } from "../../model/index.ts";
import { decodeReports, replicaMethod } from "./replica-protocol.ts";
import { idOf, ReplicaStates, type KnownListener, type ReplicaReport } from "./replica-states.ts";

export interface ReplicatedDriverOptions {
  readonly driver: Driver;
  /** Only the leader listens to others. */
  readonly isLeader: () => boolean;
  /** How long a replica may be behind before that is told, ms. */
  readonly patience?: number;
  /** How long all proxies may be away before that is told, ms. */
  readonly absence?: number;
  /** How long a replica that went away is believed, ms. */
  readonly grace?: number;
}

interface Listener extends KnownListener {
  /** Of the change that brought it. */
  readonly turn: number;
}

interface Waiting {
  readonly ids: Set<string>;
  readonly done: () => void;
}

export class ReplicatedDriver implements Driver {
  readonly name: string;
  readonly features: ReadonlySet<string>;
  /** For the channel: where other replicas report. */
  readonly service: ControllerService;
  readonly #driver: Driver;
  readonly #isLeader: () => boolean;
  readonly #grace: number;
  readonly #states: ReplicaStates;
  /** All items that there are, by id. */
  readonly #items = new Set<string>();
  /** As they are wanted. */
  readonly #listeners = new Map<string, Listener>();
  /** As they were brought to the proxies. */
  readonly #applied = new Map<string, Listener>();
  readonly #streams = new Map<string, ChannelStream>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #subscribers = new Set<(reports: readonly ReplicaReport[]) => void>();
  #waiting: Waiting[] = [];
  #later: NodeJS.Timeout | undefined;
  #laterAt = Infinity;
  #undecided = new Set<string>();
  #turn = 0;
  #report: Report = () => undefined;

  constructor(options: ReplicatedDriverOptions) {
    const { driver, isLeader, patience = 5_000, absence = 10_000, grace = 10_000 } = options;
    this.#driver = driver;
    this.#isLeader = isLeader;
    this.#grace = grace;
    this.name = driver.name;
    this.features = driver.features;
    this.#states = new ReplicaStates({ patience, absence });
    this.service = {
      path: replicaMethod,
      clients: "controllers",
      open: (stream, client) => this.#listenTo(stream, client),
    };
  }

  start(report: Report): Promise<void> {
    this.#report = report;
    return this.#driver.start((reports) => this.#takeOwn(reports));
  }

  async apply(changes: ModelChanges): Promise<void> {
    const turn = ++this.#turn;
    const changed = this.#noteItems(changes, turn);
    try {
      await this.#driver.apply(changes);
    } finally {
      this.#noteApplied(changed, turn);
    }
    await this.#decided(changed);
  }

  async stop(): Promise<void> {
    this.forgetOthers();
    clearTimeout(this.#later);
    await this.#driver.stop();
  }

  /** Calls with all that this replica has to say, and then with what changes. Returns the way out. */
  follow(subscriber: (reports: readonly ReplicaReport[]) => void): () => void {
    subscriber([...this.#states.own()]);
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** We do not lead any more: others report elsewhere. */
  forgetOthers(): void {
    for (const stream of this.#streams.values()) stream.close("this replica does not lead");
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    const names = new Set([...this.#streams.keys(), ...this.#leaving.keys()]);
    this.#streams.clear();
    this.#leaving.clear();
    const touched = [...names].flatMap((name) => [...this.#states.forget(name)]);
    this.#tell(touched);
  }

  #listenTo(stream: ChannelStream, { controller }: ControllerClient): void {
    if (!this.#isLeader()) return stream.close("this replica does not lead");
    const before = this.#streams.get(controller);
    this.#streams.set(controller, stream);
    before?.close("it has come back by another stream");
    let first: ReplicaReport[] | undefined = [];
    stream.listen({
      message: (bytes) => {
        const message = decodeReports(bytes);
        if (!message) return stream.close("message out of place");
        if (!first) return this.#tell(this.#states.change(controller, message.reports));
        first.push(...message.reports);
        if (!message.isComplete) return;
        clearTimeout(this.#leaving.get(controller));
        this.#leaving.delete(controller);
        this.#tell(this.#states.replace(controller, first));
        first = undefined;
      },
      closed: () => {
        if (this.#streams.get(controller) !== stream) return;
        this.#streams.delete(controller);
        this.#forgetLater(controller);
      },
    });
  }

  #forgetLater(controller: string): void {
    clearTimeout(this.#leaving.get(controller));
    const timer = setTimeout(() => {
      this.#leaving.delete(controller);
      this.#tell(this.#states.forget(controller));
    }, this.#grace);
    this.#leaving.set(controller, timer.unref());
  }

  /** Answers with the listeners that are new or different. */
  #noteItems(changes: ModelChanges, turn: number): ReadonlySet<string> {
    const changed = new Set<string>();
    const gone: ReplicaReport[] = [];
    for (const kind of modelKinds) {
      for (const [key, item] of changes[kind] as ReadonlyMap<string, unknown>) {
        const id = idOf({ kind, key });
        if (item) this.#items.add(id);
        else {
          this.#items.delete(id);
          if (this.#states.ownOf(id)) gone.push({ kind, key });
          this.#states.drop(id);
          this.#listeners.delete(id);
          this.#applied.delete(id);
        }
      }
    }
    for (const [key, listener] of changes.listeners) {
      if (!listener) continue;
      const id = idOf({ kind: "listeners", key });
      const version = versionOf(listener);
      this.#listeners.set(id, { version, gateway: listener.gateway, turn });
      changed.add(id);
    }
    this.#pass(gone);
    return changed;
  }

  #noteApplied(changed: ReadonlySet<string>, turn: number): void {
    const reports: ReplicaReport[] = [];
    for (const id of changed) {
      const listener = this.#listeners.get(id);
      // A later change goes its own way.
      if (listener?.turn !== turn) continue;
      this.#applied.set(id, listener);
      const own = this.#states.ownOf(id);
      if (!own || own.version === listener.version) continue;
      reports.push({ ...own, version: listener.version, gateway: listener.gateway });
    }
    for (const report of reports) this.#states.takeOwn(report);
    this.#pass(reports);
  }

  /** Each time that the driver reports; listeners are passed on always, other items when a refusal comes or goes. */
  #takeOwn(reports: readonly ApplyReport[]): void {
    const own = reports.filter((report) => this.#items.has(idOf(report))).map((one) => this.#ownReport(one));
    const isNews = (report: ReplicaReport) => report.state !== undefined || this.#states.ownOf(idOf(report));
    const news = own.filter(isNews);
    for (const report of news) this.#states.takeOwn(report);
    this.#pass(news);
    this.#tell(reports.map(idOf));
  }

  #ownReport({ kind, key, state }: ApplyReport): ReplicaReport {
    if (kind !== "listeners") return state.type === "programmed" ? { kind, key } : { kind, key, state };
    const { version, gateway } = this.#applied.get(idOf({ kind, key })) ?? {};
    const { gateway: of = gateway } = this.#listeners.get(idOf({ kind, key })) ?? {};
    return {
      kind,
      key,
      state,
      ...(version !== undefined && { version }),
      ...(of !== undefined && { gateway: of }),
    };
  }

  #pass(reports: readonly ReplicaReport[]): void {
    if (reports.length > 0) for (const subscriber of this.#subscribers) subscriber(reports);
  }

  /** Reports what can be said of these; what cannot be said yet is looked at again. */
  #tell(ids: Iterable<string>): void {
    const reports: ApplyReport[] = [];
    const now = performance.now();
    let next = Infinity;
    for (const id of new Set(ids)) {
      if (!this.#items.has(id)) continue;
      const bar = id.indexOf("|");
      const [kind, key] = [id.slice(0, bar) as ModelKind, id.slice(bar + 1)];
      const listener = this.#listeners.get(id);
      if (kind !== "listeners") reports.push({ kind, key, state: this.#states.decideItem(id) });
      else if (listener) {
        const decision = this.#states.decideListener(id, listener, now);
        if ("state" in decision) {
          this.#undecided.delete(id);
          reports.push({ kind, key, state: decision.state });
        } else {
          this.#undecided.add(id);
          next = Math.min(next, decision.until);
        }
      }
    }
    if (reports.length > 0) this.#report(reports);
    this.#settle();
    if (next < Infinity) this.#lookAgain(next - now);
  }

  #lookAgain(wait: number): void {
    const at = performance.now() + wait;
    if (at >= this.#laterAt) return;
    clearTimeout(this.#later);
    this.#laterAt = at;
    this.#later = setTimeout(() => {
      this.#laterAt = Infinity;
      const undecided = this.#undecided;
      this.#undecided = new Set();
      this.#tell(undecided);
    }, wait + 1).unref();
  }

  #decided(ids: ReadonlySet<string>): Promise<void> {
    if (ids.size === 0 || !this.#states.hasOthers) return Promise.resolve();
    this.#tell(ids);
    const undecided = new Set([...ids].filter((id) => this.#undecided.has(id)));
    if (undecided.size === 0) return Promise.resolve();
    return new Promise((done) => this.#waiting.push({ ids: undecided, done }));
  }

  #settle(): void {
    this.#waiting = this.#waiting.filter(({ ids, done }) => {
      for (const id of ids) if (!this.#undecided.has(id)) ids.delete(id);
      if (ids.size === 0) done();
      return ids.size > 0;
    });
  }
}

function versionOf(listener: unknown): string {
  return createHash("sha256").update(JSON.stringify(listener)).digest("base64url").slice(0, 16);
}

/*
 * The controller's side: a driver whose proxies are agents elsewhere. An item is refused if one agent refuses it, and programmed when all that
 * are connected (at least one) have taken it. An agent that is still getting its first set does not count yet, nor for what changed
 * meanwhile until it has got that, so a joining replica changes nobody's status; one that goes away is forgotten. One that does not answer
 * in time is no longer waited for until it does.
 */
import type { ApplyReport, Driver, ItemState, Report } from "../drivers/index.ts";
import { modelKinds, type ModelChanges, type ModelItems, type ModelKind } from "../model/index.ts";
import { ConnectedAgent } from "./connected-agent.ts";
import { encodeItem, versionOf } from "./protocol.ts";
import type { ChannelStream } from "../channel/index.ts";

export interface AgentDriverOptions {
  /** The driver that the agents run. */
  readonly driver: string;
  readonly features: ReadonlySet<string>;
  /** How long an agent may take for one set of changes, ms. */
  readonly patience?: number;
  /** How long the last agent may be away before that is said, ms. */
  readonly absence?: number;
}

export interface AgentDriver extends Driver {
  /** A stream of an agent of this fleet, which has shown that it is. */
  connect(stream: ChannelStream): void;
  /** Names of those connected. */
  readonly agents: readonly string[];
}

export function agentDriver(options: AgentDriverOptions): AgentDriver {
  return new FleetOfAgents(options);
}

interface Stored {
  readonly item: ModelItems[ModelKind];
  version?: string;
}

class FleetOfAgents implements AgentDriver {
  readonly name: string;
  readonly features: ReadonlySet<string>;
  readonly #patience: number;
  readonly #absence: number;
  readonly #items = new Map<ModelKind, Map<string, Stored>>(modelKinds.map((kind) => [kind, new Map()]));
  readonly #agents = new Set<ConnectedAgent>();
  readonly #told = new Map<string, ItemState>();
  #waiting: { readonly agents: Set<ConnectedAgent>; readonly done: () => void }[] = [];
  #report: Report = () => {};
  #absent: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ driver, features, patience = 15_000, absence = 10_000 }: AgentDriverOptions) {
    this.name = driver;
    this.features = features;
    this.#patience = patience;
    this.#absence = absence;
  }

  get agents(): readonly string[] {
    return Array.from(this.#agents, ({ name }) => name);
  }

  start(report: Report): Promise<void> {
    this.#report = report;
    return Promise.resolve();
  }

  async apply(changes: ModelChanges): Promise<void> {
    for (const kind of modelKinds) {
      const stored = this.#stored(kind);
      for (const [key, item] of changes[kind]) {
        if (item) stored.set(key, { item });
        else {
          stored.delete(key);
          this.#told.delete(`${kind}|${key}`);
        }
      }
      for (const agent of this.#agents) agent.touch(kind, changes[kind].keys());
    }
    const agents = new Set([...this.#agents].filter(({ isSynced, isLate }) => isSynced && !isLate));
    for (const agent of this.#agents) agent.pump();
    for (const agent of agents) if (agent.isDrained) agents.delete(agent);
    if (agents.size > 0) {
      await new Promise<void>((done) => this.#waiting.push({ agents, done }));
    }
    // Listeners are reported always, also when nothing is new about them.
    for (const key of changes.listeners.keys()) this.#told.delete(`listeners|${key}`);
    this.#tell(
      Array.from(changes.listeners.keys(), (key) => ({ kind: "listeners", key })),
      true,
    );
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#absent);
    for (const agent of this.#agents) agent.close("the controller no longer programs this Gateway");
    this.#agents.clear();
    for (const { done } of this.#waiting) done();
    this.#waiting = [];
    return Promise.resolve();
  }

  connect(stream: ChannelStream): void {
    if (this.#isStopped) {
      stream.close("this Gateway is not served");
      return;
    }
    const connected = new ConnectedAgent({
      stream,
      patience: this.#patience,
      items: {
        keys: (kind) => this.#stored(kind).keys(),
        version: (kind, key) => this.#version(kind, key),
        content: (kind, key) => {
          const stored = this.#stored(kind).get(key);
          return stored && encodeItem(kind, stored.item);
        },
      },
      events: {
        reported: (agent, keys) => {
          if (agent.isSynced) this.#tell(keys);
        },
        joined: () => {
          clearTimeout(this.#absent);
          this.#absent = undefined;
          this.#tellAll();
        },
        drained: (agent) => {
          this.#settle(agent);
          this.#tellAll();
        },
        late: (agent) => this.#settle(agent),
        closed: (agent) => this.#forget(agent),
      },
    });
    if (!connected.isClosed) this.#agents.add(connected);
  }

  #forget(agent: ConnectedAgent): void {
    if (!this.#agents.delete(agent)) return;
    this.#settle(agent);
    if (this.#synced().length > 0) this.#tellAll();
    else this.#absent ??= setTimeout(() => this.#tellAll(), this.#absence).unref();
  }

  #settle(agent: ConnectedAgent): void {
    for (const waiting of this.#waiting) {
      if (waiting.agents.delete(agent) && waiting.agents.size === 0) waiting.done();
    }
    this.#waiting = this.#waiting.filter(({ agents }) => agents.size > 0);
  }

  #tellAll(): void {
    const ids = new Set(this.#told.keys());
    for (const key of this.#stored("listeners").keys()) ids.add(`listeners|${key}`);
    for (const { reports } of this.#agents) for (const id of reports.keys()) ids.add(id);
    this.#tell(
      Array.from(ids, (id) => {
        const bar = id.indexOf("|");
        return { kind: id.slice(0, bar) as ModelKind, key: id.slice(bar + 1) };
      }),
    );
  }

  /** Reports what is different from what was said last. That an answer is missing is told when it has been waited for in vain. */
  #tell(items: readonly { readonly kind: ModelKind; readonly key: string }[], hasWaited = false): void {
    const reports: ApplyReport[] = [];
    for (const { kind, key } of items) {
      const id = `${kind}|${key}`;
      if (!this.#stored(kind).has(key)) continue;
      const state = this.#stateOf(kind, key);
      if (state === notAnswered && !hasWaited && this.#waiting.length > 0) continue;
      const told = this.#told.get(id);
      if (told ? sameState(told, state) : kind !== "listeners" && state.type === "programmed") continue;
      if (kind !== "listeners" && state.type === "programmed") this.#told.delete(id);
      else this.#told.set(id, state);
      reports.push({ kind, key, state });
    }
    if (reports.length > 0 && !this.#isStopped) this.#report(reports);
  }

  #stateOf(kind: ModelKind, key: string): ItemState {
    const synced = this.#synced();
    const saidBy = ({ reports }: ConnectedAgent) => reports.get(`${kind}|${key}`);
    const refused = synced.map(saidBy).find((state) => state?.type === "refused");
    if (refused) return refused;
    if (kind !== "listeners") return { type: "programmed" };
    if (synced.length === 0) return noProxy;
    const counted = synced.filter((agent) => !agent.isCatchingUp(kind, key));
    const states = counted.map(saidBy);
    if (states.includes(undefined) || counted.some((agent) => agent.awaits(kind, key))) return notAnswered;
    return states.find((state) => state?.type === "pending") ?? states[0] ?? notAnswered;
  }

  #synced(): readonly ConnectedAgent[] {
    return [...this.#agents].filter(({ isSynced }) => isSynced);
  }

  #version(kind: ModelKind, key: string): string | undefined {
    const stored = this.#stored(kind).get(key);
    return stored && (stored.version ??= versionOf(encodeItem(kind, stored.item)));
  }

  #stored(kind: ModelKind): Map<string, Stored> {
    return this.#items.get(kind) as Map<string, Stored>;
  }
}

const noProxy: ItemState = { type: "pending", message: "no proxy is connected yet", isAbsent: true };
const notAnswered: ItemState = { type: "pending", message: "a proxy has not answered yet" };

const sameState = (a: ItemState, b: ItemState) => JSON.stringify(a) === JSON.stringify(b);

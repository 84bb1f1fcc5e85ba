/*
 * The Pod's side: keeps a stream to the controller, hands the changes to the driver beside it and its reports back. When the controller
 * is gone, what is in force stays in force; the agent knocks again, ever more slowly, and says what it still has.
 */
import type { ApplyReport, Driver } from "../drivers/index.ts";
import { modelKinds, perModelKind, type ModelChanges, type ModelKind } from "../model/index.ts";
import { decodeChanges, decodeItem, encodeMessage, type Changes, type WireItem } from "./protocol.ts";
import type { ChannelStream } from "../channel/index.ts";
import { SharedActions } from "./shared-actions.ts";

export interface AgentOptions {
  readonly driver: Driver;
  /** Of the Pod, for people. */
  readonly name: string;
  readonly version: string;
  /** Opens a stream to the controller. Rejects if that can't be done now. */
  connect(): Promise<ChannelStream>;
  readonly events?: AgentEvents;
  /** Longest wait between two tries, ms. */
  readonly longestWait?: number;
}

/** All of them are optional and must not throw. */
export interface AgentEvents {
  connected?(): void;
  /** The stream ended, or could not be opened. */
  disconnected?(reason: string): void;
  /** A set of changes is in force. */
  applied?(items: number): void;
  refused?(report: ApplyReport): void;
  fault?(where: string, error: unknown): void;
}

export interface Agent {
  start(): Promise<void>;
  /** Lets requests under way end. */
  stop(): Promise<void>;
  /** A first full set of changes is in force: traffic may come. */
  readonly isReady: boolean;
  readonly isConnected: boolean;
}

export function createAgent(options: AgentOptions): Agent {
  return new PodAgent(options);
}

const shortestWait = 250;

class PodAgent implements Agent {
  isReady = false;
  readonly #options: AgentOptions;
  readonly #actions = new SharedActions();
  readonly #versions = new Map<ModelKind, Map<string, string>>(modelKinds.map((kind) => [kind, new Map()]));
  /** What the driver said last of each item; a new stream hears all of it. */
  readonly #reports = new Map<string, ApplyReport>();
  #stream: ChannelStream | undefined;
  #parts: WireItem[] = [];
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #isStopped = false;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#stream !== undefined;
  }

  async start(): Promise<void> {
    await this.#options.driver.start((reports) => this.#pass(reports));
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.isReady = false;
    clearTimeout(this.#retry);
    this.#stream?.close("the agent stops");
    await this.#options.driver.stop();
  }

  async #connect(): Promise<void> {
    let stream: ChannelStream;
    try {
      stream = await this.#options.connect();
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : String(error));
      return;
    }
    if (this.#isStopped) {
      stream.close("the agent stops");
      return;
    }
    this.#stream = stream;
    this.#parts = [];
    stream.listen({
      message: (bytes) => this.#take(stream, decodeChanges(bytes)),
      closed: (reason) => {
        if (this.#stream !== stream) return;
        this.#stream = undefined;
        this.#lose(reason);
      },
    });
    stream.send(encodeMessage(this.#hello()));
    if (this.#reports.size > 0) {
      stream.send(encodeMessage({ type: "reports", reports: [...this.#reports.values()] }));
    }
    this.#options.events?.connected?.();
  }

  #lose(reason: string): void {
    if (this.#isStopped) return;
    this.#options.events?.disconnected?.(reason);
    const longest = Math.min(this.#options.longestWait ?? 10_000, shortestWait * 2 ** this.#failures++);
    this.#retry = setTimeout(() => void this.#connect(), longest * (0.5 + Math.random() / 2));
  }

  #hello() {
    const { name, version, driver } = this.#options;
    const has = Object.fromEntries(
      Array.from(this.#versions, ([kind, versions]) => [kind, Object.fromEntries(versions)]),
    );
    return { type: "hello", name, version, driver: driver.name, has } as const;
  }

  #take(stream: ChannelStream, message: Changes | undefined): void {
    if (!message) {
      stream.close("message out of place");
      return;
    }
    for (const item of message.items) this.#parts.push(item);
    if (!message.isLast) return;
    const items = this.#parts;
    this.#parts = [];
    void this.#apply(stream, message.id, items);
  }

  async #apply(stream: ChannelStream, id: number, items: readonly WireItem[]): Promise<void> {
    const { driver, events } = this.#options;
    try {
      if (items.length > 0) await driver.apply(this.#changesOf(items));
    } catch (error) {
      events?.fault?.(`driver ${driver.name}`, error);
      // What is in force is not known any more: a new stream asks for everything.
      for (const versions of this.#versions.values()) versions.clear();
      stream.close("the driver failed");
      return;
    }
    this.#failures = 0;
    this.isReady = !this.#isStopped;
    events?.applied?.(items.length);
    if (this.#stream === stream) stream.send(encodeMessage({ type: "applied", id }));
  }

  #changesOf(items: readonly WireItem[]): ModelChanges {
    const changes = perModelKind(() => new Map<string, unknown>());
    for (const [kind, key, version, json] of items) {
      if (version === undefined || json === undefined) {
        this.#versions.get(kind)?.delete(key);
        this.#reports.delete(`${kind}|${key}`);
        changes[kind].set(key, undefined);
      } else {
        this.#versions.get(kind)?.set(key, version);
        changes[kind].set(
          key,
          decodeItem(kind, json, (action) => this.#actions.intern(action)),
        );
      }
    }
    return changes as ModelChanges;
  }

  #pass(reports: readonly ApplyReport[]): void {
    for (const report of reports) {
      this.#reports.set(`${report.kind}|${report.key}`, report);
      if (report.state.type === "refused") this.#options.events?.refused?.(report);
    }
    this.#stream?.send(encodeMessage({ type: "reports", reports }));
  }
}

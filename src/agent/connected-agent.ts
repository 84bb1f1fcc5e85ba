import type { ItemState } from "../drivers/index.ts";
import { modelKinds, perModelKind, type ModelKind } from "../model/index.ts";
import { decodeFromAgent, encodeMessage, isModelKind, type FromAgent, type WireItem } from "./protocol.ts";
import type { ChannelStream } from "../channel/index.ts";

/** Bytes of content in one message. */
const partSize = 512 * 1024;

export interface AgentItems {
  /** All keys that there are of a kind. */
  keys(kind: ModelKind): Iterable<string>;
  version(kind: ModelKind, key: string): string | undefined;
  content(kind: ModelKind, key: string): string | undefined;
}

export interface AgentOptions {
  readonly stream: ChannelStream;
  readonly items: AgentItems;
  readonly events: AgentEvents;
  /** How long it may take for one set of changes, ms. */
  readonly patience: number;
}

export interface AgentEvents {
  reported(agent: ConnectedAgent, keys: readonly { readonly kind: ModelKind; readonly key: string }[]): void;
  /** It has answered its first set. */
  joined(agent: ConnectedAgent): void;
  /** All that was to be sent has been answered. */
  drained(agent: ConnectedAgent): void;
  /** It did not answer in time. */
  late(agent: ConnectedAgent): void;
  closed(agent: ConnectedAgent, reason: string): void;
}

/** One that is under way. */
interface ChangeSet {
  readonly id: number;
  readonly items: ReadonlySet<string>;
  readonly timer: NodeJS.Timeout;
}

/**
 * The controller's view of one agent: what it has, what it still has to get, what it reported. One set of changes is under way at
 * a time; what changes meanwhile waits, by key only, so a slow agent costs no more than the model itself.
 */
export class ConnectedAgent {
  name = "";
  /** Has answered a full set since it connected. */
  isSynced = false;
  /** It did not answer in time, and has not since. */
  isLate = false;
  isClosed = false;
  readonly reports = new Map<string, ItemState>();
  readonly #stream: ChannelStream;
  readonly #items: AgentItems;
  readonly #events: AgentEvents;
  readonly #patience: number;
  readonly #has: Record<ModelKind, Map<string, string>>;
  readonly #waiting: Record<ModelKind, Set<string>>;
  #underWay: ChangeSet | undefined;
  /** What had changed while it got its first set. */
  #missed: ChangeSet | undefined;
  #lastId = 0;
  #isReady = false;

  constructor({ stream, items, events, patience }: AgentOptions) {
    this.#stream = stream;
    this.#items = items;
    this.#events = events;
    this.#patience = patience;
    this.#has = perModelKind(() => new Map<string, string>());
    this.#waiting = perModelKind(() => new Set<string>());
    stream.listen({
      message: (bytes) => this.#take(decodeFromAgent(bytes)),
      closed: (reason) => {
        this.isClosed = true;
        clearTimeout(this.#underWay?.timer);
        events.closed(this, reason);
      },
    });
  }

  get isDrained(): boolean {
    return this.#isReady && this.#underWay === undefined && this.#isNothingWaiting();
  }

  /** It is still getting this item as it changed before it had joined; nobody has waited for that. */
  isCatchingUp(kind: ModelKind, key: string): boolean {
    return this.#missed?.items.has(`${kind}|${key}`) === true;
  }

  /** It has said nothing yet of this item as it is now. */
  awaits(kind: ModelKind, key: string): boolean {
    return this.#waiting[kind].has(key) || this.#underWay?.items.has(`${kind}|${key}`) === true;
  }

  /** These may have changed. */
  touch(kind: ModelKind, keys: Iterable<string>): void {
    for (const key of keys) this.#waiting[kind].add(key);
  }

  /** Sends what waits, if nothing is under way. */
  pump(): void {
    if (!this.#isReady || this.#underWay !== undefined) return;
    const items = this.#takeWaiting();
    if (items.length === 0 && this.isSynced) return;
    const id = ++this.#lastId;
    const timer = setTimeout(() => this.#giveUp(), this.#patience).unref();
    this.#underWay = { id, items: new Set(items.map(([kind, key]) => `${kind}|${key}`)), timer };
    this.#sendParts(items, id);
  }

  close(reason?: string): void {
    this.#stream.close(reason);
  }

  #take(message: FromAgent | undefined): void {
    if (message?.type === "hello" && !this.#isReady) {
      this.name = message.name;
      for (const [kind, versions] of Object.entries(message.has)) {
        if (isModelKind(kind)) this.#has[kind] = new Map(Object.entries(versions));
      }
      for (const kind of modelKinds) {
        this.touch(kind, this.#has[kind].keys());
        this.touch(kind, this.#items.keys(kind));
      }
      this.#isReady = true;
      this.pump();
    } else if (message?.type === "reports") {
      // Of what it does not have there is nothing to say, and no end to what could be said.
      const reports = message.reports.filter(({ kind, key }) => this.#has[kind].has(key));
      for (const { kind, key, state } of reports) this.reports.set(`${kind}|${key}`, state);
      this.#events.reported(this, reports);
    } else if (message?.type === "applied" && message.id === this.#underWay?.id) {
      clearTimeout(this.#underWay.timer);
      this.#underWay = undefined;
      const hasJoined = !this.isSynced;
      this.isSynced = true;
      this.isLate = false;
      this.pump();
      this.#missed = hasJoined ? this.#underWay : undefined;
      if (hasJoined) this.#events.joined(this);
      if (this.isDrained) this.#events.drained(this);
    } else {
      this.#stream.close("message out of place");
    }
  }

  #giveUp(): void {
    this.isLate = true;
    this.#events.late(this);
  }

  #takeWaiting(): WireItem[] {
    const items: WireItem[] = [];
    for (const kind of modelKinds) {
      for (const key of this.#waiting[kind]) {
        const version = this.#items.version(kind, key);
        const has = this.#has[kind].get(key);
        if (version === has) continue;
        if (version === undefined) {
          items.push([kind, key]);
          this.#has[kind].delete(key);
          this.reports.delete(`${kind}|${key}`);
        } else {
          items.push([kind, key, version, this.#items.content(kind, key) ?? ""]);
          this.#has[kind].set(key, version);
        }
      }
      this.#waiting[kind].clear();
    }
    return items;
  }

  #sendParts(items: readonly WireItem[], id: number): void {
    let part: WireItem[] = [];
    let size = 0;
    const send = (isLast: boolean) => {
      this.#stream.send(encodeMessage({ type: "changes", id, items: part, isLast }));
      part = [];
      size = 0;
    };
    for (const item of items) {
      part.push(item);
      size += item[3]?.length ?? 0;
      if (size > partSize) send(false);
    }
    send(true);
  }

  #isNothingWaiting(): boolean {
    return modelKinds.every((kind) => this.#waiting[kind].size === 0);
  }
}

import type { ItemState } from "../drivers/index.ts";
import { modelKinds, perModelKind, type ModelKind } from "../model/index.ts";
import { decodeMessage, encodeMessage, isModelKind, type FromAgent, type WireItem } from "./protocol.ts";
import type { ChannelStream } from "../channel/index.ts";

/** Bytes of content in one message. */
const partSize = 512 * 1024;

export interface AgentItems {
  /** All keys that there are of a kind. */
  keys(kind: ModelKind): Iterable<string>;
  version(kind: ModelKind, key: string): string | undefined;
  content(kind: ModelKind, key: string): string | undefined;
}

export interface AgentEvents {
  reported(agent: ConnectedAgent, keys: readonly { readonly kind: ModelKind; readonly key: string }[]): void;
  /** All that was to be sent has been answered. */
  drained(agent: ConnectedAgent): void;
  closed(agent: ConnectedAgent, reason: string): void;
}

/**
 * The controller's view of one agent: what it has, what it still has to get, what it reported. One set of changes is under way at
 * a time; what changes meanwhile waits, by key only, so a slow agent costs no more than the model itself.
 */
export class ConnectedAgent {
  name = "";
  /** Has answered a full set since it connected. */
  isSynced = false;
  isClosed = false;
  readonly reports = new Map<string, ItemState>();
  readonly #stream: ChannelStream;
  readonly #items: AgentItems;
  readonly #events: AgentEvents;
  readonly #has: Record<ModelKind, Map<string, string>>;
  readonly #waiting: Record<ModelKind, Set<string>>;
  #underWay: number | undefined;
  #lastId = 0;
  #isReady = false;

  constructor(stream: ChannelStream, items: AgentItems, events: AgentEvents) {
    this.#stream = stream;
    this.#items = items;
    this.#events = events;
    this.#has = perModelKind(() => new Map<string, string>());
    this.#waiting = perModelKind(() => new Set<string>());
    stream.listen({
      message: (bytes) => this.#take(decodeMessage<FromAgent>(bytes)),
      closed: (reason) => {
        this.isClosed = true;
        events.closed(this, reason);
      },
    });
  }

  get isDrained(): boolean {
    return this.#isReady && this.#underWay === undefined && this.#isNothingWaiting();
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
    this.#underWay = ++this.#lastId;
    this.#sendParts(items, this.#underWay);
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
      for (const { kind, key, state } of message.reports) this.reports.set(`${kind}|${key}`, state);
      this.#events.reported(this, message.reports);
    } else if (message?.type === "applied" && message.id === this.#underWay) {
      this.#underWay = undefined;
      this.isSynced = true;
      this.pump();
      if (this.isDrained) this.#events.drained(this);
    } else {
      this.#stream.close("message out of place");
    }
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

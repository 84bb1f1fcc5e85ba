/*
 * The proxies of one Gateway, and what is true of all of them.
 *
 * A proxy counts once it has had its first full set, so one that joins changes nobody's status; one that goes is forgotten.
 * A listener is programmed when every proxy that counts (at least one) has taken it with all that it needs; refused if one
 * has refused it. When the last one has gone, what was taken counts as programmed for a while; what is new does not.
 * Other items are spoken of only while they are refused, and once more when that is over.
 */
import type { ChannelClient, ChannelStream } from "../../../channel/index.ts";
import type { ApplyReport, BoundAddress, ItemState } from "../../driver.ts";
import type { CausingItem, ResourceType } from "../rendered-resource.ts";
import { refusalReason, shorten } from "./refusal-reason.ts";
import type { Resource } from "./resource.ts";
import { ResourceSet, type ResourceChanges } from "./resource-set.ts";
import { resourceTypes } from "./resource-types.ts";
import { Session, type SessionCounters } from "./session.ts";

export interface FleetOptions {
  readonly report: (reports: readonly ApplyReport[]) => void;
  /** Where clients reach a listener, by its key, if that is known. */
  readonly addressesOf: (listener: string) => readonly BoundAddress[] | undefined;
  /** How long a proxy may take for one step of a change, ms. */
  readonly patience: number;
  /** How long to wait for the next type that a proxy asks for when it comes back, ms. Default: 50. */
  readonly gathering?: number;
  /** How long the last proxy may be away before that is said, ms. */
  readonly absence: number;
  /** Hears of proxies that come and go. */
  readonly notify?: (notice: string) => void;
}

export interface FleetDescription {
  /** Names of the proxies that have had their first full set. */
  readonly proxies: readonly string[];
  /** Those on their way to it. */
  readonly joining: number;
  /** Those that are about to end. */
  readonly draining: number;
  readonly resources: { readonly [Type in ResourceType]: number };
  readonly sent: Readonly<SessionCounters>;
  /** Items that are refused at present. */
  readonly refused: number;
}

interface Waiting {
  readonly upTo: number;
  readonly sessions: Set<Session>;
  readonly done: () => void;
}

const shortestRetry = 500;
const longestRetry = 15_000;

export class Fleet {
  readonly set = new ResourceSet();
  readonly #options: FleetOptions;
  readonly #sessions = new Set<Session>();
  readonly #counters: SessionCounters = { responses: 0, bytes: 0, resources: 0, refusals: 0 };
  readonly #namesTold = { size: 0, proxies: () => this.#sessions.size };
  /** Item → its refused resources. */
  readonly #refused = new Map<string, Map<Session, Map<string, Resource>>>();
  /** Refused resource → its item. */
  readonly #blamed = new Map<string, string>();
  /** Listener → its resources. */
  readonly #listeners = new Map<string, Map<string, Resource>>();
  readonly #told = new Map<string, ItemState>();
  readonly #retries = new Map<
    Session,
    Map<string, { readonly timer: NodeJS.Timeout; readonly wait: number }>
  >();
  /** Proxies that are about to end, whether they are connected or not. */
  #ending: ReadonlySet<string> = new Set();
  #waiting: Waiting[] = [];
  #changes = 0;
  #absent: NodeJS.Timeout | undefined;
  #isAbsent = true;
  #whyAbsent = "No proxy of the Gateway is connected.";

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  connect(stream: ChannelStream, { peer }: ChannelClient): void {
    const session: Session = new Session({
      stream,
      set: this.set,
      patience: this.#options.patience,
      gathering: this.#options.gathering ?? 50,
      upTo: this.#changes,
      counters: this.#counters,
      told: this.#namesTold,
      events: {
        named: (of) => this.#drainIfEnding(of),
        caughtUp: (of) => this.#caughtUp(of),
        joined: (of) => this.#joined(of, peer),
        answered: () => this.#reportAnswered(),
        refused: (of, resource, message) => {
          if (!of.isDraining) this.#noteRefusal(of, resource, message);
        },
        accepted: (of, type, name) => this.#noteAccepted(of, type, name),
        left: (of, reason) => this.#left(of, peer, reason),
      },
    });
    this.#sessions.add(session);
    session.start();
  }

  /** Resolves when every proxy that counts has taken or refused the changes, is too late, or has gone. */
  async apply(changes: ResourceChanges): Promise<void> {
    this.#keepListeners(changes);
    const changed = this.set.update(changes);
    const upTo = ++this.#changes;
    this.#forgetRemoved(changes);
    for (const session of this.#sessions) session.changed(changed, upTo);
    const sessions = new Set(
      [...this.#sessions].filter(({ isJoined, caughtUpTo }) => isJoined && caughtUpTo < upTo),
    );
    if (sessions.size === 0) return;
    await new Promise<void>((done) => this.#waiting.push({ upTo, sessions, done }));
  }

  /** What is true of a listener now. */
  stateOfListener(key: string): ItemState {
    const refusal = this.#refusalOf({ kind: "listeners", key });
    if (refusal) return refusal;
    const resources = [...(this.#listeners.get(key)?.values() ?? [])];
    // For a while after the last one has gone, what it had counts as there: it, or another, is coming back.
    if (this.#isAbsent || (!this.isJoined && !resources.every((resource) => this.set.wasTaken(resource)))) {
      return { type: "pending", message: this.#whyAbsent, isAbsent: true };
    }
    for (const session of this.#sessions) {
      if (!session.isJoined) continue;
      for (const resource of resources) {
        if (session.hasTaken(resource)) continue;
        const who = session.node === "" ? "A proxy" : `Proxy ${session.node}`;
        return { type: "pending", message: `${who} has not answered yet.` };
      }
    }
    const addresses = this.#options.addressesOf(key);
    return { type: "programmed", ...(addresses && { addresses }) };
  }

  /** Says of these listeners what is true, and of all others what has changed. */
  reportListeners(always: Iterable<string> = []): void {
    const named = new Set(always);
    const reports: ApplyReport[] = [];
    for (const key of new Set([...named, ...this.#listeners.keys()])) {
      const state = this.stateOfListener(key);
      const before = this.#told.get(key);
      if (!named.has(key) && before) {
        // An answer that is still to come is told of when it has been waited for in vain.
        if (isSameState(before, state) || (state.type === "pending" && this.#waiting.length > 0)) continue;
      }
      this.#told.set(key, state);
      reports.push({ kind: "listeners", key, state });
    }
    for (const key of this.#told.keys()) if (!this.#listeners.has(key)) this.#told.delete(key);
    this.#report(reports);
  }

  /** There is no proxy, and somebody knows why. */
  explainAbsence(message: string): void {
    this.#whyAbsent = message;
    if ([...this.#sessions].some(({ isJoined }) => isJoined)) return;
    this.#isAbsent = true;
    this.reportListeners();
  }

  /** From here on these proxies, and no others, are not waited for, and nothing is said of what they have. */
  drain(nodes: ReadonlySet<string>): void {
    this.#ending = nodes;
    for (const session of this.#sessions) this.#drainIfEnding(session);
  }

  get isJoined(): boolean {
    return [...this.#sessions].some(({ isJoined }) => isJoined);
  }

  stop(): void {
    clearTimeout(this.#absent);
    for (const session of this.#sessions) session.close("the Gateway is no longer served here");
  }

  describe(): FleetDescription {
    const joined = [...this.#sessions].filter(({ isJoined }) => isJoined);
    const draining = [...this.#sessions].filter(({ isDraining }) => isDraining).length;
    return {
      proxies: joined.map(({ node }) => node),
      joining: this.#sessions.size - joined.length - draining,
      draining,
      resources: Object.fromEntries(resourceTypes.map((type) => [type, this.set.size(type)])) as Record<
        ResourceType,
        number
      >,
      sent: { ...this.#counters },
      refused: this.#refused.size,
    };
  }

  #keepListeners({ set, removed }: ResourceChanges): void {
    for (const { type, name } of removed) {
      const { causedBy } = this.set.get(type, name) ?? {};
      if (causedBy?.kind !== "listeners") continue;
      const resources = this.#listeners.get(causedBy.key);
      resources?.delete(`${type} ${name}`);
      if (resources?.size === 0) this.#listeners.delete(causedBy.key);
    }
    for (const resource of set) {
      const { causedBy, type, name } = resource;
      if (causedBy.kind !== "listeners") continue;
      const resources = this.#listeners.get(causedBy.key) ?? new Map<string, Resource>();
      this.#listeners.set(causedBy.key, resources.set(`${type} ${name}`, resource));
    }
  }

  #caughtUp(session: Session): void {
    const waiting: Waiting[] = [];
    for (const one of this.#waiting) {
      if (session.caughtUpTo >= one.upTo) one.sessions.delete(session);
      if (one.sessions.size === 0) one.done();
      else waiting.push(one);
    }
    this.#waiting = waiting;
  }

  /** What was waited for in vain, or what came by itself, may be there now. */
  #reportAnswered(): void {
    if (this.#isAbsent || this.#waiting.length > 0) return;
    for (const { type } of this.#told.values()) if (type === "pending") return this.reportListeners();
  }

  #joined({ node }: Session, peer: string): void {
    clearTimeout(this.#absent);
    this.#absent = undefined;
    this.#isAbsent = false;
    this.#whyAbsent = "No proxy of the Gateway is connected.";
    this.#options.notify?.(`Proxy ${node || peer} has its first full configuration.`);
    this.reportListeners();
  }

  #drainIfEnding(session: Session): void {
    if (session.isDraining || !this.#ending.has(session.node)) return;
    session.drain();
    this.#forget(session);
    this.#options.notify?.(`Proxy ${session.node} is about to end.`);
  }

  #left(session: Session, peer: string, reason: string): void {
    this.#sessions.delete(session);
    this.#options.notify?.(`Proxy ${session.node || peer} is gone: ${reason}.`);
    this.#forget(session);
  }

  #forget(session: Session): void {
    for (const { timer } of this.#retries.get(session)?.values() ?? []) clearTimeout(timer);
    this.#retries.delete(session);
    session.caughtUpTo = Infinity;
    this.#caughtUp(session);
    for (const [item, sessions] of this.#refused) {
      if (sessions.delete(session) && sessions.size === 0) this.#over(item);
    }
    if (this.isJoined) return this.reportListeners();
    this.#absent ??= setTimeout(() => {
      this.#absent = undefined;
      this.#isAbsent = true;
      this.reportListeners();
    }, this.#options.absence).unref();
  }

  #noteRefusal(session: Session, resource: Resource, message: string): void {
    const { causedBy, type, name } = resource;
    const item = keyOf(causedBy);
    const sessions = this.#refused.get(item) ?? new Map<Session, Map<string, Resource>>();
    const resources = sessions.get(session) ?? new Map<string, Resource>();
    this.#refused.set(item, sessions.set(session, resources.set(`${type} ${name}`, resource)));
    this.#blamed.set(`${type} ${name}`, item);
    this.#reportRefusal(causedBy);
    if (refusalReason(message) && causedBy.kind === "listeners") this.#retryLater(session, type, name);
  }

  #noteAccepted(session: Session, type: ResourceType, name: string): void {
    this.#stopRetrying(session, type, name);
    const resource = `${type} ${name}`;
    const item = this.#blamed.get(resource);
    const sessions = item === undefined ? undefined : this.#refused.get(item);
    const resources = sessions?.get(session);
    if (item === undefined || !sessions || !resources?.delete(resource)) return;
    if (resources.size === 0) sessions.delete(session);
    if (sessions.size === 0) this.#over(item);
  }

  #forgetRemoved({ removed }: ResourceChanges): void {
    for (const { type, name } of removed) {
      for (const session of this.#sessions) this.#noteAccepted(session, type, name);
    }
  }

  #over(item: string): void {
    this.#refused.delete(item);
    for (const [resource, blamed] of this.#blamed) if (blamed === item) this.#blamed.delete(resource);
    const { kind, key } = itemOf(item);
    if (kind === "listeners") return this.reportListeners();
    this.#report([{ kind, key, state: { type: "programmed" } }]);
  }

  #refusalOf(item: CausingItem): Extract<ItemState, { type: "refused" }> | undefined {
    const sessions = this.#refused.get(keyOf(item));
    if (!sessions) return undefined;
    for (const [session, resources] of sessions) {
      for (const { type, name } of resources.values()) {
        const words = session.refusalOf(type, name);
        if (words === undefined) continue;
        const reason = item.kind === "listeners" ? refusalReason(words) : undefined;
        return { type: "refused", message: shorten(words), ...(reason && { reason }) };
      }
    }
    return undefined;
  }

  #reportRefusal(item: CausingItem): void {
    if (item.kind === "listeners") return this.reportListeners();
    const state = this.#refusalOf(item);
    if (state) this.#report([{ ...item, state }]);
  }

  // Somebody else may have the port now and give it up later; no change of ours would tell.
  #retryLater(session: Session, type: ResourceType, name: string): void {
    const retries = this.#retries.get(session) ?? new Map<string, { timer: NodeJS.Timeout; wait: number }>();
    const key = `${type} ${name}`;
    const before = retries.get(key);
    clearTimeout(before?.timer);
    const wait = Math.min(before ? before.wait * 2 : shortestRetry, longestRetry);
    const timer = setTimeout(() => session.retry(type, name), wait).unref();
    this.#retries.set(session, retries.set(key, { timer, wait }));
  }

  #stopRetrying(session: Session, type: ResourceType, name: string): void {
    const retries = this.#retries.get(session);
    clearTimeout(retries?.get(`${type} ${name}`)?.timer);
    retries?.delete(`${type} ${name}`);
  }

  #report(reports: readonly ApplyReport[]): void {
    if (reports.length > 0) this.#options.report(reports);
  }
}

const keyOf = ({ kind, key }: CausingItem) => `${kind} ${key}`;

function itemOf(item: string): CausingItem {
  const at = item.indexOf(" ");
  return { kind: item.slice(0, at) as CausingItem["kind"], key: item.slice(at + 1) };
}

function isSameState(a: ItemState, b: ItemState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

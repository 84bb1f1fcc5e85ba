/*
 * What one proxy wants to know of one type, what it has, and what is on its way.
 *
 * One response is on its way at a time, and what is offered meanwhile joins the next one, each name once: a slow proxy gets fewer,
 * newer versions, and never a queue.
 *
 * A refusal concerns a whole response. So a response of several resources that was refused is taken apart: those that Envoy's
 * words mention are tried alone, the others together; if that tells nothing, each half. What is refused alone is the one to blame. It is not
 * sent again until it changes, and where a version is known that proxies have taken, the proxy is given that.
 */
import type { ResourceType } from "../rendered-resource.ts";
import { emptyEndpoints, encodeAlias, encodeAnew, type Resource } from "./resource.ts";
import type { ResourceSet } from "./resource-set.ts";
import { endpoints, scope, secret } from "./resource-types.ts";

export interface SubscriptionEvents {
  /** Sends a response; returns its nonce. */
  send(type: ResourceType, entries: readonly Buffer[], removed: readonly string[]): string;
  refused(resource: Resource, message: string): void;
  /** The proxy has it now, or it is gone. */
  accepted(type: ResourceType, name: string): void;
}

/** Names with what they are to be; `undefined`: gone. */
export type Offer = ReadonlyMap<string, Resource | undefined>;

interface Refusal {
  readonly version: string;
  readonly message: string;
  readonly isLastGoodRefused: boolean;
}

/**
 * Server names under which a proxy has the secret of a wildcard. Each costs it some 30 KB, and clients make names up. A name that is
 * taken back is asked for again when it is needed.
 */
const mostLent = 4_096;

interface Batch {
  readonly entries: Map<string, Resource | undefined>;
  /** Part of a response that was refused: nothing else is put in with it. */
  readonly isPart: boolean;
}

export class Subscription {
  readonly type: ResourceType;
  readonly names = new Set<string>();
  isWildcard = false;
  /** The proxy has had its first answer. */
  isAnswered = false;
  /** The first answer waits for its turn. */
  isAnswerDue = false;
  readonly #set: ResourceSet;
  readonly #events: SubscriptionEvents;
  readonly #known = new Map<string, string>();
  readonly #refusals = new Map<string, Refusal>();
  /** Names that want an answer, be it that there is no such thing. */
  readonly #asked = new Set<string>();
  /** Names that are sent before they are asked for. */
  readonly #foretold = new Set<string>();
  /** Scopes: how often they were in a response that was refused. */
  readonly #attempts = new Map<string, number>();
  #firstAttempt = 0;
  /** To be sent though the proxy has it. */
  readonly #again = new Set<string>();
  /** Server names that a wildcard's secret was asked for by, oldest first. */
  readonly #lent = new Set<string>();
  #isWithdrawn = false;
  #wantsAnswer = false;
  #batches: Batch[] = [];
  #underWay: { readonly nonce: string; readonly sent: Offer } | undefined;

  constructor(type: ResourceType, set: ResourceSet, events: SubscriptionEvents) {
    this.type = type;
    this.#set = set;
    this.#events = events;
  }

  get isIdle(): boolean {
    return !this.#underWay && this.#batches.length === 0 && !this.isAnswerDue;
  }

  wants(name: string): boolean {
    return this.isWildcard || this.names.has(name) || this.#foretold.has(name);
  }

  versionOf(name: string): string | undefined {
    return this.#known.get(name);
  }

  /** Of the version that is the newest now. */
  refusalOf(name: string): Refusal | undefined {
    const refusal = this.#refusals.get(name);
    return refusal && refusal.version === this.#set.get(this.type, name)?.version ? refusal : undefined;
  }

  get refusedNames(): Iterable<string> {
    return this.#refusals.keys();
  }

  /** Nothing more is to come for this name. */
  hasSettled(name: string): boolean {
    if (!this.isIdle) return false;
    if (name === "*") return this.isWildcard && this.isAnswered;
    return this.wants(name) && (!this.newest(name) || this.#known.has(name) || this.#refusals.has(name));
  }

  /** What the proxy says that it has, from a stream before this one. */
  remember(versions: ReadonlyMap<string, string>): void {
    for (const [name, version] of versions) {
      this.#known.set(name, version);
      this.#set.noteTaken(this.type, name, version);
    }
    if (versions.size === 0) return;
    this.isAnswered = true;
    // What it has refused on a stream before this one is not known here.
    this.#firstAttempt = 1 + Math.floor(Math.random() * 1_000_000);
  }

  /** Everything it has not, or in another version, or that is gone. */
  differences(): Set<string> {
    const names = new Set<string>(this.isWildcard ? this.#set.names(this.type) : []);
    for (const name of this.names) names.add(name);
    for (const name of this.#known.keys()) names.add(name);
    return new Set([...names].filter((name) => this.newest(name)?.version !== this.#known.get(name)));
  }

  /** A first answer, which is due even if there is nothing. */
  answer(names: Iterable<string>, more: Offer = new Map()): void {
    this.isAnswerDue = false;
    this.#wantsAnswer = true;
    this.offer(new Map([...this.#lookUp(names), ...more]));
    this.#pump();
  }

  /** These were asked for by name and are answered at once, unless that has been done. */
  answerNames(names: readonly string[]): void {
    for (const name of names) if (!this.#foretold.delete(name)) this.#asked.add(name);
    this.offer(this.#lookUp(names));
    if (this.type === secret) this.#lend(names);
  }

  offer(entries: Offer): void {
    const last = this.#batches.at(-1);
    const batch =
      last && !last.isPart ? last : { entries: new Map<string, Resource | undefined>(), isPart: false };
    for (const [name, resource] of entries) batch.entries.set(name, resource);
    if (batch !== last && batch.entries.size > 0) this.#batches.push(batch);
    this.#pump();
  }

  /** The proxy has to be told once more, because it has forgotten. */
  repeat(name: string): void {
    if (!this.wants(name)) return;
    this.#again.add(name);
    this.offer(this.#lookUp([name]));
  }

  /** The proxy will ask for these as soon as it has read what was sent just now, and finds them behind it. */
  foretell(names: readonly string[]): void {
    const unknown = names.filter((name) => !this.wants(name));
    for (const name of unknown) this.#foretold.add(name);
    this.offer(this.#lookUp(unknown));
  }

  /** What was foretold and not asked for by now went nowhere. */
  endForetelling(): void {
    for (const name of this.#foretold) this.unsubscribe(name);
  }

  /** What was refused for a reason that may have passed is tried again. */
  retry(name: string): void {
    if (this.#refusals.delete(name)) this.offer(this.#lookUp([name]));
  }

  /** Whatever there is, the proxy is to have none of it. */
  withdraw(): void {
    this.#isWithdrawn = true;
    const names = new Set([...this.#known.keys(), ...(this.#underWay?.sent.keys() ?? [])]);
    this.offer(new Map(Array.from(names, (name) => [name, undefined])));
  }

  unsubscribe(name: string): void {
    if (name === "*") this.isWildcard = false;
    this.names.delete(name);
    if (!this.isWildcard) this.#known.delete(name);
    this.#refusals.delete(name);
    this.#asked.delete(name);
    this.#foretold.delete(name);
    this.#lent.delete(name);
  }

  /** The proxy's answer to a response; `refused` has its words. */
  answered(nonce: string, refused: string | undefined): void {
    if (this.#underWay?.nonce !== nonce) return;
    const { sent } = this.#underWay;
    this.#underWay = undefined;
    this.isAnswered = true;
    if (refused !== undefined && this.type === scope) {
      for (const name of sent.keys()) this.#attempts.set(name, this.#attemptOf(name) + 1);
    }
    if (refused === undefined) this.#accept(sent);
    else if (sent.size === 1) this.#refuse(sent, refused);
    else this.#takeApart(sent, refused);
    this.#pump();
  }

  /**
   * What there is of this name now. Who asks for endpoints waits for them with a cluster, and with others behind it: what is not there is empty,
   * not absent.
   */
  newest(name: string): Resource | undefined {
    if (this.#isWithdrawn) return undefined;
    const own = this.#set.get(this.type, name);
    if (own) return own;
    if (this.type === secret) return this.#set.resolveOnDemand(name);
    return this.type === endpoints ? emptyEndpoints(name) : undefined;
  }

  #lend(names: readonly string[]): void {
    for (const name of names) {
      const { onDemandFor = name } = this.newest(name) ?? {};
      if (onDemandFor !== name && !this.#set.get(secret, name)) this.#lent.add(name);
    }
    const excess = this.#lent.size - mostLent;
    if (excess <= 0) return;
    const oldest = [...this.#lent].slice(0, excess);
    for (const name of oldest) this.#lent.delete(name);
    this.offer(new Map(oldest.map((name) => [name, undefined])));
  }

  #lookUp(names: Iterable<string>): Offer {
    return new Map(Array.from(names, (name) => [name, this.newest(name)]));
  }

  #accept(sent: Offer): void {
    for (const [name, resource] of sent) {
      if (resource) {
        if (this.wants(name)) this.#known.set(name, resource.version);
        this.#set.noteTaken(this.type, resource.name, resource.version);
        // The last good version of something is not yet the newest one.
        if (this.#refusals.has(name) && this.newest(name)?.version !== resource.version) continue;
      } else this.#known.delete(name);
      this.#refusals.delete(name);
      this.#events.accepted(this.type, name);
    }
  }

  #refuse(sent: Offer, message: string): void {
    for (const [name, resource] of sent) {
      if (!resource) continue;
      const before = this.#refusals.get(name);
      if (before && this.#set.lastGood(this.type, name)?.version === resource.version) {
        // What others took was no good here.
        this.#refusals.set(name, { ...before, isLastGoodRefused: true });
        continue;
      }
      this.#refusals.set(name, { version: resource.version, message, isLastGoodRefused: false });
      // If it has been replaced meanwhile, the next one is judged for itself.
      if (this.#set.get(this.type, resource.name)?.version !== resource.version) continue;
      this.#events.refused(resource, message);
      if (this.#set.lastGood(this.type, name)) this.offer(this.#lookUp([name]));
    }
  }

  #takeApart(sent: Offer, message: string): void {
    const names = [...sent.keys()];
    const mentioned = names.filter((name) => message.includes(name));
    const others = names.filter((name) => !message.includes(name));
    const parts =
      mentioned.length > 0 && mentioned.length <= 8 && others.length > 0
        ? [others, ...mentioned.map((name) => [name])]
        : [names.slice(0, names.length / 2), names.slice(names.length / 2)];
    this.#batches.unshift(
      ...parts.map((part) => ({
        entries: new Map(part.map((name) => [name, sent.get(name)])),
        isPart: true,
      })),
    );
  }

  #pump(): void {
    while (!this.#underWay && (this.#batches.length > 0 || this.#wantsAnswer)) {
      const batch = this.#batches.shift();
      const sent = batch ? this.#choose(batch) : new Map<string, Resource | undefined>();
      if (sent.size === 0 && !(this.#wantsAnswer && this.#batches.length === 0)) continue;
      this.#wantsAnswer = false;
      const entries: Buffer[] = [];
      const removed: string[] = [];
      for (const [name, resource] of sent) {
        if (!resource) removed.push(name);
        else entries.push(this.#encode(resource, name));
      }
      this.#underWay = { nonce: this.#events.send(this.type, entries, removed), sent };
    }
  }

  #encode(resource: Resource, name: string): Buffer {
    if (resource.name !== name) return encodeAlias(resource, name);
    const attempt = this.type === scope ? this.#attemptOf(name) : 0;
    return attempt === 0 ? resource.entry : encodeAnew(resource, attempt);
  }

  #attemptOf(name: string): number {
    return this.#attempts.get(name) ?? this.#firstAttempt;
  }

  /** Those of the batch that the proxy has to be told of. */
  #choose({ entries }: Batch): Map<string, Resource | undefined> {
    const chosen = new Map<string, Resource | undefined>();
    for (const [name, offered] of entries) {
      const isAsked = this.#asked.delete(name);
      const isAgain = this.#again.delete(name);
      if (!this.wants(name)) continue;
      const resource = this.#isWithdrawn ? undefined : this.#bestOf(name, offered);
      const has = this.#known.get(name);
      if (!resource) {
        this.#refusals.delete(name);
        if (isAsked || has !== undefined) chosen.set(name, undefined);
      } else if (has !== resource.version || isAgain) {
        if (this.#refusals.get(name)?.version !== resource.version) chosen.set(name, resource);
      }
    }
    return chosen;
  }

  /** What was offered, unless the proxy has refused that and there is something that others have taken. */
  #bestOf(name: string, offered: Resource | undefined): Resource | undefined {
    const refusal = this.#refusals.get(name);
    if (!offered || refusal?.version !== offered.version || refusal.isLastGoodRefused) return offered;
    return this.#set.lastGood(this.type, name) ?? offered;
  }
}

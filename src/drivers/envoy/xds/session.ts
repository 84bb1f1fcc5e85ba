/*
 * One proxy's stream. It turns requests into subscriptions, and changes into passes: a pass takes the changes that have come up to
 * its beginning through the steps of `resource-types.ts`, each after Envoy has taken the one before. What changes meanwhile waits
 * for the next pass, by name only. What a proxy asks for by name, and a first answer, is sent at once: there is nothing yet that it could break.
 *
 * A proxy that comes back says what it has, type by type. Until it has said it all no pass begins: a cluster is not taken away from routes
 * that are yet to be heard of.
 *
 * A proxy that does not answer in time is late: the pass is given up, and what was left of it goes into the next one, which begins
 * when the proxy is heard of again.
 */
import type { ChannelStream } from "../../../channel/index.ts";
import type { DeltaDiscoveryRequest } from "../generated/messages.ts";
import { decodeMessage, encodeMessage, MalformedMessage, typeUrlOf } from "../messages/index.ts";
import type { ResourceType } from "../rendered-resource.ts";
import { shorten } from "./refusal-reason.ts";
import type { Requirement, Resource } from "./resource.ts";
import type { ChangedNames, ResourceSet } from "./resource-set.ts";
import { cluster, endpoints, listener, resourceTypeOf, scope, secret, steps } from "./resource-types.ts";
import { Subscription, type Offer } from "./subscription.ts";

export interface SessionEvents {
  /** It has said who it is, and has been told nothing yet. */
  named(session: Session): void;
  /** It has taken or refused all changes up to the number, or is too late to be waited for. */
  caughtUp(session: Session): void;
  /** It has had its first full set. */
  joined(session: Session): void;
  /** It has answered something. */
  answered(session: Session): void;
  refused(session: Session, resource: Resource, message: string): void;
  accepted(session: Session, type: ResourceType, name: string): void;
  left(session: Session, reason: string): void;
}

export interface SessionOptions {
  readonly stream: ChannelStream;
  readonly set: ResourceSet;
  readonly events: SessionEvents;
  /** How long a proxy may take for one step, ms. */
  readonly patience: number;
  /** How long to wait for the next type that a proxy asks for when it comes back, ms. */
  readonly gathering: number;
  /** The number of the changes that the set holds. */
  readonly upTo: number;
  readonly counters: SessionCounters;
  /** Of all proxies of the Gateway: what the names take up that they have told us, bytes, and how many proxies there are. */
  readonly told: { size: number; readonly proxies: () => number };
}

export interface SessionCounters {
  responses: number;
  bytes: number;
  resources: number;
  refusals: number;
}

interface Pass {
  /** As they were when the pass began, so that they fit together whatever changes meanwhile. */
  readonly changes: ReadonlyMap<ResourceType, Offer>;
  readonly upTo: number;
  step: number;
  isOffered: boolean;
  timer?: NodeJS.Timeout;
}

/** Of these a proxy gets all that there are; everything else it has to name. */
const listedTypes: readonly ResourceType[] = [cluster, scope, listener];

/** What a name that a proxy tells us takes up beside its letters, bytes. */
const perName = 64;
/** What each resource may take up in what a proxy tells us: its name, that of its version, and once more its name. */
const perResource = 384;
/** What names of one proxy may take up beyond that. One that has more does not want to be served. */
const mostOfOne = 64 * 1024 * 1024;
/** The same of all proxies of a Gateway together. */
const mostOfAll = 256 * 1024 * 1024;

export class Session {
  isJoined = false;
  /** It did not answer in time, and has not since. */
  isLate = false;
  /** It is about to end. */
  isDraining = false;
  /** As the proxy calls itself; for people. */
  node = "";
  caughtUpTo: number;
  readonly #options: SessionOptions;
  readonly #subscriptions = new Map<ResourceType, Subscription>();
  #queue: ChangedNames = new Map();
  #queuedUpTo: number;
  #pass: Pass | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #nonce = 0;
  #isClosed = false;
  #isAdvancing = false;
  /** What its names take up. */
  #told = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.caughtUpTo = options.upTo;
    this.#queuedUpTo = options.upTo;
  }

  start(): void {
    this.#options.stream.listen({
      message: (bytes) => this.#receive(bytes),
      closed: (reason) => this.#leave(reason),
    });
  }

  close(reason: string): void {
    this.#options.stream.close(reason);
    this.#leave(reason);
  }

  /** These names have changed in the set. */
  changed(changes: ChangedNames, upTo: number): void {
    this.#enqueue(changes);
    this.#queuedUpTo = upTo;
    if (this.isLate && !this.#isBusy) this.isLate = false;
    if (this.isLate) this.#catchUp(upTo);
    else this.#advance();
  }

  /** The newest version is in force on this proxy, with all that it needs. */
  hasTaken({ type, name, version, requires }: Resource): boolean {
    return (
      this.#subscriptions.get(type)?.versionOf(name) === version &&
      requires.every((required) => this.#isMet(required))
    );
  }

  refusalOf(type: ResourceType, name: string): string | undefined {
    return this.#subscriptions.get(type)?.refusalOf(name)?.message;
  }

  /** Without its listeners Envoy takes nobody more and asks clients to leave; what is under way comes to its end. */
  drain(): void {
    this.isDraining = true;
    this.isJoined = false;
    this.#subscriptions.get(listener)?.withdraw();
  }

  retry(type: ResourceType, name: string): void {
    this.#subscriptions.get(type)?.retry(name);
  }

  #receive(bytes: Buffer): void {
    let request: DeltaDiscoveryRequest;
    try {
      request = decodeMessage("envoy.service.discovery.v3.DeltaDiscoveryRequest", bytes);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      return this.close(error.message);
    }
    if (request.node?.id !== undefined && request.node.id !== this.node) {
      this.node = request.node.id;
      this.#options.events.named(this);
    }
    const type = resourceTypeOf(request.typeUrl ?? "");
    if (!type) return;
    let subscription = this.#subscriptions.get(type);
    const isFirst = !subscription;
    if (!subscription) {
      subscription = this.#subscribe(type);
      const { initialResourceVersions: versions = new Map<string, string>() } = request;
      if (!this.#note(sizeOf(versions.keys()) + sizeOf(versions.values()))) return;
      subscription.remember(versions);
      if (this.#gathering || (versions.size > 0 && !this.isJoined)) this.#gather();
    }
    const { responseNonce, errorDetail } = request;
    if (responseNonce) {
      this.isLate = false;
      const words = errorDetail && (heard(errorDetail.message) || "Envoy refused it without a word.");
      subscription.answered(responseNonce, words);
    }
    this.#changeNames(subscription, request, isFirst);
    this.#advance();
    if (responseNonce) this.#options.events.answered(this);
  }

  #changeNames(subscription: Subscription, request: DeltaDiscoveryRequest, isFirst: boolean): void {
    const { resourceNamesSubscribe: wanted = [], resourceNamesUnsubscribe: unwanted = [] } = request;
    for (const name of unwanted) {
      if (subscription.names.has(name)) this.#note(-sizeOf([name]));
      subscription.unsubscribe(name);
    }
    // Before there was `*`, a first request without names was its way to say so.
    const isListed = listedTypes.includes(subscription.type);
    const wantsAll = isListed && (wanted.includes("*") || (isFirst && wanted.length === 0));
    const names = wanted.filter((name) => name !== "*");
    for (const name of names) {
      if (!subscription.names.has(name) && !this.#note(sizeOf([name]))) return;
      subscription.names.add(name);
    }
    if (wantsAll && !subscription.isWildcard) {
      subscription.isWildcard = true;
      // With what it has from before, changes are made in order; with nothing of this type, there is no order to keep, unless clusters are on their way.
      if (subscription.isAnswered) this.#enqueue(new Map([[subscription.type, subscription.differences()]]));
      else if (subscription.type !== cluster && this.#awaitsClusters) subscription.isAnswerDue = true;
      else subscription.answer(this.#namesToAnswer(subscription.type));
    }
    if (names.length > 0) subscription.answerNames(names);
  }

  /** It has told us more names, or takes some back. Answers false if it has gone too far. */
  #note(size: number): boolean {
    const { told, set } = this.#options;
    this.#told += size;
    told.size += size;
    const due = perResource * set.total;
    const isTooMuch =
      size > 0 && (this.#told > mostOfOne + due || told.size > mostOfAll + told.proxies() * due);
    if (isTooMuch) this.close("the proxy has too many names");
    return !isTooMuch;
  }

  #subscribe(type: ResourceType): Subscription {
    const { set, events, counters } = this.#options;
    const subscription = new Subscription(type, set, {
      send: (of, entries, removed) => this.#send(of, entries, removed),
      refused: (resource, message) => {
        counters.refusals++;
        events.refused(this, resource, message);
      },
      accepted: (of, name) => events.accepted(this, of, name),
    });
    this.#subscriptions.set(type, subscription);
    if (this.isDraining && type === listener) subscription.withdraw();
    return subscription;
  }

  #send(type: ResourceType, entries: readonly Buffer[], removed: readonly string[]): string {
    const nonce = String(++this.#nonce);
    const { stream, counters } = this.#options;
    const rest = {
      typeUrl: typeUrlOf(type),
      nonce,
      ...(removed.length > 0 && { removedResources: removed }),
    };
    const message = [...entries, encodeMessage("envoy.service.discovery.v3.DeltaDiscoveryResponse", rest)];
    counters.responses++;
    for (const { length } of message) counters.bytes += length;
    counters.resources += entries.length + removed.length;
    stream.send(message);
    return nonce;
  }

  #gather(): void {
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#advance();
    }, this.#options.gathering).unref();
  }

  #enqueue(changes: ChangedNames): void {
    for (const [type, names] of changes) {
      const queued = this.#queue.get(type);
      if (!queued) this.#queue.set(type, new Set(names));
      else for (const name of names) queued.add(name);
    }
  }

  #advance(): void {
    // What is sent may be answered before `offer` returns only in tests, but then it must not begin a second pass.
    if (this.#isAdvancing || this.#isClosed) return;
    this.#isAdvancing = true;
    try {
      while (!this.isLate && !this.#gathering && this.#advancePass());
    } finally {
      this.#isAdvancing = false;
    }
    this.#judgeJoined();
  }

  /** Whether there may be more to do. */
  #advancePass(): boolean {
    if (!this.#pass) {
      const isAnswerDue = [...this.#subscriptions.values()].some((subscription) => subscription.isAnswerDue);
      if (this.#queue.size === 0 && this.caughtUpTo === this.#queuedUpTo && !isAnswerDue) return false;
      this.#pass = { changes: this.#takeQueue(), upTo: this.#queuedUpTo, step: 0, isOffered: false };
    }
    const pass = this.#pass;
    const step = steps[pass.step];
    if (!step) {
      this.#pass = undefined;
      this.#catchUp(pass.upTo);
      return true;
    }
    if (!pass.isOffered) {
      pass.isOffered = true;
      this.#offer(pass, step);
    }
    if (!step.types.every((type) => this.#isDone(pass, type))) {
      pass.timer ??= setTimeout(() => this.#giveUp(), this.#options.patience).unref();
      return false;
    }
    clearTimeout(pass.timer);
    delete pass.timer;
    this.#subscriptions.get(endpoints)?.endForetelling();
    pass.step++;
    pass.isOffered = false;
    return true;
  }

  #takeQueue(): ReadonlyMap<ResourceType, Offer> {
    const { set } = this.#options;
    const taken = new Map<ResourceType, Offer>();
    for (const [type, names] of this.#queue) {
      taken.set(type, new Map(Array.from(names, (name) => [name, set.get(type, name)])));
    }
    this.#queue = new Map();
    return taken;
  }

  get #awaitsClusters(): boolean {
    return this.#gathering !== undefined || this.#pass?.step === 0 || this.#queue.has(cluster);
  }

  /** All there are, but for those whose turn in a pass is still to come: what they refer to may not be there yet. */
  *#namesToAnswer(type: ResourceType): Iterable<string> {
    const queued = this.#queue.get(type);
    const step = steps.findIndex(({ types }) => types.includes(type));
    const isAhead = this.#pass !== undefined && (this.#pass.step < step || !this.#pass.isOffered);
    const ahead = isAhead ? this.#pass!.changes.get(type) : undefined;
    for (const name of this.#options.set.names(type)) {
      if (type === cluster || (!queued?.has(name) && !ahead?.has(name))) yield name;
    }
  }

  #offer({ changes }: Pass, { mode, types }: (typeof steps)[number]): void {
    for (const type of types) {
      const subscription = this.#subscriptions.get(type);
      const offer = new Map(
        [...(changes.get(type) ?? [])].filter(
          ([, resource]) => (resource !== undefined) === (mode === "set"),
        ),
      );
      if (subscription?.isAnswerDue && mode === "set") {
        subscription.answer(this.#namesToAnswer(type), offer);
        continue;
      }
      if (!subscription || offer.size === 0) continue;
      const known = new Set([...offer.keys()].filter((name) => subscription.versionOf(name) !== undefined));
      subscription.offer(type === endpoints ? withEmpty(subscription, offer) : offer);
      if (type === cluster && mode === "set") this.#followWithEndpoints(offer.keys(), known);
      if (type === secret) this.#offerOnDemand(subscription);
      // An address that a removed listener had is free now.
      if (type === listener && mode === "remove") {
        for (const name of subscription.refusedNames) subscription.retry(name);
      }
    }
  }

  /**
   * A cluster that changes is made anew and waits for its endpoints, which Envoy does not ask for again. For those of a new one it asks, but takes them
   * without, right behind the cluster: a way there and back less. Not while it starts, when it makes its clusters later.
   */
  #followWithEndpoints(names: Iterable<string>, known: ReadonlySet<string>): void {
    const subscription = this.#subscriptions.get(endpoints);
    if (!subscription) return;
    const unknown: string[] = [];
    for (const name of names) {
      for (const required of this.#options.set.get(cluster, name)?.requires ?? []) {
        if (required.type !== endpoints) continue;
        if (known.has(name)) subscription.repeat(required.name);
        else if (this.isJoined) unknown.push(required.name);
      }
    }
    subscription.foretell(unknown);
  }

  /** Names that were asked for by clients may be another secret's now, or nobody's. */
  #offerOnDemand(subscription: Subscription): void {
    const names = [...subscription.names].filter((name) => !this.#options.set.get(secret, name));
    subscription.offer(new Map(names.map((name) => [name, subscription.newest(name)])));
  }

  #isDone({ changes }: Pass, type: ResourceType): boolean {
    const subscription = this.#subscriptions.get(type);
    if (!subscription) return true;
    if (!subscription.isIdle) return false;
    if (type !== listener && type !== cluster) return true;
    for (const [name, resource] of changes.get(type) ?? []) {
      if (resource && subscription.versionOf(name) === resource.version && !this.hasTaken(resource))
        return false;
    }
    return true;
  }

  #isMet({ type, name }: Requirement): boolean {
    const subscription = this.#subscriptions.get(type);
    if (!subscription) return name !== "*" && this.#options.set.get(type, name) === undefined;
    return subscription.hasSettled(name);
  }

  #giveUp(): void {
    const pass = this.#pass;
    if (!pass || this.#isClosed) return;
    this.isLate = true;
    this.#pass = undefined;
    this.#subscriptions.get(endpoints)?.endForetelling();
    this.#enqueue(new Map(Array.from(pass.changes, ([type, offer]) => [type, new Set(offer.keys())])));
    this.#catchUp(pass.upTo);
  }

  #catchUp(upTo: number): void {
    this.caughtUpTo = upTo;
    this.#options.events.caughtUp(this);
  }

  #judgeJoined(): void {
    if (
      this.#gathering ||
      this.isJoined ||
      this.isDraining ||
      this.#isClosed ||
      this.#pass ||
      this.#queue.size > 0
    )
      return;
    const listeners = this.#subscriptions.get(listener);
    const clusters = this.#subscriptions.get(cluster);
    if (!listeners?.isAnswered || !clusters?.isAnswered) return;
    if (this.#isBusy) return;
    const { set, events } = this.#options;
    for (const name of set.names(listener)) {
      const resource = set.get(listener, name)!;
      if (!this.hasTaken(resource) && !listeners.refusalOf(name)) return;
    }
    this.isJoined = true;
    events.joined(this);
  }

  /** An answer is still to come. */
  get #isBusy(): boolean {
    return [...this.#subscriptions.values()].some(({ isIdle }) => !isIdle);
  }

  #leave(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.told.size -= this.#told;
    clearTimeout(this.#pass?.timer);
    clearTimeout(this.#gathering);
    this.#options.events.left(this, reason);
  }
}

/** Words are kept for each refused resource: not more than help, nor what they were cut from. */
function heard(words = ""): string {
  return Buffer.from(shorten(words, 16_384)).toString();
}

function sizeOf(names: Iterable<string>): number {
  let size = 0;
  for (const name of names) size += perName + name.length;
  return size;
}

/** Whoever asked for endpoints that are gone is to know of none, not of the ones before. */
function withEmpty(subscription: Subscription, offer: Offer): Offer {
  return new Map(Array.from(offer, ([name, resource]) => [name, resource ?? subscription.newest(name)]));
}

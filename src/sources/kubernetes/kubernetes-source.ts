/**
 * An API server as a source: one watch for each kind (and namespace, where these are given), and one for each Secret or
 * ConfigMap that is wanted.
 *
 * Start: the served versions are looked up, all watches begin, and when each has told what is there (or cannot, for a reason that
 * waiting does not mend) all of it is handed over in one call. Kinds that are not served are asked for again and again,
 * beside everything else; so are those that go.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventRecorder, KubernetesClient } from "../../kubernetes/index.ts";
import { kinds as allKinds, type RawStatus, type ResourceKind } from "../../resources/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
import type { Source, SourceSink, WantedObject } from "../source.ts";
import { ChangeFeed } from "./change-feed.ts";
import { KindWatch } from "./kind-watch.ts";
import { References } from "./references.ts";
import { SaidStatuses } from "./said-statuses.ts";
import { findServedKinds } from "./served-kinds.ts";
import { UnreadObjects } from "./unread-objects.ts";

export interface KubernetesSourceOptions {
  readonly client: KubernetesClient;
  /** Absent: all that we know. Secrets and ConfigMaps come by `want` alone. */
  readonly kinds?: readonly ResourceKind[];
  /** Absent: all. With these, Roles in them do for all kinds that live in a namespace. */
  readonly namespaces?: readonly string[];
  /** Whether statuses and Events may be written now: whether we are the leader. */
  readonly canWrite: () => boolean;
  /** Whether this change of a status should not be written for now; `writeAllStatuses` asks again. */
  readonly postpone?: (before: RawStatus, after: RawStatus) => boolean;
  /** For Events on objects that are refused; absent: there are none. */
  readonly recorder?: EventRecorder;
  /** Kinds that are read but not served: there are no Events on those that cannot be read. */
  readonly silentKinds?: readonly ResourceKind[];
  /** Bounds of status writes. */
  readonly statusesPerSecond?: number;
  readonly statusesAtOnce?: number;
  /** Something of ours, or of the sink's, went wrong; the work goes on. */
  readonly fault?: (error: unknown) => void;
  /** The longest time between two looks for kinds that are not served, ms. */
  readonly lookEvery?: number;
  /** How long something that cannot be read keeps all else waiting, while the server is well; ms. */
  readonly patience?: number;
}

export interface KubernetesSource extends Source {
  want(added: readonly WantedObject[], removed: readonly WantedObject[]): Promise<void>;
  /** We became the leader: every status that was handed over so far is written, unless it stands already, and Events are made up for. */
  writeAllStatuses(): void;
  /** Resolves when no status waits to be written. */
  statusesWritten(): Promise<void>;
}

export function kubernetesSource(options: KubernetesSourceOptions): KubernetesSource {
  return new ApiServerSource(options);
}

const byReference: ReadonlySet<ResourceKind> = new Set(["Secret", "ConfigMap"]);
const firstLook = 500;
const longestTimer = 2 ** 31 - 1;

class ApiServerSource implements KubernetesSource {
  readonly name = "kubernetes";
  readonly #options: KubernetesSourceOptions;
  readonly #feed: ChangeFeed;
  readonly #watches: ReadonlyMap<ResourceKind, KindWatch>;
  readonly #references: References;
  readonly #unread: UnreadObjects;
  readonly #statuses: SaidStatuses;
  readonly #stopped = new AbortController();
  /** Kinds whose version is not known (any more). */
  readonly #missing = new Set<ResourceKind>();
  #hasNewlyMissing = false;
  /** Ends the pause between two looks. */
  #wake: () => void = () => undefined;

  constructor(options: KubernetesSourceOptions) {
    this.#options = options;
    const { client, namespaces, canWrite, recorder, patience } = options;
    const fault = (error: unknown) => this.#fault(error);
    this.#feed = new ChangeFeed(fault);
    const feed = this.#feed;
    const unread = new UnreadObjects({ recorder, canWrite, silentKinds: options.silentKinds ?? [] });
    this.#unread = unread;
    const wanted = (options.kinds ?? [...allKinds.keys()]).filter((kind) => !byReference.has(kind));
    this.#watches = new Map(
      wanted.map((kind) => {
        const onSeen = (key: string) => this.#statuses.seen(`${kind}/${key}`);
        const onGone = (key: string) => this.#statuses.gone(`${kind}/${key}`);
        const onNotServed = () => this.#miss(kind);
        const more = { client, namespaces, patience, fault, onNotServed };
        return [kind, new KindWatch({ kind, feed, unread, onSeen, onGone, ...more })];
      }),
    );
    this.#references = new References({ client, feed, unread, namespaces, patience, fault });
    this.#statuses = new SaidStatuses({
      client,
      canWrite,
      postpone: options.postpone,
      recorder,
      perSecond: options.statusesPerSecond,
      concurrency: options.statusesAtOnce,
      typeOf: (kind) => this.#watches.get(kind)?.type,
      find: (kind, namespace, name) => this.#watches.get(kind)?.find(namespace, name),
      noteWritten: (kind, object) => this.#watches.get(kind)?.noteWritten(object),
      trouble: (message) =>
        feed.setProblems(`statuses ${message}`, [{ severity: "error", origin: client.server, message }]),
      fault,
    });
  }

  async start(sink: SourceSink): Promise<void> {
    for (const kind of this.#watches.keys()) this.#missing.add(kind);
    const early = { apply: () => undefined, report: sink.report.bind(sink) };
    let first: readonly Promise<void>[] | undefined;
    let pause = firstLook;
    while (!first && !this.#isStopped) {
      first = await this.#look();
      if (first) break;
      this.#feed.reportTo(early);
      await this.#rest((pause = Math.min(pause * 2, this.#longestPause)));
    }
    // While it takes longer, somebody may want to know why.
    const patience = setInterval(() => this.#feed.reportTo(early), 2_000);
    await Promise.all(first ?? []);
    clearInterval(patience);
    if (this.#isStopped) return;
    this.#feed.open(sink);
    void this.#lookForMissing();
  }

  async writeStatuses(statuses: readonly ObjectStatus[]): Promise<void> {
    this.#statuses.say(statuses);
  }

  writeAllStatuses(): void {
    this.#statuses.sayAllAgain();
    this.#unread.tellAll();
  }

  statusesWritten(): Promise<void> {
    return this.#statuses.settled();
  }

  want(added: readonly WantedObject[], removed: readonly WantedObject[]): Promise<void> {
    return this.#isStopped ? Promise.resolve() : this.#references.want(added, removed);
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new Error("stopped"));
    this.#feed.close();
    for (const watch of this.#watches.values()) watch.stop();
    this.#references.stop();
    this.#wake();
    await this.#statuses.stop();
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  get #longestPause(): number {
    return this.#options.lookEvery ?? 10_000;
  }

  /** Begins to watch what is served now; undefined: that could not be found out. */
  async #look(): Promise<Promise<void>[] | undefined> {
    const { client } = this.#options;
    const wanted = [...this.#missing];
    try {
      const served = await findServedKinds(client, wanted);
      if (this.#isStopped) return undefined;
      this.#feed.setProblems("discovery", []);
      return wanted.flatMap((kind) => {
        const type = served.get(kind);
        const watch = this.#watches.get(kind);
        if (!type) watch?.unserve();
        if (!type || !watch) return [];
        this.#missing.delete(kind);
        return [watch.serve(type)];
      });
    } catch (error) {
      const message = `What the API server serves cannot be found out for now: ${error instanceof Error ? error.message : String(error)}`;
      this.#feed.setProblems("discovery", [{ severity: "warning", origin: client.server, message }]);
      return undefined;
    }
  }

  #miss(kind: ResourceKind): void {
    this.#missing.add(kind);
    this.#hasNewlyMissing = true;
    this.#wake();
  }

  async #lookForMissing(): Promise<void> {
    let pause = firstLook;
    while (!this.#isStopped) {
      if (!this.#hasNewlyMissing) await this.#rest(this.#missing.size === 0 ? longestTimer : pause);
      if (this.#hasNewlyMissing) {
        pause = firstLook;
        // Kinds that go together are asked for together.
        await sleep(100);
      } else pause = Math.min(pause * 2, this.#longestPause);
      this.#hasNewlyMissing = false;
      if (!this.#isStopped && this.#missing.size > 0) void (await this.#look());
    }
  }

  /** For a time, or until something is missing. */
  async #rest(ms: number): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    if (this.#isStopped) return;
    await sleep(jittered(ms), undefined, { signal: woken.signal }).catch(() => undefined);
  }

  #fault(error: unknown): void {
    const { fault } = this.#options;
    if (fault) fault(error);
    else
      queueMicrotask(() => {
        throw error;
      });
  }
}

function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 4);
}

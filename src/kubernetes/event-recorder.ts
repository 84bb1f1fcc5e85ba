/**
 * Events on objects, for people (`kubectl describe`). They are best effort: nobody waits for one, and under a flood some are left
 * out and counted rather than the API server being flooded as well.
 *
 * An event that says the same of the same object as one before is not a new one: its count grows. Bounds: so many events wait,
 * so many are written a second, and so many concern one object.
 */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesClient } from "./client.ts";
import { asKubernetesError, KubernetesError } from "./error.ts";
import { microTime } from "./lease.ts";
import type { KubernetesObject, ResourceType } from "./object.ts";
import { TokenBucket } from "./token-bucket.ts";

export interface EventRecorderOptions {
  /** Who says it: `gatewright.dev/gateway-controller`. */
  readonly component: string;
  /** Which one of them, such as the Pod's name. */
  readonly instance?: string;
  readonly perSecond?: number;
  readonly burst?: number;
  /** Of one object at once; then one every five minutes. */
  readonly burstPerObject?: number;
  /** Only while this holds; what is recorded otherwise is left out. */
  readonly canWrite?: () => boolean;
  /** Events cannot be written; told once for each reason. */
  readonly trouble?: (error: KubernetesError) => void;
}

export interface RecordedEvent {
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
  readonly type: "Normal" | "Warning";
  /** One word, for machines: `RefNotPermitted`. */
  readonly reason: string;
  readonly message: string;
  /** What was being done: `Reconcile` unless said otherwise. */
  readonly action?: string;
}

export interface EventRecorder {
  /** Never waits and never throws. */
  record(event: RecordedEvent): void;
  /** How many were left out. */
  readonly dropped: number;
  /** What waits is still written, for a moment. */
  stop(): Promise<void>;
}

export function eventRecorder(client: KubernetesClient, options: EventRecorderOptions): EventRecorder {
  return new ApiEventRecorder(client, options);
}

const newEvents: ResourceType = {
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

const mostWaiting = 1_000;
const mostRemembered = 4_096;
/** The API takes no longer notes. */
const longestNote = 1_024;
const longestReason = 128;
/** The server forgets events after an hour. */
const sameEventFor = 30 * 60_000;
const lastMoment = 2_000;

interface Written {
  readonly name: string;
  readonly namespace: string;
  readonly at: number;
  count: number;
}

class ApiEventRecorder implements EventRecorder {
  dropped = 0;
  readonly #client: KubernetesClient;
  readonly #options: EventRecorderOptions;
  readonly #bucket: TokenBucket;
  /** By what they say; the number is how often it was said since it was last written. */
  readonly #waiting = new Map<string, { readonly event: RecordedEvent; times: number }>();
  readonly #written = new Map<string, Written>();
  readonly #perObject = new Map<string, TokenBucket>();
  readonly #told = new Set<string>();
  readonly #stopped = new AbortController();
  #writing: Promise<void> | undefined;
  #isEnding = false;
  #counter = 0;

  constructor(client: KubernetesClient, options: EventRecorderOptions) {
    this.#client = client;
    this.#options = options;
    this.#bucket = new TokenBucket(options.perSecond ?? 5, options.burst ?? 50);
  }

  record(event: RecordedEvent): void {
    if (this.#isEnding || this.#options.canWrite?.() === false) return;
    const key = keyOf(event);
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.times++;
      return;
    }
    if (this.#waiting.size >= mostWaiting || !this.#allows(event)) {
      this.dropped++;
      return;
    }
    this.#waiting.set(key, { event, times: 1 });
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    const tooLate = setTimeout(() => this.#stopped.abort(new Error("stopped")), lastMoment);
    while (this.#writing) await this.#writing;
    clearTimeout(tooLate);
    this.#stopped.abort(new Error("stopped"));
  }

  #begin(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // Recorded after the last look.
      if (this.#waiting.size > 0 && !this.#stopped.signal.aborted) this.#begin();
    });
  }

  #allows({ object: { kind, namespace, name } }: RecordedEvent): boolean {
    const key = `${kind}/${namespace ?? ""}/${name}`;
    const bucket = this.#perObject.get(key) ?? new TokenBucket(1 / 300, this.#options.burstPerObject ?? 25);
    remember(this.#perObject, key, bucket);
    return bucket.take() === 0;
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#stopped;
    // What was recorded in the same breath is counted before it is written.
    await Promise.resolve();
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const wait = this.#bucket.take();
      if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (wait > 0) continue;
      const [key, { event, times }] = next;
      this.#waiting.delete(key);
      if (this.#options.canWrite?.() === false) continue;
      try {
        await this.#write(key, event, times);
      } catch (error) {
        this.dropped++;
        if (!signal.aborted) this.#tellTrouble(asKubernetesError(error, "writing an Event"));
      }
    }
  }

  async #write(key: string, event: RecordedEvent, times: number): Promise<void> {
    const { signal } = this.#stopped;
    const before = this.#written.get(key);
    if (before && performance.now() - before.at < sameEventFor) {
      const count = before.count + times;
      const series = { count, lastObservedTime: microTime() };
      try {
        await this.#client.patch(newEvents, before.name, before.namespace, { series }, { signal });
        before.count = count;
        return;
      } catch (error) {
        if (!(error instanceof KubernetesError && error.isNotFound)) throw error;
      }
    }
    const body = this.#render(event, times);
    await this.#client.create(newEvents, body, { signal });
    const { name, namespace = "default" } = body.metadata;
    remember(this.#written, key, { name, namespace, at: performance.now(), count: times });
  }

  #render(
    { object, type, reason, message, action = "Reconcile" }: RecordedEvent,
    times: number,
  ): KubernetesObject {
    const { component, instance = component } = this.#options;
    const unique = `${Date.now().toString(16)}${(this.#counter++ % 0x1000).toString(16).padStart(3, "0")}`;
    const now = microTime();
    return {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: `${object.name.slice(0, 220)}.${unique}`, namespace: object.namespace ?? "default" },
      eventTime: now,
      reportingController: qualifiedName(component),
      reportingInstance: instance.slice(0, 128),
      action: action.slice(0, 128),
      reason: reason.slice(0, longestReason),
      regarding: Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)),
      note: message.length > longestNote ? `${message.slice(0, longestNote - 1)}…` : message,
      type,
      ...(times > 1 ? { series: { count: times, lastObservedTime: now } } : {}),
    };
  }

  #tellTrouble(error: KubernetesError): void {
    const what = `${error.code} ${error.status}`;
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#options.trouble?.(error);
  }
}

function keyOf({ object: { kind, namespace, name, uid }, type, reason, message }: RecordedEvent): string {
  const text = JSON.stringify([kind, namespace, name, uid, type, reason, message]);
  return createHash("sha256").update(text).digest("base64");
}

/** The API takes one slash, a controller's name may have more. */
function qualifiedName(component: string): string {
  const [domain = "", ...rest] = component.split("/");
  return rest.length > 0 ? `${domain}/${rest.join("-")}` : domain;
}

/** Of many, the latest. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= mostRemembered) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

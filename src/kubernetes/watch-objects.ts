/**
 * Keeps a handler informed of all objects of a type: a list, then a watch from the list's version on, for ever.
 *
 * State: the version up to which the handler knows everything, or none. Each thing that can happen has its next step:
 *
 *   the watch ends, the connection breaks     watch on from the version
 *   a bookmark                                a later version, nothing else
 *   410 Gone, as an answer or as an event     the version is too old: list anew, tell the whole truth
 *   a line that cannot be read                what it said is lost: list anew
 *   other errors as an answer                 watch on; list anew after the third in a row
 *   404                                       if the server is otherwise well: nothing of the type is there; ask again
 *   403, 401, no connection                   what is known stays; ask again
 *   no place for another watch                what is known stays; list anew instead, again and again
 *
 * After anything but a watch that lived and ended, there is a growing pause. There is no last attempt, unless the client is closed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { BackOff, type BackOffOptions } from "./back-off.ts";
import { collectInto, type KubernetesClient } from "./client.ts";
import { isNotServed } from "./discovery.ts";
import { asKubernetesError, KubernetesError } from "./error.ts";
import { cutManagedFields } from "./managed-fields.ts";
import { resourceName, type KubernetesObject } from "./object.ts";
import { metadataOf, resourcePath, withQuery } from "./resource-path.ts";
import { tellSafely } from "./tell-safely.ts";
import { UnreadableCount } from "./unreadable.ts";
import { WatchLines } from "./watch-lines.ts";
import { describeTrouble, type WatchSelection, type WatchTrouble } from "./watch-trouble.ts";

export interface ObjectEvent {
  readonly type: "set" | "deleted";
  readonly object: KubernetesObject;
}

/** What a handler throws is told to its `fault`, or else becomes an uncaught exception; the watch goes on either way. */
export type WatchHandler = WatchEvents & (TakesAll | TakesParts);

/** The whole truth is told at first, and after each time that events may have been lost. */
interface TakesAll {
  replaced(objects: readonly KubernetesObject[]): void;
}

/** For kinds with many objects: they are never all in memory as they came. */
interface TakesParts {
  listing(): Listing;
}

interface WatchEvents {
  /** What came together. */
  changed(events: readonly ObjectEvent[]): void;
  /** Not served (no such CRD), forbidden, unreachable; undefined: all is well again. */
  trouble(trouble: WatchTrouble | undefined): void;
  fault?(error: unknown): void;
}

/** A list under way. One that is given up is just not ended. */
export interface Listing {
  /** A part of it. */
  take(objects: readonly KubernetesObject[]): void;
  /** That was all: what was not among it is gone. */
  end(): void;
}

export interface WatchOptions extends WatchSelection {
  /** Objects come without them. */
  readonly withoutManagedFields?: boolean;
  /** Nothing but `metadata` of each. */
  readonly metadataOnly?: boolean;
  readonly backOff?: BackOffOptions;
  /** How long the first list may fail while the server is well, until it is told that it counts as unreadable; ms. */
  readonly patience?: number;
  /** Seconds that the server is asked to let a watch live; at random between one and two of these. */
  readonly watchFor?: number;
}

export interface ObjectWatch {
  /** Resolves with the first list, or when the watch is stopped. */
  readonly synced: Promise<void>;
  /** Nothing is told after it. */
  stop(): void;
}

export function watchObjects(
  client: KubernetesClient,
  options: WatchOptions,
  handler: WatchHandler,
): ObjectWatch {
  const watch = new EndlessWatch(client, options, handler);
  void watch.run();
  return watch;
}

/** An end of a watch that is no failure. */
type WatchEnd = "ended" | "too-old";

/** A watch that ends sooner than this, without a word, is a failure. */
const shortest = 1_000;
const mostRefusals = 3;

class EndlessWatch implements ObjectWatch {
  readonly synced: Promise<void>;
  readonly #client: KubernetesClient;
  readonly #options: WatchOptions;
  readonly #handler: WatchHandler;
  readonly #stopped = new AbortController();
  readonly #backOff: BackOff;
  #version: string | undefined;
  #trouble: WatchTrouble | undefined;
  /** Until something was read. */
  #unreadable: UnreadableCount | undefined;
  #refusals = 0;
  #expiries = 0;
  /** The handler may know of some. */
  #hasObjects = false;
  #markSynced!: () => void;

  constructor(client: KubernetesClient, options: WatchOptions, handler: WatchHandler) {
    this.#client = client;
    this.#options = options;
    this.#handler = handler;
    this.#backOff = new BackOff(options.backOff);
    this.#unreadable = new UnreadableCount(client, options.patience ?? 10_000);
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
  }

  stop(): void {
    this.#stopped.abort(new Error("stopped"));
    this.#markSynced();
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const verb = this.#version === undefined ? "list" : "watch";
      try {
        if (verb === "list") await this.#list();
        else await this.#watchOnce();
      } catch (error) {
        if (this.#isStopped) return;
        const failure = asKubernetesError(error, `${verb} ${resourceName(this.#options.type)}`);
        if (failure.code === "KUBERNETES_CLOSED") this.stop();
        else await this.#stumble(failure, verb);
      }
    }
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #list(): Promise<void> {
    let listing: Listing | undefined;
    let count = 0;
    const { resourceVersion } = await this.#client.list(this.#options.type, {
      ...this.#options,
      taker: () => {
        const begun = (listing = this.#newListing());
        count = 0;
        return (page) => {
          count += page.length;
          this.#tell(() => begun.take(page));
        };
      },
      signal: this.#stopped.signal,
    });
    if (this.#isStopped) return;
    this.#version = resourceVersion;
    this.#unreadable = undefined;
    this.#refusals = 0;
    this.#hasObjects = count > 0;
    this.#tell(() => listing?.end());
    // That there is a place for a list says nothing of watches.
    if (this.#trouble?.error.code !== "KUBERNETES_OVERLOADED") this.#recover();
    this.#markSynced();
  }

  #newListing(): Listing {
    const handler = this.#handler;
    if ("listing" in handler) return handler.listing();
    const objects: KubernetesObject[] = [];
    return { take: collectInto(objects), end: () => handler.replaced(objects) };
  }

  async #watchOnce(): Promise<void> {
    const begun = performance.now();
    const end = await this.#watch();
    if (this.#isStopped) return;
    const isShort = performance.now() - begun < shortest;
    if (end === "too-old") {
      this.#version = undefined;
      // Once is usual; a list that is too old at once, again and again, is not.
      if (isShort && this.#expiries++ > 0) await this.#pause();
    } else if (isShort) await this.#pause();
    else this.#backOff.reset();
  }

  /** One watch, from its opening to its end. */
  async #watch(): Promise<WatchEnd> {
    const { type, namespace, labelSelector, fieldSelector, metadataOnly, watchFor = 300 } = this.#options;
    const seconds = Math.ceil(watchFor * (1 + Math.random()));
    const path = withQuery(resourcePath(type, { namespace }), {
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: this.#version,
      timeoutSeconds: seconds,
      labelSelector,
      fieldSelector,
    });
    let answer;
    try {
      answer = await this.#client.open({
        method: "GET",
        path,
        ...(metadataOnly === true && { accept: metadataOf("PartialObjectMetadata") }),
        signal: this.#stopped.signal,
      });
    } catch (error) {
      if (error instanceof KubernetesError && error.isGone) return "too-old";
      throw error;
    }
    this.#recover();
    // A server that forgets to end the watch has perhaps forgotten the watch.
    const limit = setTimeout(() => answer.cancel(), (seconds + 30) * 1_000).unref();
    const lines = new WatchLines();
    const { body, cancel } = answer;
    const opened = performance.now();
    return await new Promise<WatchEnd>((resolve, reject) => {
      let isFinished = false;
      const finish = (settle: () => void) => {
        if (isFinished) return;
        isFinished = true;
        clearTimeout(limit);
        // It lived, though it may have had nothing to tell: refusals before it and after it are not in a row.
        if (performance.now() - opened >= shortest) this.#refusals = 0;
        settle();
        cancel();
      };
      body.on("data", (chunk: Buffer) => {
        // More of the same read may follow what ended it.
        if (isFinished || this.#isStopped) return;
        try {
          const end = this.#take(lines.take(chunk));
          if (lines.isTooLong) throw unreadable("a line has no end");
          if (end !== undefined) finish(() => resolve(end));
        } catch (error) {
          finish(() => reject(error as Error));
        }
      });
      body.on("error", () => undefined);
      body.once("close", () => finish(() => resolve("ended")));
    });
  }

  /** What came together is told together, up to the line that ends it. */
  #take(lines: readonly Buffer[]): WatchEnd | undefined {
    const events: ObjectEvent[] = [];
    let end: WatchEnd | undefined;
    let failure: KubernetesError | undefined;
    for (const line of lines) {
      const read = readLine(this.#options.withoutManagedFields === true ? cutManagedFields(line) : line);
      if (read instanceof KubernetesError) {
        if (read.isGone) end = "too-old";
        else failure = read;
        break;
      }
      this.#version = read.object.metadata.resourceVersion ?? this.#version;
      if (read.type !== "BOOKMARK") {
        events.push({ type: read.type === "DELETED" ? "deleted" : "set", object: read.object });
      }
    }
    if (events.length > 0) {
      this.#backOff.reset();
      this.#refusals = 0;
      this.#expiries = 0;
      this.#hasObjects = true;
      this.#tell(() => this.#handler.changed(events));
    }
    if (failure) throw failure;
    return end;
  }

  async #stumble(error: KubernetesError, verb: "list" | "watch"): Promise<void> {
    if (error.code === "KUBERNETES_BAD_ANSWER" || error.code === "KUBERNETES_OVERLOADED") {
      this.#version = undefined;
    } else if (error.status > 0 && ++this.#refusals >= mostRefusals) this.#version = undefined;
    const isMissing = error.isNotFound && (await this.#isNotServed());
    if (this.#isStopped) return;
    const described = describeTrouble(
      error.isNotFound && !isMissing
        ? new KubernetesError(error.message, { code: "KUBERNETES_UNREACHABLE", cause: error })
        : error,
      verb,
      this.#options,
    );
    this.#say(described);
    if (isMissing) {
      this.#version = undefined;
      if (this.#hasObjects) this.#tell(() => this.#newListing().end());
      this.#hasObjects = false;
    }
    if (await this.#unreadable?.add(error)) this.#say({ ...described, isUnreadable: true });
    await this.#pause(error.retryAfter);
  }

  /** If it is news. What counts as unreadable does so until it is read; the words for it change only with the kind of trouble. */
  #say(found: WatchTrouble): void {
    const { kind, message, isUnreadable } = this.#trouble ?? {};
    if (kind === found.kind && (isUnreadable || (message === found.message && !found.isUnreadable))) return;
    // Whoever waits goes on without what is forbidden where a broken one would be waited for, so a 403 has to count by itself.
    const trouble = isUnreadable && found.kind !== "forbidden" ? { ...found, isUnreadable } : found;
    this.#trouble = trouble;
    this.#tell(() => this.#handler.trouble(trouble));
  }

  async #isNotServed(): Promise<boolean> {
    try {
      return await isNotServed(this.#client, this.#options.type);
    } catch (error) {
      // Somebody who may not ask what is served must take the 404 for what it says.
      return error instanceof KubernetesError && error.isForbidden;
    }
  }

  #recover(): void {
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.#tell(() => this.#handler.trouble(undefined));
  }

  async #pause(atLeastSeconds = 0): Promise<void> {
    const wait = Math.max(this.#backOff.next(), atLeastSeconds * 1_000);
    await sleep(wait, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
  }

  #tell(telling: () => void): void {
    if (this.#isStopped) return;
    tellSafely(telling, this.#handler.fault?.bind(this.#handler));
  }
}

interface WatchLine {
  readonly type: string;
  readonly object: KubernetesObject;
}

function readLine(line: Buffer): WatchLine | KubernetesError {
  let read: Partial<WatchLine> | null;
  try {
    read = JSON.parse(line.toString("utf8")) as Partial<WatchLine> | null;
  } catch {
    return unreadable("a line is not JSON");
  }
  const { type, object } = read ?? {};
  if (type === "ERROR") return readError(object);
  if (typeof type !== "string" || typeof object?.metadata !== "object")
    return unreadable("a line is no event");
  return { type, object };
}

function readError(object: unknown): KubernetesError {
  const { code, reason, message } = (object ?? {}) as { code?: unknown; reason?: unknown; message?: unknown };
  const isGone = code === 410 || reason === "Expired" || reason === "Gone";
  return new KubernetesError(`The watch ended with an error: ${String(message ?? reason ?? code)}`, {
    code: "KUBERNETES_REFUSED",
    status: isGone ? 410 : typeof code === "number" ? code : 500,
    reason: typeof reason === "string" ? reason : "",
  });
}

function unreadable(what: string): KubernetesError {
  return new KubernetesError(`The API server's watch cannot be read: ${what}`, {
    code: "KUBERNETES_BAD_ANSWER",
  });
}

/**
 * Writes statuses, whoever else writes to the same objects: read, merge, write with the version that was read as precondition; if
 * somebody was faster, again.
 *
 * State: per object the last status that is to be written. A later one takes the place of one that still waits. Bounds: so many
 * at once, so many a second; urgent ones go first; one that may wait is written no sooner than a second after the last one of its
 * object, so that a count that changes all the time costs one write a second. What becomes of an attempt:
 *
 *   nothing to change      done, nothing is sent
 *   conflict               the object is read anew, at once
 *   404                    done: there is nothing left to say it of
 *   403                    told once for each type; tried again after a long pause
 *   the status is refused  told; not tried again until there is another
 *   anything else          tried again after a growing pause, for ever
 *
 * While `canWrite` does not hold, what waits is forgotten: whoever may write then has it too.
 */
import { BackOff } from "./back-off.ts";
import type { KubernetesClient } from "./client.ts";
import { asKubernetesError, type KubernetesError } from "./error.ts";
import { resourceName, type KubernetesObject, type ResourceType } from "./object.ts";
import { StatusQueue } from "./status-queue.ts";
import { tellSafely } from "./tell-safely.ts";
import { TokenBucket } from "./token-bucket.ts";

type RawStatus = Readonly<Record<string, unknown>>;

/** What is needed of an object to write its status. */
export interface StatusBase {
  readonly resourceVersion: string | undefined;
  readonly status: RawStatus | undefined;
}

export interface StatusWrite {
  /** Of the object, among all types. */
  readonly key: string;
  readonly type: ResourceType;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Goes before all that are not, however long these wait; for objects of which there are few. */
  readonly isUrgent?: boolean;
  /** The object as last seen: it saves reading it. A guess that is too old costs a conflict and no more. */
  readonly known: () => StatusBase | undefined;
  /** The status to be; the one that was given if there is nothing to change. Must not throw. */
  readonly merge: (status: RawStatus | undefined) => RawStatus | undefined;
  /** Whether nobody misses this change of the status for a second. */
  readonly mayWait?: (before: RawStatus, after: RawStatus) => boolean;
  /** It was written. */
  readonly written?: (before: RawStatus | undefined, object: KubernetesObject) => void;
  /** It is not pending any more, unless another has taken its place: there was nothing to write, or it was written. */
  readonly ended?: () => void;
}

export interface StatusWriterOptions {
  readonly canWrite: () => boolean;
  /** At once. */
  readonly concurrency?: number;
  readonly perSecond?: number;
  readonly burst?: number;
  /** What a person should know of; once for each type and reason. */
  readonly trouble?: (message: string, error: KubernetesError) => void;
  readonly fault?: (error: unknown) => void;
}

export interface StatusWriter {
  write(write: StatusWrite): void;
  /** The object is gone. */
  forget(key: string): void;
  isPending(key: string): boolean;
  /** Statuses that are not written yet. */
  readonly pending: number;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
  /** What is under way is finished, what waits is forgotten. */
  stop(): Promise<void>;
}

export function statusWriter(client: KubernetesClient, options: StatusWriterOptions): StatusWriter {
  return new QueuedStatusWriter(client, options);
}

const patchOptions = { subresource: "status", withoutManagedFields: true } as const;

/** ms from one write of an object to the next that may wait. */
const restAfterWrite = 1_000;

/** Conflicts in a row, after which there is a pause. */
const mostConflicts = 5;

class QueuedStatusWriter implements StatusWriter {
  readonly #client: KubernetesClient;
  readonly #options: StatusWriterOptions;
  readonly #concurrency: number;
  readonly #bucket: TokenBucket;
  readonly #ready = new StatusQueue<StatusWrite>();
  readonly #underWay = new Set<string>();
  /** Those that failed, until they are ready again. */
  readonly #paused = new Map<string, { write: StatusWrite; readonly timer: NodeJS.Timeout }>();
  readonly #backOffs = new Map<string, BackOff>();
  /** Those of objects with changes that may wait, until they may be written again. */
  readonly #resting = new Map<string, { readonly until: number; timer: NodeJS.Timeout | undefined }>();
  readonly #told = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];
  #isStopped = false;

  constructor(client: KubernetesClient, options: StatusWriterOptions) {
    this.#client = client;
    this.#options = options;
    this.#concurrency = options.concurrency ?? 32;
    const perSecond = options.perSecond ?? 500;
    this.#bucket = new TokenBucket(perSecond, options.burst ?? perSecond);
  }

  get pending(): number {
    return this.#ready.size + this.#underWay.size + this.#paused.size;
  }

  isPending(key: string): boolean {
    return this.#ready.has(key) || this.#underWay.has(key) || this.#paused.has(key);
  }

  write(write: StatusWrite): void {
    if (this.#isStopped || !this.#options.canWrite()) return;
    const paused = this.#paused.get(write.key);
    if (paused) paused.write = write;
    else this.#ready.put(write);
    this.#wake(write.key);
    this.#pump();
  }

  forget(key: string): void {
    this.#ready.delete(key);
    clearTimeout(this.#paused.get(key)?.timer);
    this.#paused.delete(key);
    this.#backOffs.delete(key);
    this.#wake(key);
    this.#resting.delete(key);
    this.#tellIfSettled();
  }

  settled(): Promise<void> {
    if (this.pending === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#drop();
    await this.settled();
  }

  #pump(): void {
    if (!this.#options.canWrite()) this.#drop();
    for (const write of this.#ready) {
      const { key } = write;
      if (this.#underWay.size >= this.#concurrency || this.#timer) return;
      // It follows when the one before it has ended.
      if (this.#underWay.has(key) || this.#resting.get(key)?.timer) continue;
      const step = stepOf(write);
      if (step === "none") {
        this.#ready.delete(key);
        continue;
      }
      if (step?.mayWait && this.#rests(key)) continue;
      // One that must wait keeps its place.
      const wait = this.#bucket.take();
      if (wait > 0) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#pump();
        }, wait);
        return;
      }
      this.#ready.delete(key);
      this.#underWay.add(key);
      void this.#attempt(write, step);
    }
    this.#tellIfSettled();
  }

  /** True: its object was written a moment ago, and it comes up again in time. */
  #rests(key: string): boolean {
    const rest = this.#resting.get(key);
    const wait = rest ? rest.until - performance.now() : 0;
    if (!rest || wait <= 0) return false;
    rest.timer = setTimeout(() => {
      this.#wake(key);
      this.#pump();
    }, wait);
    return true;
  }

  #wake(key: string): void {
    const rest = this.#resting.get(key);
    if (!rest?.timer) return;
    clearTimeout(rest.timer);
    rest.timer = undefined;
  }

  async #attempt(write: StatusWrite, step: Step | undefined): Promise<void> {
    const { key } = write;
    let failure: KubernetesError | undefined;
    try {
      await this.#writeOnce(write, step);
      this.#backOffs.delete(key);
    } catch (error) {
      failure = asKubernetesError(error, `writing the status of ${key}`);
    }
    this.#underWay.delete(key);
    if (failure) this.#stumble(write, failure);
    else this.#report(() => write.ended?.());
    this.#pump();
  }

  async #writeOnce(write: StatusWrite, known: Step | undefined): Promise<void> {
    const { key, type, name, namespace, mayWait, written } = write;
    let step = known;
    for (let conflicts = 0; ; conflicts++, step = undefined) {
      if (!step) {
        const live = await this.#client.get(type, name, namespace);
        const found = live && stepFrom(baseOf(live), write);
        if (!found || found === "none") return;
        step = found;
      }
      const { status, resourceVersion, merged } = step;
      if (!this.#options.canWrite()) return;
      try {
        const patch = { metadata: { resourceVersion }, status: changedFields(status, merged) };
        const object = await this.#client.patch(type, name, namespace, patch, patchOptions);
        if (mayWait) this.#resting.set(key, { until: performance.now() + restAfterWrite, timer: undefined });
        this.#report(() => written?.(status, object));
        return;
      } catch (thrown) {
        const error = asKubernetesError(thrown, `writing the status of ${name}`);
        if (error.isNotFound) return;
        if (!error.isConflict || conflicts >= mostConflicts) throw error;
      }
    }
  }

  #stumble(write: StatusWrite, error: KubernetesError): void {
    const { key, type } = write;
    if (error.isForbidden) {
      this.#tellOnce(
        `${resourceName(type)} 403`,
        `May not write the status of ${resourceName(type)}: a role must allow patch on ${type.plural}/status (${error.message})`,
        error,
      );
    } else if (error.isInvalid) {
      this.#tellOnce(
        `${key} ${error.message}`,
        `The API server refuses our status of ${key}: ${error.message}`,
        error,
      );
      return;
    }
    // A newer one may wait already.
    const latest = this.#ready.get(key) ?? write;
    this.#ready.delete(key);
    if (this.#isStopped || !this.#options.canWrite()) return;
    const backOff = this.#backOffs.get(key) ?? new BackOff({ first: 500, longest: 10_000 });
    this.#backOffs.set(key, backOff);
    const wait = error.isForbidden ? 30_000 : Math.max(backOff.next(), (error.retryAfter ?? 0) * 1_000);
    const timer = setTimeout(() => {
      const paused = this.#paused.get(key);
      this.#paused.delete(key);
      if (paused) this.#ready.put(paused.write);
      this.#pump();
    }, wait);
    this.#paused.set(key, { write: latest, timer });
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ready.clear();
    for (const { timer } of this.#paused.values()) clearTimeout(timer);
    this.#paused.clear();
    this.#backOffs.clear();
    for (const key of this.#resting.keys()) this.#wake(key);
    this.#resting.clear();
    this.#tellIfSettled();
  }

  #tellIfSettled(): void {
    if (this.pending > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #tellOnce(what: string, message: string, error: KubernetesError): void {
    if (this.#told.has(what)) return;
    if (this.#told.size > 1_000) this.#told.clear();
    this.#told.add(what);
    this.#report(() => this.#options.trouble?.(message, error));
  }

  #report(telling: () => void): void {
    tellSafely(telling, this.#options.fault);
  }
}

/** From what stands to what is to. */
interface Step extends StatusBase {
  readonly merged: RawStatus;
  /** Nobody misses it for a second. */
  readonly mayWait: boolean;
}

/** Most statuses of a restarted controller stand already: they cost no request, and no place among those that do. Undefined: the object is not known. */
function stepOf(write: StatusWrite): Step | "none" | undefined {
  const base = write.known();
  return base?.resourceVersion === undefined ? undefined : stepFrom(base, write);
}

function stepFrom({ status, resourceVersion }: StatusBase, { merge, mayWait }: StatusWrite): Step | "none" {
  const merged = merge(status);
  if (merged === undefined || merged === status) return "none";
  return {
    status,
    resourceVersion,
    merged,
    mayWait: status !== undefined && mayWait?.(status, merged) === true,
  };
}

function baseOf(object: KubernetesObject): StatusBase {
  const { status, metadata } = object;
  return { resourceVersion: metadata.resourceVersion, status: status as RawStatus | undefined };
}

/** Lists are replaced as a whole by a merge patch, which is why the precondition matters. */
function changedFields(before: RawStatus | undefined, after: RawStatus): RawStatus {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(after)) {
    if (before?.[name] !== value) fields[name] = value;
  }
  for (const name of Object.keys(before ?? {})) if (!Object.hasOwn(after, name)) fields[name] = null;
  return fields;
}

/**
 * What we have to say of each object, and that it stands there: written when it is new, when somebody else took it away, and all
 * of it when we become the leader. What stands already is not written.
 */
import {
  statusWriter,
  type EventRecorder,
  type KubernetesClient,
  type KubernetesError,
  type KubernetesObject,
  type ResourceType,
  type StatusWrite,
  type StatusWriter,
} from "../../kubernetes/index.ts";
import { apiVersionOf, type RawStatus, type ResourceKind } from "../../resources/index.ts";
import { mergeStatus, onlyCountsDiffer, type ObjectStatus } from "../../status/index.ts";
import type { ObservedObject } from "./observed-objects.ts";
import { newRefusals } from "./refusals.ts";

export interface SaidStatusesOptions {
  readonly client: KubernetesClient;
  readonly canWrite: () => boolean;
  readonly postpone: ((before: RawStatus, after: RawStatus) => boolean) | undefined;
  readonly recorder: EventRecorder | undefined;
  readonly perSecond: number | undefined;
  readonly concurrency: number | undefined;
  readonly typeOf: (kind: ResourceKind) => ResourceType | undefined;
  readonly find: (
    kind: ResourceKind,
    namespace: string | undefined,
    name: string,
  ) => ObservedObject | undefined;
  readonly noteWritten: (kind: ResourceKind, object: KubernetesObject) => void;
  readonly trouble: (message: string, error: KubernetesError) => void;
  readonly fault: (error: unknown) => void;
}

/** One object has a status for each controller name of ours that it has parents of. */
type Said = readonly [ObjectStatus, ...ObjectStatus[]];

/** Where clients find a Gateway must not be told after ten thousand routes. */
const urgentKinds: ReadonlySet<ResourceKind> = new Set(["GatewayClass", "Gateway"]);

/** Statuses with counts in them, which change with every route that comes and goes. */
const countingKinds: ReadonlySet<ResourceKind> = new Set(["Gateway", "ListenerSet"]);

/** Two who undo each other's work on an object do so no more often than this, ms. */
const mendEvery = 5_000;

export class SaidStatuses {
  readonly #options: SaidStatusesOptions;
  readonly #writer: StatusWriter;
  /** By `<Kind>/<namespace>/<name>`, or `<Kind>/<name>`. */
  readonly #said = new Map<string, Said>();
  readonly #mending = new Map<string, NodeJS.Timeout>();
  /** Seen while a write of theirs was pending, which may have been told of already, and undone. */
  readonly #seenMeanwhile = new Set<string>();
  /** Remarks that an Event was made of, by key of the object. */
  readonly #told = new Map<string, ReadonlySet<string>>();

  constructor(options: SaidStatusesOptions) {
    this.#options = options;
    const { client, canWrite, perSecond, concurrency, trouble, fault } = options;
    this.#writer = statusWriter(client, {
      canWrite,
      trouble,
      fault,
      ...(perSecond === undefined ? {} : { perSecond }),
      ...(concurrency === undefined ? {} : { concurrency }),
    });
  }

  say(statuses: readonly ObjectStatus[]): void {
    for (const status of statuses) {
      const before = this.#said.get(status.key);
      this.#said.set(status.key, before ? withStatus(before, status) : [status]);
      this.#write(status.key);
    }
  }

  /** We became the leader: what others left undone is done. */
  sayAllAgain(): void {
    for (const key of this.#said.keys()) this.#write(key);
  }

  /** The object has another status than before; perhaps without our words. */
  seen(key: string): void {
    const said = this.#said.get(key);
    if (!said || this.#mending.has(key) || !this.#options.canWrite()) return;
    if (this.#writer.isPending(key)) {
      this.#seenMeanwhile.add(key);
      return;
    }
    const [{ kind, namespace, name }] = said;
    const observed = this.#options.find(kind, namespace, name);
    if (!observed || this.#merged(said, observed.status) === observed.status) return;
    this.#write(key);
    const timer = setTimeout(() => {
      this.#mending.delete(key);
      this.seen(key);
    }, mendEvery);
    this.#mending.set(key, timer.unref());
  }

  gone(key: string): void {
    this.#said.delete(key);
    this.#told.delete(key);
    this.#seenMeanwhile.delete(key);
    clearTimeout(this.#mending.get(key));
    this.#mending.delete(key);
    this.#writer.forget(key);
  }

  settled(): Promise<void> {
    return this.#writer.settled();
  }

  async stop(): Promise<void> {
    for (const timer of this.#mending.values()) clearTimeout(timer);
    await this.#writer.stop();
  }

  #write(key: string): void {
    const write = this.#options.canWrite() ? this.#writeOf(key) : undefined;
    if (!write) return;
    this.#writer.write(write);
    this.#recordRemarks(write);
  }

  /** What the status of an object has no place for. Each is told when it is new. */
  #recordRemarks({ key, type, namespace, name }: StatusWrite): void {
    const { recorder, find } = this.#options;
    const said = this.#said.get(key)?.flatMap(({ content }) => ("remarks" in content ? content.remarks : []));
    const kind = type.kind as ResourceKind;
    const observed = find(kind, namespace, name);
    if (!recorder || !said || !observed || (said.length === 0 && !this.#told.has(key))) return;
    const { uid, resourceVersion } = observed;
    const texts = new Map(said.map((one) => [`${one.reason} ${one.field}: ${one.message}`, one] as const));
    for (const [text, { reason, field, message }] of texts) {
      if (this.#told.get(key)?.has(text)) continue;
      recorder.record({
        object: {
          apiVersion: apiVersionOf(type.group, type.version),
          kind,
          name,
          namespace,
          uid,
          resourceVersion,
        },
        type: "Warning",
        reason,
        message: `${field}: ${message}`,
      });
    }
    this.#told.set(key, new Set(texts.keys()));
  }

  #writeOf(key: string): StatusWrite | undefined {
    const { typeOf, find, noteWritten } = this.#options;
    const said = this.#said.get(key);
    const [first] = said ?? [];
    const type = first && typeOf(first.kind);
    if (!said || !first || !type) return undefined;
    const { kind, namespace, name } = first;
    return {
      key,
      type,
      name,
      namespace,
      isUrgent: urgentKinds.has(kind),
      known: () => find(kind, namespace, name),
      merge: (status) => this.#merged(this.#said.get(key) ?? said, status),
      ...(countingKinds.has(kind) && { mayWait: onlyCountsDiffer }),
      written: (before, object) => {
        noteWritten(kind, object);
        // What was seen meanwhile was this.
        const { resourceVersion } = object.metadata;
        if (find(kind, namespace, name)?.resourceVersion === resourceVersion) this.#seenMeanwhile.delete(key);
        this.#recordRefusals(said, before, object);
      },
      ended: () => {
        if (this.#seenMeanwhile.delete(key)) this.seen(key);
      },
    };
  }

  #merged(said: Said, status: RawStatus | undefined): RawStatus | undefined {
    const after = merged(said, status);
    return status && after && after !== status && this.#options.postpone?.(status, after) ? status : after;
  }

  #recordRefusals(said: Said, before: RawStatus | undefined, object: KubernetesObject): void {
    const { recorder } = this.#options;
    if (!recorder) return;
    const names = new Set(
      said.flatMap(({ content }) => ("controllerName" in content ? [content.controllerName] : [])),
    );
    const { apiVersion, kind, metadata } = object;
    const { name, namespace, uid, resourceVersion } = metadata;
    for (const { reason, message } of newRefusals(before, object["status"] as RawStatus | undefined, names)) {
      recorder.record({
        object: { apiVersion, kind, name, namespace, uid, resourceVersion },
        type: "Warning",
        reason,
        message,
      });
    }
  }
}

/** The same object if all of it stands already. */
function merged(said: Said, status: RawStatus | undefined): RawStatus | undefined {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const before = status ?? nothing;
  const after = said.reduce<RawStatus>((sum, each) => mergeStatus(sum, each, now), before);
  return after === before ? status : after;
}

const nothing: RawStatus = {};

function withStatus(said: Said, status: ObjectStatus): Said {
  const [first, ...others] = said.filter((each) => nameOf(each) !== nameOf(status));
  return first ? [first, ...others, status] : [status];
}

function nameOf({ content }: ObjectStatus): string {
  return "controllerName" in content ? content.controllerName : "";
}

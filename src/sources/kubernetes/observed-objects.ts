/**
 * The objects of one watch, from raw to read. What the API server has accepted and we cannot read becomes a problem, and the
 * version before it stays in force. An event that changes nothing but the status (usually our own words, come back)
 * is noted for the next status, but not handed over: nothing follows from it.
 */
import { deepEqual } from "../../incremental/index.ts";
import {
  isOlderVersion,
  type KubernetesObject,
  type Listing,
  type ObjectEvent,
  type ResourceType,
  type StatusBase,
} from "../../kubernetes/index.ts";
import {
  formatPath,
  parseResource,
  type RawStatus,
  type Resource,
  type ResourceKind,
} from "../../resources/index.ts";
import type { SourceProblem } from "../source.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { UnreadObjects } from "./unread-objects.ts";

/** Kubectl's copy of the whole object. Nobody reads it, and it is as large as the rest. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

export interface ObservedObject extends StatusBase {
  /** The last version that could be read; undefined: there was none. */
  resource: Resource | undefined;
  uid: string | undefined;
  resourceVersion: string | undefined;
  generation: number | undefined;
  status: RawStatus | undefined;
}

export interface ObservedObjectsOptions {
  readonly kind: ResourceKind;
  readonly feed: ChangeFeed;
  readonly unread: UnreadObjects;
  /** Something about an object that is known changed, if only its status. */
  readonly onSeen: (key: string) => void;
  readonly onGone: (key: string) => void;
}

export class ObservedObjects {
  readonly #options: ObservedObjectsOptions;
  readonly #objects = new Map<string, ObservedObject>();
  /** As it is served. */
  #type: ResourceType;

  constructor(options: ObservedObjectsOptions, type: ResourceType) {
    this.#options = options;
    this.#type = type;
  }

  get type(): ResourceType {
    return this.#type;
  }

  /** Served in another version from now on. */
  set type(type: ResourceType) {
    this.#type = type;
  }

  /** By `namespace/name`, or `name`. */
  get(key: string): ObservedObject | undefined {
    return this.#objects.get(key);
  }

  replace(objects: readonly KubernetesObject[]): void {
    const listing = this.listing();
    listing.take(objects);
    listing.end();
  }

  /** What is new or changed counts at once; what is gone is known at the end. */
  listing(): Listing {
    const gone = new Set(this.#objects.keys());
    return {
      take: (objects) => {
        for (const object of objects) {
          gone.delete(keyOf(object));
          this.#set(object);
        }
      },
      end: () => {
        for (const key of gone) this.#delete(key);
      },
    };
  }

  change(events: readonly ObjectEvent[]): void {
    for (const { type, object } of events) {
      if (type === "set") this.#set(object);
      else this.#delete(keyOf(object));
    }
  }

  /** The answer to a write of ours: the version that the next one builds on, unless a later one was told of already. */
  noteWritten(object: KubernetesObject): void {
    const known = this.#objects.get(keyOf(object));
    const { generation, uid, resourceVersion } = object.metadata;
    if (!known || known.uid !== uid || known.generation !== generation) return;
    if (isOlderVersion(resourceVersion, known.resourceVersion)) return;
    known.resourceVersion = resourceVersion;
    known.status = statusOf(object);
  }

  #set(object: KubernetesObject): void {
    const { metadata } = object;
    const key = keyOf(object);
    const known = this.#objects.get(key);
    if (known !== undefined && known.uid === metadata.uid) {
      if (known.resourceVersion === metadata.resourceVersion && known.generation === metadata.generation)
        return;
      if (isStatusAlone(known, object)) {
        known.resourceVersion = metadata.resourceVersion;
        known.status = statusOf(object);
        this.#options.onSeen(key);
        return;
      }
    }
    this.#read(key, object, known);
  }

  #read(key: string, object: KubernetesObject, known: ObservedObject | undefined): void {
    const { kind, feed, unread, onSeen } = this.#options;
    const { metadata } = object;
    if (metadata.annotations?.[lastApplied] !== undefined) {
      delete (metadata.annotations as Record<string, string>)[lastApplied];
    }
    const parsed = parseResource(object, { unknownFields: "ignore", ownsInput: true });
    const about = `${kind}/${key}`;
    // A new object of an old name is not a new version of the old one.
    const before = known?.uid === metadata.uid ? known : undefined;
    const lastGood = before?.resource;
    const resource = parsed.outcome === "resource" ? parsed.resource : lastGood;
    this.#objects.set(key, {
      resource,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      generation: metadata.generation,
      status: statusOf(object),
    });
    if (parsed.outcome === "resource") {
      feed.setProblems(about, []);
      unread.forget(about);
      feed.change({ kind, key, resource });
    } else {
      const found =
        parsed.outcome === "invalid"
          ? parsed.problems
          : [{ path: [], message: "is of a kind that is not read" }];
      const origin = this.#origin(key);
      const problems = found.map(({ path, message }): SourceProblem => ({
        severity: "error",
        origin,
        object: `${kind} ${key}`,
        ...(path.length > 0 ? { field: formatPath(path) } : {}),
        message,
        ...(resource ? { lastGoodInForce: true } : {}),
      }));
      feed.setProblems(about, problems);
      unread.note(about, object, problems);
      if (!resource && known?.resource) feed.change({ kind, key, resource: undefined });
    }
    // Of a new generation there will be more to say than whether the words about the one before still stand.
    const isJudgedAnew = parsed.outcome === "resource" && before && before.generation !== metadata.generation;
    if (!isJudgedAnew) onSeen(key);
  }

  #delete(key: string): void {
    const known = this.#objects.get(key);
    if (!known) return;
    const { kind, feed, unread, onGone } = this.#options;
    this.#objects.delete(key);
    unread.forget(`${kind}/${key}`);
    feed.setProblems(`${kind}/${key}`, []);
    if (known.resource) feed.change({ kind, key, resource: undefined });
    onGone(key);
  }

  #origin(key: string): string {
    const { group, version, plural } = this.#type;
    return `${group === "" ? version : `${group}/${version}`}/${plural}/${key}`;
  }
}

/** The server counts generations, except for metadata and status. */
function isStatusAlone({ resource, generation }: ObservedObject, { metadata }: KubernetesObject): boolean {
  if (!resource || generation === undefined || generation !== metadata.generation) return false;
  const before = resource.metadata;
  return (
    before.deletionTimestamp === metadata.deletionTimestamp &&
    sameTexts(before.labels, metadata.labels ?? {}) &&
    sameTexts(before.annotations, metadata.annotations ?? {}) &&
    deepEqual(before.ownerReferences ?? [], metadata.ownerReferences ?? [])
  );
}

function sameTexts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  let count = 0;
  for (const name of Object.keys(b)) {
    if (name === lastApplied) continue;
    if (!Object.hasOwn(a, name) || a[name] !== b[name]) return false;
    count++;
  }
  return count === Object.keys(a).length;
}

function statusOf({ status }: KubernetesObject): RawStatus | undefined {
  return typeof status === "object" && status !== null ? (status as RawStatus) : undefined;
}

export function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

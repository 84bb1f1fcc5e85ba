/**
 * Secrets and ConfigMaps, of which only those are read that somebody refers to with permission: one watch for each, by its
 * name. They share a connection, and so many are asked for at once.
 *
 * Nothing is programmed or said while one is not read yet. One that cannot be read must not keep all others waiting, for ever: it
 * counts as missing when it is certain that it, and not the server, is what fails (`../../kubernetes/unreadable.ts`). One that was read once
 * keeps its last good version, whatever becomes of its watch.
 */
import {
  watchObjects,
  type KubernetesClient,
  type ObjectWatch,
  type WatchTrouble,
} from "../../kubernetes/index.ts";
import { kinds, type ResourceKind } from "../../resources/index.ts";
import type { SourceProblem, WantedObject } from "../source.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { ObservedObjects } from "./observed-objects.ts";
import type { UnreadObjects } from "./unread-objects.ts";

export interface ReferencesOptions {
  readonly client: KubernetesClient;
  readonly feed: ChangeFeed;
  readonly unread: UnreadObjects;
  /** Absent: all. */
  readonly namespaces: readonly string[] | undefined;
  /** How long one that cannot be read keeps the others waiting while the server is well, ms. */
  readonly patience: number | undefined;
  readonly fault: (error: unknown) => void;
}

interface Reference {
  readonly wanted: WantedObject;
  readonly observed: ObservedObjects;
  watch: ObjectWatch | undefined;
  isDropped: boolean;
}

const mostOpening = 32;

export class References {
  readonly #options: ReferencesOptions;
  readonly #references = new Map<string, Reference>();
  #opening = 0;
  readonly #queue: (() => void)[] = [];

  constructor(options: ReferencesOptions) {
    this.#options = options;
  }

  /** Resolves when what is there of the added ones was handed over. */
  async want(added: readonly WantedObject[], removed: readonly WantedObject[]): Promise<void> {
    for (const wanted of removed) this.#drop(wanted);
    await Promise.all(added.map((wanted) => this.#add(wanted)));
    this.#options.feed.flush();
  }

  stop(): void {
    for (const reference of this.#references.values()) end(reference);
    this.#references.clear();
    for (const begin of this.#queue.splice(0)) begin();
  }

  async #add(wanted: WantedObject): Promise<void> {
    const { feed, unread, namespaces } = this.#options;
    const key = keyOf(wanted);
    const kind = wanted.kind as ResourceKind;
    const definition = kinds.get(kind);
    if (!definition || this.#references.has(key)) return;
    const { group, version, plural, namespaced } = definition;
    const type = { group, version, plural, kind, namespaced };
    const nothing = () => undefined;
    const observed = new ObservedObjects({ kind, feed, unread, onSeen: nothing, onGone: nothing }, type);
    const reference: Reference = { wanted, observed, watch: undefined, isDropped: false };
    this.#references.set(key, reference);
    if (namespaces && !namespaces.includes(wanted.namespace)) {
      feed.setProblems(key, [this.#problem(wanted, "its namespace is not among those that are watched")]);
      return;
    }
    await this.#place();
    const leave = once(() => {
      this.#opening--;
      this.#queue.shift()?.();
    });
    try {
      if (!reference.isDropped) await this.#open(reference, leave);
    } finally {
      leave();
    }
  }

  /** One that has failed takes no place from those that were not asked for yet. */
  #open(reference: Reference, onFailure: () => void): Promise<void> {
    const { client, feed, patience, fault } = this.#options;
    const { wanted, observed } = reference;
    const { namespace, name } = wanted;
    // Of the watch, not of the object, which may have problems of its own.
    const about = `watch ${keyOf(wanted)}`;
    return new Promise((resolve) => {
      reference.watch = watchObjects(
        client,
        {
          type: observed.type,
          namespace,
          fieldSelector: `metadata.name=${name}`,
          ...(patience === undefined ? {} : { patience }),
        },
        {
          replaced: (objects) => observed.replace(objects.filter(({ metadata }) => metadata.name === name)),
          changed: (events) => observed.change(events.filter(({ object }) => object.metadata.name === name)),
          trouble: (trouble: WatchTrouble | undefined) => {
            feed.setProblems(about, trouble ? [this.#problem(wanted, messageOf(trouble), trouble)] : []);
            if (trouble) onFailure();
            if (trouble?.isUnreadable) resolve();
          },
          fault,
        },
      );
      void reference.watch.synced.then(resolve);
    });
  }

  /** That it cannot be reached says nothing against the object; that we may not read it, or cannot, does. */
  #problem({ kind, namespace, name }: WantedObject, message: string, trouble?: WatchTrouble): SourceProblem {
    const isOfObject = trouble === undefined || trouble.kind === "forbidden" || trouble.isUnreadable === true;
    return {
      severity: isOfObject ? "error" : "warning",
      origin: this.#options.client.server,
      object: `${kind} ${namespace}/${name}`,
      message,
    };
  }

  #drop(wanted: WantedObject): void {
    const key = keyOf(wanted);
    const reference = this.#references.get(key);
    if (!reference) return;
    this.#references.delete(key);
    end(reference);
    reference.observed.replace([]);
    this.#options.feed.setProblems(`watch ${key}`, []);
    this.#options.feed.setProblems(key, []);
  }

  async #place(): Promise<void> {
    if (this.#opening >= mostOpening) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#opening++;
  }
}

/** It stands in a status: `Secret shop/tls is not valid (…)`. */
function messageOf({ kind, message, error, isUnreadable }: WatchTrouble): string {
  return isUnreadable && kind !== "forbidden" ? `cannot be read: ${error.message}` : message;
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}

function end(reference: Reference): void {
  reference.isDropped = true;
  reference.watch?.stop();
}

function keyOf({ kind, namespace, name }: WantedObject): string {
  return `${kind}/${namespace}/${name}`;
}

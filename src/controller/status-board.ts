import type { Change } from "../incremental/index.ts";
import type { RawStatus, Resource } from "../resources/index.ts";
import { mergeStatus, type ObjectStatus } from "../status/index.ts";

/** Said, but not merged yet. */
interface Said {
  readonly status: ObjectStatus;
  readonly at: string;
}

/**
 * The statuses as they stand on the objects: what we say, merged into what was there. The last that was said of an object is
 * merged only when somebody looks or when more is said: most objects of a large folder are never looked at.
 */
export class StatusBoard {
  /** By key of the object. */
  readonly #merged = new Map<string, RawStatus>();
  readonly #said = new Map<string, Said>();
  readonly #find: (status: ObjectStatus) => Resource | undefined;
  readonly #now: () => string;

  constructor(find: (status: ObjectStatus) => Resource | undefined, now: () => string) {
    this.#find = find;
    this.#now = now;
  }

  /** Takes over what changed; answers with what is to be written. */
  update(changes: ReadonlyMap<string, Change<ObjectStatus>>): ObjectStatus[] {
    const toWrite: ObjectStatus[] = [];
    const now = this.#now();
    for (const { before, after } of changes.values()) {
      const status = after ?? (before && withoutEntries(before));
      const resource = status && this.#find(status);
      if (!resource) {
        if (before) this.#forget(before.key);
        continue;
      }
      this.#merge(status.key);
      this.#said.set(status.key, { status, at: now });
      toWrite.push(status);
    }
    return toWrite;
  }

  /** By `<Kind>/<namespace>/<name>`, as kubectl would show it. */
  statusOf(key: string): RawStatus | undefined {
    this.#merge(key);
    return this.#merged.get(key);
  }

  #merge(key: string): void {
    const said = this.#said.get(key);
    if (!said) return;
    const { status, at } = said;
    this.#said.delete(key);
    this.#merged.set(key, mergeStatus(this.#merged.get(key) ?? this.#find(status)?.status, status, at));
  }

  #forget(key: string): void {
    this.#merged.delete(key);
    this.#said.delete(key);
  }
}

/** What is left to say of an object that is no longer ours: its entries go. The conditions of a Gateway that went elsewhere stay. */
function withoutEntries(status: ObjectStatus): ObjectStatus | undefined {
  const { content } = status;
  return "entries" in content ? { ...status, content: { ...content, entries: [] } } : undefined;
}

import type { Change } from "../incremental/index.ts";
import type { RawStatus, Resource } from "../resources/index.ts";
import { mergeStatus, type ObjectStatus } from "../status/index.ts";

/** The statuses as they stand on the objects: what we say, merged into what was there. */
export class StatusBoard {
  /** By key of the object. */
  readonly #statuses = new Map<string, RawStatus>();
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
        if (before) this.#statuses.delete(before.key);
        continue;
      }
      this.#statuses.set(
        status.key,
        mergeStatus(this.#statuses.get(status.key) ?? resource.status, status, now),
      );
      toWrite.push(status);
    }
    return toWrite;
  }

  /** By `<Kind>/<namespace>/<name>`, as kubectl would show it. */
  statusOf(key: string): RawStatus | undefined {
    return this.#statuses.get(key);
  }
}

/** What is left to say of an object that is no longer ours: its entries go. The conditions of a Gateway that went elsewhere stay. */
function withoutEntries(status: ObjectStatus): ObjectStatus | undefined {
  const { content } = status;
  return "entries" in content ? { ...status, content: { ...content, entries: [] } } : undefined;
}

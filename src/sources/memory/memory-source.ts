import { resourceKey, type Resource, type ResourceKind } from "../../resources/index.ts";
import type { ObjectStatus } from "../../status/index.ts";
import type { ResourceChange, Source, SourceSink } from "../source.ts";

export interface MemoryBatch {
  /** Adds an object or replaces the one of the same kind and name. */
  set(resource: Resource): void;
  /** `key`: `namespace/name`, or `name` for cluster-scoped kinds. */
  delete(kind: ResourceKind, key: string): void;
}

/** Objects from the program itself: for tests, and for those who have objects from elsewhere. */
export interface MemorySource extends Source, MemoryBatch {
  /** What is done inside is handed over in one call. */
  batch(change: (batch: MemoryBatch) => void): void;
  /** What was last written, by `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` without a namespace. */
  readonly statuses: ReadonlyMap<string, ObjectStatus>;
}

export function memorySource(initial: readonly Resource[] = []): MemorySource {
  const objects = new Map<string, Resource>();
  const statuses = new Map<string, ObjectStatus>();
  /** Changes of the batch that is open, by object: the last one counts. */
  let open: Map<string, ResourceChange> | undefined;
  let sink: SourceSink | undefined;

  function note(change: ResourceChange): void {
    const id = `${change.kind}/${change.key}`;
    if (change.resource === undefined) {
      if (!objects.delete(id)) return;
      statuses.delete(id);
    } else objects.set(id, change.resource);
    if (open !== undefined) open.set(id, change);
    else sink?.apply([change]);
  }

  const batchOf = {
    set: (resource: Resource) => note({ kind: resource.kind, key: resourceKey(resource), resource }),
    delete: (kind: ResourceKind, key: string) => note({ kind, key, resource: undefined }),
  };
  for (const resource of initial) batchOf.set(resource);

  return {
    name: "memory",
    statuses,
    ...batchOf,
    batch(change) {
      const isInner = open !== undefined;
      const changes = (open ??= new Map());
      try {
        change(batchOf);
      } finally {
        // Also when it threw: the objects have changed up to there.
        if (!isInner) {
          open = undefined;
          if (changes.size > 0) sink?.apply([...changes.values()]);
        }
      }
    },
    async start(to) {
      sink = to;
      to.apply(
        [...objects.values()].map((resource) => ({
          kind: resource.kind,
          key: resourceKey(resource),
          resource,
        })),
      );
    },
    async writeStatuses(written) {
      for (const status of written) if (objects.has(status.key)) statuses.set(status.key, status);
    },
    async stop() {
      sink = undefined;
    },
  };
}

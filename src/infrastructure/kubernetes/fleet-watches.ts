import type { KubernetesObject, ResourceType } from "../../kubernetes/index.ts";
import { managedByLabel, managedByValue } from "./fleet-names.ts";
import type { ObservedObjects } from "./observed-objects.ts";
import { fleetTypes, pods } from "./resource-types.ts";

/** `watchObjects` of `src/kubernetes`, with its client given. */
export type WatchObjects = (
  selection: {
    readonly type: ResourceType;
    readonly namespace?: string;
    readonly labelSelector?: string;
  },
  handler: WatchHandler,
) => { readonly synced: Promise<void>; stop(): unknown };

export interface WatchHandler {
  replaced(objects: readonly KubernetesObject[]): void;
  changed(events: readonly { readonly type: "set" | "deleted"; readonly object: KubernetesObject }[]): void;
  trouble(trouble: { readonly message: string } | undefined): void;
}

export interface FleetWatchesOptions {
  readonly watch: WatchObjects;
  readonly observed: ObservedObjects;
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly changed: (type: ResourceType, fleetKeys: readonly string[]) => void;
  readonly troubled: () => void;
}

/** Follows everything that has our label. */
export class FleetWatches {
  readonly #options: FleetWatchesOptions;
  readonly #troubles = new Map<string, string>();
  #watches: readonly ReturnType<WatchObjects>[] = [];

  constructor(options: FleetWatchesOptions) {
    this.#options = options;
  }

  start(): void {
    const namespaces = this.#options.namespaces ?? [undefined];
    this.#watches = [...fleetTypes, pods].flatMap((type) =>
      namespaces.map((namespace) => this.#watch(type, namespace)),
    );
  }

  /** Everything that is there has been seen. */
  async synced(): Promise<void> {
    await Promise.all(this.#watches.map(({ synced }) => synced));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watches.map((watch) => watch.stop()));
  }

  troubles(): readonly string[] {
    return [...this.#troubles.values()];
  }

  #watch(type: ResourceType, namespace: string | undefined) {
    const { watch, observed, changed, troubled } = this.#options;
    const labelSelector = `${managedByLabel}=${managedByValue}`;
    const title = namespace === undefined ? type.plural : `${type.plural} in namespace ${namespace}`;
    return watch(
      { type, labelSelector, ...(namespace !== undefined && { namespace }) },
      {
        replaced: (objects) => changed(type, observed.replace(type, namespace, objects)),
        changed: (events) => {
          const keys = events.flatMap((event) =>
            event.type === "set" ? observed.set(type, event.object) : observed.delete(type, event.object),
          );
          changed(type, [...new Set(keys)]);
        },
        trouble: (trouble) => {
          if (trouble) this.#troubles.set(title, `cannot watch ${title}: ${trouble.message}`);
          else this.#troubles.delete(title);
          troubled();
        },
      },
    );
  }
}

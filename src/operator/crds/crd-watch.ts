/** The CRDs of the Gateway API's groups as the API server has them, followed. */
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
} from "../../kubernetes/index.ts";
import { customResourceDefinitions } from "../resource-types.ts";
import { isGatewayApi } from "./crd-facts.ts";

/** Whose presence matters to a mesh. */
const inferencePools: ReadonlySet<string> = new Set([
  "inferencepools.inference.networking.k8s.io",
  "inferencepools.inference.networking.x-k8s.io",
]);

export class CrdWatch {
  readonly #crds = new Map<string, KubernetesObject>();
  readonly #inferencePools = new Set<string>();
  readonly #watch: ObjectWatch;

  constructor(client: KubernetesClient, changed: () => void, trouble: (message: string | undefined) => void) {
    this.#watch = watchObjects(
      client,
      { type: customResourceDefinitions },
      {
        replaced: (objects) => {
          this.#crds.clear();
          this.#inferencePools.clear();
          for (const { metadata } of objects) {
            if (inferencePools.has(metadata.name)) this.#inferencePools.add(metadata.name);
          }
          for (const crd of objects.filter(isGatewayApi)) this.#crds.set(crd.metadata.name, crd);
          changed();
        },
        changed: (events) => {
          const ours = events.filter(({ object }) => isGatewayApi(object));
          for (const { type, object } of ours) {
            if (type === "set") this.#crds.set(object.metadata.name, object);
            else this.#crds.delete(object.metadata.name);
          }
          const pools = events.filter(({ object }) => inferencePools.has(object.metadata.name));
          for (const { type, object } of pools) {
            if (type === "set") this.#inferencePools.add(object.metadata.name);
            else this.#inferencePools.delete(object.metadata.name);
          }
          if (ours.length + pools.length > 0) changed();
        },
        trouble: (found) => trouble(found?.message),
      },
    );
  }

  get synced(): Promise<void> {
    return this.#watch.synced;
  }

  all(): readonly KubernetesObject[] {
    return [...this.#crds.values()];
  }

  get hasInferencePools(): boolean {
    return this.#inferencePools.size > 0;
  }

  /** What the API server has just answered; the watch will say the same, later. */
  see(crd: KubernetesObject): void {
    this.#crds.set(crd.metadata.name, crd);
  }

  stop(): void {
    this.#watch.stop();
  }
}

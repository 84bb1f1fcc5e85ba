/** The CRDs of the Gateway API's groups as the API server has them, followed. */
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
} from "../../kubernetes/index.ts";
import { customResourceDefinitions } from "../resource-types.ts";
import { isGatewayApi } from "./crd-facts.ts";

export class CrdWatch {
  readonly #crds = new Map<string, KubernetesObject>();
  readonly #watch: ObjectWatch;

  constructor(client: KubernetesClient, changed: () => void, trouble: (message: string | undefined) => void) {
    this.#watch = watchObjects(
      client,
      { type: customResourceDefinitions },
      {
        replaced: (objects) => {
          this.#crds.clear();
          for (const crd of objects.filter(isGatewayApi)) this.#crds.set(crd.metadata.name, crd);
          changed();
        },
        changed: (events) => {
          const ours = events.filter(({ object }) => isGatewayApi(object));
          for (const { type, object } of ours) {
            if (type === "set") this.#crds.set(object.metadata.name, object);
            else this.#crds.delete(object.metadata.name);
          }
          if (ours.length > 0) changed();
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

  /** What the API server has just answered; the watch will say the same, later. */
  see(crd: KubernetesObject): void {
    this.#crds.set(crd.metadata.name, crd);
  }

  stop(): void {
    this.#watch.stop();
  }
}

/** The CRDs of the Gateway API's groups as the API server has them, followed; and some others, by name. */
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectEvent,
  type ObjectWatch,
} from "../../kubernetes/index.ts";
import { customResourceDefinitions } from "../resource-types.ts";
import { isGatewayApi } from "./crd-facts.ts";

/** Whose presence matters to a mesh. */
const inferencePools = [
  "inferencepools.inference.networking.k8s.io",
  "inferencepools.inference.networking.x-k8s.io",
];

export interface CrdWatchOptions {
  readonly client: KubernetesClient;
  /** Names of other CRDs that matter. */
  readonly others?: readonly string[];
  readonly changed: () => void;
  readonly trouble: (message: string | undefined) => void;
}

export class CrdWatch {
  readonly #crds = new Map<string, KubernetesObject>();
  readonly #others = new Map<string, KubernetesObject>();
  readonly #watch: ObjectWatch;

  constructor({ client, others = [], changed, trouble }: CrdWatchOptions) {
    const named = new Set([...inferencePools, ...others]);
    const take = ({ type, object }: ObjectEvent): boolean => {
      const { name } = object.metadata;
      const where = isGatewayApi(object) ? this.#crds : named.has(name) ? this.#others : undefined;
      if (type === "set") where?.set(name, object);
      else where?.delete(name);
      return where !== undefined;
    };
    this.#watch = watchObjects(
      client,
      { type: customResourceDefinitions },
      {
        replaced: (objects) => {
          this.#crds.clear();
          this.#others.clear();
          for (const object of objects) take({ type: "set", object });
          changed();
        },
        changed: (events) => {
          if (events.filter(take).length > 0) changed();
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

  /** One of the others. */
  find(name: string): KubernetesObject | undefined {
    return this.#others.get(name);
  }

  get hasInferencePools(): boolean {
    return inferencePools.some((name) => this.#others.has(name));
  }

  /** What the API server has just answered; the watch will say the same, later. */
  see(crd: KubernetesObject): void {
    (isGatewayApi(crd) ? this.#crds : this.#others).set(crd.metadata.name, crd);
  }

  stop(): void {
    this.#watch.stop();
  }
}

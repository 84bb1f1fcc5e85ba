/*
 * The mesh's control plane as objects that an admin gives (what `helm template` writes of Istio's charts): applied in an order in which each finds what it needs,
 * applied again when somebody else has changed them, and taken away in the opposite order.
 */
import {
  servedResources,
  type KubernetesClient,
  type KubernetesObject,
  type ResourceType,
} from "../../kubernetes/index.ts";
import { FollowedObjects, objectKey } from "../followed-objects.ts";
import type { Failure } from "../kept-objects.ts";
import { controlPlaneName, operandNamespace } from "./control-plane.ts";
import { meshLabel } from "./mesh-crds.ts";

export interface ManifestsOptions {
  readonly client: KubernetesClient;
  readonly followed: FollowedObjects;
  readonly canWrite: () => boolean;
  readonly written: (what: string) => void;
}

const order = [
  "Namespace",
  "ServiceAccount",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
  "ConfigMap",
  "Secret",
  "Service",
  "Deployment",
];
const labelSelector = `${meshLabel}=${controlPlaneName}`;

export class Manifests {
  readonly objects: readonly KubernetesObject[];
  readonly #options: ManifestsOptions;
  readonly #types = new Map<string, ResourceType>();
  /** What the API server had after we applied it last. */
  readonly #applied = new Map<string, string>();

  /** Without CRDs. */
  constructor(objects: readonly KubernetesObject[], options: ManifestsOptions) {
    const rank = ({ kind }: KubernetesObject) => {
      const place = order.indexOf(kind);
      return place < 0 ? order.length : place;
    };
    this.objects = objects.toSorted((a, b) => rank(a) - rank(b));
    this.#options = options;
  }

  async apply(): Promise<readonly Failure[]> {
    return this.#each(this.objects, async (object, type) => {
      const wanted = complete(object, type);
      const key = `${type.kind} ${objectKey(wanted)}`;
      const live = (await this.#find(type))?.get(objectKey(wanted));
      if (live && isLeftAlone(type)) return;
      if (live && this.#applied.get(key) === versionOf(live)) return;
      const answer = await this.#options.client.apply(type, wanted, { force: true });
      const before = this.#applied.get(key) ?? (live && versionOf(live));
      this.#applied.set(key, versionOf(answer));
      this.#options.followed.see({ type, labelSelector }, answer);
      if (before !== versionOf(answer)) this.#options.written(`${key} applied`);
    });
  }

  /** Only what has our label. */
  async remove(): Promise<readonly Failure[]> {
    this.#applied.clear();
    return this.#each(this.objects.toReversed(), async (object, type) => {
      const { metadata } = complete(object, type);
      const live = (await this.#find(type))?.get(objectKey({ metadata }));
      if (!live) return;
      await this.#options.client.delete(type, metadata.name, metadata.namespace);
      this.#options.followed.miss({ type, labelSelector }, objectKey({ metadata }));
      this.#options.written(`${type.kind} ${objectKey({ metadata })} removed`);
    });
  }

  /** The control plane's Deployment, as the API server has it. */
  async deployment(): Promise<KubernetesObject | undefined> {
    const object = this.objects.find(
      ({ kind, metadata }) => kind === "Deployment" && metadata.name.startsWith("istiod"),
    );
    if (!object) return undefined;
    const type = await this.#typeOf(object);
    return (await this.#find(type))?.get(objectKey(complete(object, type)));
  }

  async #each(
    objects: readonly KubernetesObject[],
    work: (object: KubernetesObject, type: ResourceType) => Promise<void>,
  ): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    for (const object of objects) {
      if (!this.#options.canWrite()) break;
      try {
        await work(object, await this.#typeOf(object));
      } catch (error) {
        failures.push({ what: `${object.kind} ${objectKey(object)}`, error });
      }
    }
    return failures;
  }

  #find(type: ResourceType) {
    return this.#options.followed.find({ type, labelSelector });
  }

  async #typeOf({ apiVersion, kind }: KubernetesObject): Promise<ResourceType> {
    const key = `${apiVersion} ${kind}`;
    const known = this.#types.get(key);
    if (known) return known;
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    const served = await servedResources(this.#options.client, { group, version });
    const found = served.find((one) => one.kind === kind);
    if (!found) throw new Error(`The API server does not serve ${kind} of ${apiVersion}.`);
    const type = { ...found, group, version };
    this.#types.set(key, type);
    return type;
  }
}

function complete(object: KubernetesObject, { namespaced }: ResourceType): KubernetesObject {
  const { namespace = operandNamespace, labels, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(namespaced && { namespace }),
      labels: { ...labels, [meshLabel]: controlPlaneName },
    },
  };
}

/** The control plane itself completes its webhooks: they need only be there. */
function isLeftAlone({ group }: ResourceType): boolean {
  return group === "admissionregistration.k8s.io";
}

/** Changes with everything but a status, where a kind has one. */
export function versionOf({ metadata: { uid, generation, resourceVersion } }: KubernetesObject): string {
  return `${uid} ${generation ?? resourceVersion}`;
}

/*
 * The data plane `ossm`: a class of ours is served by OpenShift Service Mesh, which is installed for it. Without such a class nothing is looked
 * at but classes, and nothing is made. Of several, the oldest owns what they share.
 *
 * A Subscription of somebody else brings the same operator just as well: then ours is not made, and the rest goes on; so the mesh may come
 * first, or we. What is theirs is never changed, no plan of theirs is approved, and no other control plane is looked at.
 */
import {
  watchObjects,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectWatch,
  type ResourceType,
} from "../../kubernetes/index.ts";
import type { Failure, KeptObjects } from "../kept-objects.ts";
import type { RelatedObject } from "../health.ts";
import type { Compat } from "../profile-names.ts";
import {
  clusterInfrastructures,
  clusterProxies,
  gatewayClasses,
  installPlans,
  subscriptions,
} from "../resource-types.ts";
import { istio, serviceMeshControlPlane, type IstioFacts } from "./control-plane.ts";
import { meshSettingsOf, type MeshSettings } from "./mesh-settings.ts";
import { isOurs, judgeForeign, meshSubscription, olmNamespace, planToApprove } from "./subscription.ts";

export interface MeshInstallOptions {
  readonly client: KubernetesClient;
  readonly kept: KeptObjects;
  readonly compat: Compat;
  readonly controllerName: string;
  readonly settings: MeshSettings;
  readonly canWrite: () => boolean;
  readonly changed: () => void;
  readonly written: (what: string) => void;
}

export interface MeshReport {
  readonly failures: readonly Failure[];
  readonly conflicts: readonly string[];
  readonly warnings: readonly string[];
  /** What we have made, for those who look into a problem. */
  readonly related: readonly RelatedObject[];
}

interface Followed {
  readonly watch: ObjectWatch;
  readonly objects: Map<string, KubernetesObject>;
  isServed: boolean;
}

const nothing: MeshReport = { failures: [], conflicts: [], warnings: [], related: [] };

export class MeshInstall {
  readonly #options: MeshInstallOptions;
  readonly #followed = new Map<ResourceType, Followed>();

  constructor(options: MeshInstallOptions) {
    this.#options = options;
  }

  /** `hasInferencePools`: the CRD of that kind is there. */
  async round(hasInferencePools: boolean): Promise<MeshReport> {
    const { compat, controllerName, kept, settings: given, written } = this.#options;
    const classes = ownClasses(await this.#all(gatewayClasses), controllerName);
    const [oldest] = classes;
    if (!oldest) return nothing;
    const all = await this.#all(subscriptions);
    // Without OLM there is nothing that could install it.
    if (!this.#followed.get(subscriptions)?.isServed) return nothing;
    const settings = meshSettingsOf(given, oldest);
    const foreign = judgeForeign(all, compat, settings);
    const subscription = foreign.isThere ? [] : [meshSubscription(compat, settings)];
    const controlPlane =
      compat === "shipped"
        ? istio(await this.#istioFacts({ oldest, classes, settings, hasInferencePools }))
        : serviceMeshControlPlane(oldest, controllerName);
    const wanted = [...subscription, controlPlane];
    const failures = await kept.keep(wanted, written);
    if (compat === "shipped") await this.#approve(settings);
    const related = wanted.map(({ type, object: { metadata } }) => ({
      group: type.group,
      resource: type.plural,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      name: metadata.name,
    }));
    return { failures, conflicts: foreign.conflicts, warnings: foreign.warnings, related };
  }

  stop(): void {
    for (const { watch } of this.#followed.values()) watch.stop();
    this.#followed.clear();
  }

  async #istioFacts({
    oldest,
    classes,
    settings,
    hasInferencePools,
  }: {
    readonly oldest: KubernetesObject;
    readonly classes: readonly KubernetesObject[];
    readonly settings: MeshSettings;
    readonly hasInferencePools: boolean;
  }): Promise<IstioFacts> {
    const statusOf = async (type: ResourceType) => {
      const found = (await this.#all(type)).find(({ metadata }) => metadata.name === "cluster");
      return (found?.["status"] ?? {}) as Record<string, string>;
    };
    const { controllerName } = this.#options;
    return {
      owner: oldest,
      controllerName,
      settings,
      classes: classes.map(({ metadata }) => metadata.name).toSorted(),
      hasInferencePools,
      outwardProxy: await statusOf(clusterProxies),
      isSingleReplica: (await statusOf(clusterInfrastructures))["infrastructureTopology"] === "SingleReplica",
    };
  }

  async #approve({ version }: MeshSettings): Promise<void> {
    const { client, compat, written, canWrite } = this.#options;
    const ours = (await this.#all(subscriptions)).find((one) => isOurs(one, compat));
    if (!ours?.metadata.uid || !canWrite()) return;
    const plan = planToApprove(await this.#all(installPlans), ours.metadata.uid, version);
    if (!plan) return;
    const { name, namespace, resourceVersion } = plan.metadata;
    await client.patch(installPlans, name, namespace, {
      metadata: { resourceVersion },
      spec: { approved: true },
    });
    written(`InstallPlan ${name} approved`);
  }

  async #all(type: ResourceType): Promise<readonly KubernetesObject[]> {
    const followed = this.#followed.get(type) ?? this.#follow(type);
    await followed.watch.synced;
    return [...followed.objects.values()];
  }

  #follow(type: ResourceType): Followed {
    const { client, changed } = this.#options;
    const objects = new Map<string, KubernetesObject>();
    const keyOf = ({ metadata }: KubernetesObject) => `${metadata.namespace ?? ""}/${metadata.name}`;
    let markKnown = () => undefined as void;
    // A kind that is not served is known to be without objects.
    const known = new Promise<void>((resolve) => (markKnown = resolve));
    const inner = watchObjects(
      client,
      { type, ...(type === installPlans && { namespace: olmNamespace }) },
      {
        replaced: (all) => {
          objects.clear();
          for (const one of all) objects.set(keyOf(one), one);
          followed.isServed = true;
          changed();
        },
        changed: (events) => {
          for (const { type: what, object } of events) {
            if (what === "set") objects.set(keyOf(object), object);
            else objects.delete(keyOf(object));
          }
          changed();
        },
        trouble: (found) => {
          if (found?.kind !== "not-served") return;
          followed.isServed = false;
          markKnown();
        },
      },
    );
    const synced = Promise.race([inner.synced, known]);
    const followed: Followed = { watch: { synced, stop: () => inner.stop() }, objects, isServed: false };
    this.#followed.set(type, followed);
    return followed;
  }
}

/** Oldest first. A class named `istio` is the mesh's own. */
export function ownClasses(
  all: readonly KubernetesObject[],
  controllerName: string,
): readonly KubernetesObject[] {
  const age = ({ metadata }: KubernetesObject) => `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return all
    .filter(({ metadata, spec }) => {
      const { controllerName: named } = (spec ?? {}) as { controllerName?: string };
      return named === controllerName && metadata.name !== "istio" && !metadata.deletionTimestamp;
    })
    .toSorted((a, b) => (age(a) < age(b) ? -1 : 1));
}

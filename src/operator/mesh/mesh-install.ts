/*
 * The data plane `ossm`: a class of ours is served by OpenShift Service Mesh, which is installed for it. Without such a class nothing is looked
 * at but classes and Gateways, and nothing is made. Of several, the oldest owns what they share.
 *
 * A Subscription of somebody else brings the same operator just as well: then ours is not made, and the rest goes on; so the mesh may come
 * first, or we. What is theirs is never changed, no plan of theirs is approved, and no other control plane is looked at. By the gate
 * `GatewayAPIWithoutOLM` the mesh is installed without OLM (own-install.ts).
 */
import { eventRecorder } from "../../kubernetes/index.ts";
import type {
  EventRecorder,
  KubernetesClient,
  KubernetesObject,
  ResourceType,
} from "../../kubernetes/index.ts";
import type { CrdWatch } from "../crds/crd-watch.ts";
import { FollowedObjects } from "../followed-objects.ts";
import type { RelatedObject } from "../health.ts";
import type { Failure, KeptObjects } from "../kept-objects.ts";
import type { Compat } from "../profile-names.ts";
import {
  clusterInfrastructures,
  clusterProxies,
  gatewayClasses,
  gateways,
  installPlans,
  subscriptions,
} from "../resource-types.ts";
import { istio, serviceMeshControlPlane, type IstioFacts } from "./control-plane.ts";
import { labelGateways } from "./gateway-labels.ts";
import { meshSettingsOf, type MeshSettings } from "./mesh-settings.ts";
import { meshNetworkPolicies } from "./network-policies.ts";
import { OwnInstall } from "./own-install.ts";
import { isOurs, judgeForeign, meshSubscription, olmNamespace, planToApprove } from "./subscription.ts";

export interface MeshInstallOptions {
  readonly client: KubernetesClient;
  readonly kept: KeptObjects;
  readonly compat: Compat;
  readonly controllerName: string;
  readonly settings: MeshSettings;
  /** Of the control plane, for an install without OLM. */
  readonly manifests: readonly KubernetesObject[] | undefined;
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
  /** Of the install that is followed by one without OLM. */
  readonly orphan?: string | undefined;
  readonly waitingFor: readonly string[];
}

export interface MeshRound {
  readonly crds: CrdWatch;
  readonly withoutOlm: boolean;
}

const nothing: MeshReport = { failures: [], conflicts: [], warnings: [], related: [], waitingFor: [] };

export class MeshInstall {
  readonly #options: MeshInstallOptions;
  readonly #followed: FollowedObjects;
  readonly #own: OwnInstall;
  readonly #recorder: EventRecorder;

  constructor(options: MeshInstallOptions) {
    const { client, controllerName, canWrite, changed } = options;
    this.#options = options;
    this.#followed = new FollowedObjects(client, changed);
    this.#own = new OwnInstall({ ...options, followed: this.#followed });
    this.#recorder = eventRecorder(client, { component: controllerName, canWrite });
  }

  /** Of the mesh's CRDs that matter. */
  get crdNames(): readonly string[] {
    return this.#own.crdNames;
  }

  async round(round: MeshRound): Promise<MeshReport> {
    try {
      return await this.#round(round);
    } catch (error) {
      return { ...nothing, failures: [{ what: "the install of the mesh", error }] };
    }
  }

  async stop(): Promise<void> {
    this.#followed.stop();
    await this.#recorder.stop();
  }

  async #round({ crds, withoutOlm }: MeshRound): Promise<MeshReport> {
    const { controllerName, settings } = this.#options;
    const all = await this.#followed.all({ type: gatewayClasses });
    const staying = ownClasses(all, controllerName);
    const leaving = ownClasses(all, controllerName, true);
    const [oldest] = staying;
    if (!withoutOlm) {
      const failures = await this.#own.leave({ staying, leaving });
      if (failures.length > 0) return { ...nothing, failures };
      return oldest ? this.#byOlm(staying, oldest, crds.hasInferencePools) : nothing;
    }
    const { istioVersion: version } = oldest ? meshSettingsOf(settings, oldest) : settings;
    const report = await this.#own.round({ staying, leaving }, { crds, version });
    return {
      ...nothing,
      ...report,
      failures: [...report.failures, ...(oldest ? await this.#serve(staying, oldest) : [])],
      orphan: await this.#orphan(),
    };
  }

  async #byOlm(
    classes: readonly KubernetesObject[],
    oldest: KubernetesObject,
    hasInferencePools: boolean,
  ): Promise<MeshReport> {
    const { compat, controllerName, kept, settings: given, written } = this.#options;
    const all = await this.#followed.find({ type: subscriptions });
    // Without OLM there is nothing that could install it.
    if (!all) return nothing;
    const settings = meshSettingsOf(given, oldest);
    const foreign = judgeForeign([...all.values()], compat, settings);
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
    const isServed = (await this.#followed.find({ type: controlPlane.type })) !== undefined;
    return {
      failures: [...failures, ...(await this.#serve(classes, oldest))],
      conflicts: foreign.conflicts,
      warnings: foreign.warnings,
      related,
      waitingFor: isServed ? [] : [`the mesh's operator, which brings ${controlPlane.type.kind}`],
    };
  }

  /** What the Gateways of our classes need, whoever has installed the mesh. */
  async #serve(classes: readonly KubernetesObject[], oldest: KubernetesObject): Promise<readonly Failure[]> {
    const { kept, written } = this.#options;
    const names = new Set(classes.map(({ metadata }) => metadata.name));
    const own = (await this.#followed.all({ type: gateways })).filter(({ spec }) =>
      names.has((spec as { readonly gatewayClassName?: string }).gatewayClassName ?? ""),
    );
    const recorder = this.#recorder;
    return [
      ...(await labelGateways(own, { ...this.#options, recorder })),
      ...(await kept.keep(meshNetworkPolicies(oldest, own), written)),
    ];
  }

  /** Our Subscription, which nobody needs any more. It is not ours to say that its operator serves nobody else. */
  async #orphan(): Promise<string | undefined> {
    const { compat } = this.#options;
    const ours = (await this.#followed.all({ type: subscriptions })).find((one) => isOurs(one, compat));
    return ours && `${ours.metadata.namespace}/${ours.metadata.name}`;
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
    const statusOf = async (type: ResourceType) =>
      ((await this.#followed.find({ type }))?.get("cluster")?.["status"] ?? {}) as Record<string, string>;
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
    const ours = (await this.#followed.all({ type: subscriptions })).find((one) => isOurs(one, compat));
    if (!ours?.metadata.uid || !canWrite()) return;
    const plans = await this.#followed.all({ type: installPlans, namespace: olmNamespace });
    const plan = planToApprove(plans, ours.metadata.uid, version);
    if (!plan) return;
    const { name, namespace, resourceVersion } = plan.metadata;
    await client.patch(installPlans, name, namespace, {
      metadata: { resourceVersion },
      spec: { approved: true },
    });
    written(`InstallPlan ${name} approved`);
  }
}

/** Oldest first. A class named `istio` is the mesh's own. `areLeaving`: those that are being deleted, else the others. */
function ownClasses(
  all: readonly KubernetesObject[],
  controllerName: string,
  areLeaving = false,
): readonly KubernetesObject[] {
  const age = ({ metadata }: KubernetesObject) => `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return all
    .filter(({ metadata, spec }) => {
      const { controllerName: named } = (spec ?? {}) as { controllerName?: string };
      const isLeaving = metadata.deletionTimestamp !== undefined;
      return named === controllerName && metadata.name !== "istio" && isLeaving === areLeaving;
    })
    .toSorted((a, b) => (age(a) < age(b) ? -1 : 1));
}

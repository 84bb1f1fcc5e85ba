/*
 * The mesh without OLM: its control plane is installed from manifests, which an admin gives, as long as there is a class of ours.
 *
 *   a class comes         a finalizer, then what OLM's install has left goes (Istio, and its revisions), then CRDs, then the rest
 *   a class goes          its finalizer goes; with the last class the control plane goes first. The CRDs stay
 *   OLM again             the control plane goes, then what the classes say of it
 *
 * Proxies go on with what they have while one control plane follows the other.
 */
import type { KubernetesClient, KubernetesObject } from "../../kubernetes/index.ts";
import type { Verdict } from "../../status/index.ts";
import { conditionsOf } from "../conditions.ts";
import type { CrdWatch } from "../crds/crd-watch.ts";
import { messageOf } from "../error-message.ts";
import type { FollowedObjects } from "../followed-objects.ts";
import type { Failure } from "../kept-objects.ts";
import {
  customResourceDefinitions,
  gatewayClasses,
  installPlans,
  istioRevisions,
  istios,
  subscriptions,
} from "../resource-types.ts";
import { ClassMarks } from "./class-marks.ts";
import { controlPlaneName } from "./control-plane.ts";
import { Manifests, versionOf } from "./manifests.ts";
import { crdOwner, crdsReady, meshLabel, olmOrigins, type OlmOrigin } from "./mesh-crds.ts";

export interface OwnInstallOptions {
  readonly client: KubernetesClient;
  readonly followed: FollowedObjects;
  /** Of the control plane. Absent: nobody has given them. */
  readonly manifests: readonly KubernetesObject[] | undefined;
  readonly canWrite: () => boolean;
  readonly written: (what: string) => void;
}

export interface OwnClasses {
  /** Oldest first. */
  readonly staying: readonly KubernetesObject[];
  /** Those that are being deleted. */
  readonly leaving: readonly KubernetesObject[];
}

export interface OwnInstallReport {
  readonly failures: readonly Failure[];
  /** What is still there of OLM's install, and must go first. */
  readonly waitingFor: readonly string[];
}

const isCrd = ({ kind }: KubernetesObject) => kind === "CustomResourceDefinition";

export class OwnInstall {
  readonly #options: OwnInstallOptions;
  readonly #marks: ClassMarks;
  readonly #manifests: Manifests | undefined;
  readonly #crds: readonly KubernetesObject[];
  /** The CRDs as the API server had them after we applied them last. */
  readonly #applied = new Map<string, string>();

  constructor(options: OwnInstallOptions) {
    const { client, followed, manifests } = options;
    this.#options = options;
    this.#marks = new ClassMarks(client, (answer) => followed.see({ type: gatewayClasses }, answer));
    this.#crds = (manifests ?? []).filter(isCrd);
    this.#manifests =
      manifests &&
      new Manifests(
        manifests.filter((one) => !isCrd(one)),
        options,
      );
  }

  /** Of the mesh's CRDs. */
  get crdNames(): readonly string[] {
    return this.#crds.map(({ metadata }) => metadata.name);
  }

  async round(
    { staying, leaving }: OwnClasses,
    { crds, version }: { readonly crds: CrdWatch; readonly version: string },
  ): Promise<OwnInstallReport> {
    const held = leaving.filter((one) => this.#marks.isHeld(one));
    if (staying.length === 0) return this.#end(held);
    for (const one of held) await this.#marks.release(one);
    const classes: KubernetesObject[] = [];
    for (const one of staying) classes.push(await this.#begin(one));
    if (!this.#manifests) return this.#tellMissing(classes);
    const waitingFor = await this.#removeRemains();
    if (waitingFor.length > 0) return { failures: [], waitingFor };
    const ofCrds = await this.#keepCrds(crds);
    const failures = [...ofCrds, ...(await this.#manifests.apply())];
    const verdicts = [
      installed(version, failures),
      crdsReady(this.crdNames, (name) => crds.find(name), ofCrds.map(sentence)),
    ];
    const since = availableSince(await this.#manifests.deployment());
    for (const one of classes) await this.#marks.sync(await this.#marks.tell(one, verdicts), since);
    return { failures, waitingFor: [] };
  }

  /** OLM installs it from here on. */
  async leave({ staying, leaving }: OwnClasses): Promise<readonly Failure[]> {
    const held = [...staying, ...leaving].filter((one) => this.#marks.isHeld(one));
    if (held.length === 0) return [];
    const failures = (await this.#manifests?.remove()) ?? [];
    if (failures.length > 0) return failures;
    for (const one of held) await this.#marks.release(await this.#marks.untell(one));
    return [];
  }

  async #end(held: readonly KubernetesObject[]): Promise<OwnInstallReport> {
    if (held.length === 0) return { failures: [], waitingFor: [] };
    const failures = (await this.#manifests?.remove()) ?? [];
    if (failures.length === 0) for (const one of held) await this.#marks.release(one);
    return { failures, waitingFor: [] };
  }

  async #begin(gatewayClass: KubernetesObject): Promise<KubernetesObject> {
    const held = await this.#marks.hold(gatewayClass);
    if (conditionsOf(held).some(({ type }) => type === "ControllerInstalled")) return held;
    const message = "waiting for first reconciliation";
    return this.#marks.tell(held, [
      { type: "ControllerInstalled", status: "Unknown", reason: "Pending", message },
    ]);
  }

  /** Resolves to what is still there. */
  async #removeRemains(): Promise<readonly string[]> {
    const { client, followed, canWrite, written } = this.#options;
    const left = (await followed.all({ type: istios })).filter(isOfMesh);
    for (const { metadata } of left.filter(({ metadata: { deletionTimestamp } }) => !deletionTimestamp)) {
      if (!canWrite()) break;
      await client.delete(istios, metadata.name);
      written(`Istio ${metadata.name} removed`);
    }
    const revisions = (await followed.all({ type: istioRevisions })).filter(isOfMesh);
    return [...left, ...revisions].map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  }

  async #keepCrds(crds: CrdWatch): Promise<readonly Failure[]> {
    const { client, canWrite, written } = this.#options;
    const failures: Failure[] = [];
    for (const crd of this.#crds) {
      const { name, labels } = crd.metadata;
      if (!canWrite()) break;
      try {
        const live = crds.find(name);
        const owner = crdOwner(live);
        const isLeft = owner === "unknown" || (live && owner === "olm" && !(await this.#isOrphan(live)));
        if (isLeft || (live && this.#applied.get(name) === versionOf(live))) continue;
        const metadata = { ...crd.metadata, labels: { ...labels, [meshLabel]: controlPlaneName } };
        const answer = await client.apply(customResourceDefinitions, { ...crd, metadata }, { force: true });
        crds.see(answer);
        this.#applied.set(name, versionOf(answer));
        if (!live || versionOf(live) !== versionOf(answer)) {
          written(`CustomResourceDefinition ${name} applied`);
        }
      } catch (error) {
        failures.push({ what: `CustomResourceDefinition ${name}`, error });
      }
    }
    return failures;
  }

  /** What brought it is gone, altogether. */
  async #isOrphan(crd: KubernetesObject): Promise<boolean> {
    const { client, followed } = this.#options;
    const subscribed = await followed.find({ type: subscriptions });
    if (!subscribed) return true;
    const isThere = async ({ namespace, name }: OlmOrigin) => {
      if (subscribed.has(`${namespace}/${name}`)) return true;
      const plans = (await client.list(installPlans, { namespace })).items;
      return plans.some(({ spec }) => {
        const { clusterServiceVersionNames = [] } = (spec ?? {}) as {
          readonly clusterServiceVersionNames?: readonly string[];
        };
        return clusterServiceVersionNames.some((csv) => csv.startsWith(`${name}.`));
      });
    };
    for (const origin of olmOrigins(crd)) if (await isThere(origin)) return false;
    return true;
  }

  /** What OLM has installed stays: there is nothing that could follow it. */
  async #tellMissing(classes: readonly KubernetesObject[]): Promise<OwnInstallReport> {
    const message = "There is nothing to install: the operator was started without --mesh-manifests.";
    for (const one of classes) await this.#marks.tell(one, [notInstalled(message)]);
    return { failures: [], waitingFor: [] };
  }
}

function installed(version: string, failures: readonly Failure[]): Verdict {
  if (failures.length > 0) return notInstalled(failures.map(sentence).join("\n"));
  const message = `istiod ${version} installed`;
  return { type: "ControllerInstalled", status: "True", reason: "Installed", message };
}

function notInstalled(message: string): Verdict {
  return { type: "ControllerInstalled", status: "False", reason: "InstallFailed", message };
}

/** A revision is named like its Istio, or begins so. */
function isOfMesh({ metadata: { name } }: KubernetesObject): boolean {
  return name === controlPlaneName || name.startsWith(`${controlPlaneName}-`);
}

function sentence({ what, error }: Failure): string {
  return `${what}: ${messageOf(error)}`;
}

interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime?: string;
  }[];
}

/** `<generation>-<second>` of a Deployment that is as it should be and available; else undefined. */
export function availableSince(deployment: KubernetesObject | undefined): string | undefined {
  const { observedGeneration, conditions = [] } = (deployment?.["status"] ?? {}) as DeploymentStatus;
  const generation = deployment?.metadata.generation;
  const available = conditions.find(({ type, status }) => type === "Available" && status === "True");
  const at = Date.parse(available?.lastTransitionTime ?? "");
  if (generation === undefined || observedGeneration !== generation || Number.isNaN(at)) return undefined;
  return `${generation}-${Math.floor(at / 1000)}`;
}

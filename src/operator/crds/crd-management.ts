/*
 * Holds the CRDs at exactly one version, channel and schema, and keeps others away from them.
 *
 * Order: first nobody else may write; then each CRD is created or put right, each for itself; last, when all are right, the Gateway API's
 * own policy against careless changes. That policy refuses the experimental channel over the standard one, so it is taken
 * away while just that is asked for.
 */
import type { KubernetesClient, KubernetesObject } from "../../kubernetes/index.ts";
import type { Failure, KeptObject, KeptObjects } from "../kept-objects.ts";
import { admissionPolicies, admissionPolicyBindings, customResourceDefinitions } from "../resource-types.ts";
import { crdProtection, withDefaults, type OwnIdentity, type ProtectionWords } from "./admission-policy.ts";
import type { CrdBundle } from "./bundle.ts";
import { channelOf, gatewayApiGroup, restoredCrd, specOf } from "./crd-facts.ts";
import type { CrdSurvey } from "./crd-survey.ts";
import type { CrdWatch } from "./crd-watch.ts";

export interface CrdManagementOptions {
  readonly client: KubernetesClient;
  readonly bundle: CrdBundle;
  /** Absent where nothing is held. */
  readonly watch: CrdWatch | undefined;
  readonly kept: KeptObjects;
  readonly words: ProtectionWords;
  /** Absent in a preview: then there is no policy, and others may take the CRDs over. */
  readonly identity: (() => Promise<OwnIdentity>) | undefined;
  /** We lead. */
  readonly canWrite: () => boolean;
  readonly written: (what: string) => void;
}

export class CrdManagement {
  readonly #options: CrdManagementOptions;

  constructor(options: CrdManagementOptions) {
    this.#options = options;
  }

  /** Puts right what the survey found. */
  async hold(survey: CrdSurvey): Promise<readonly Failure[]> {
    const { kept, identity, words, written } = this.#options;
    const failures: Failure[] = [];
    if (identity) {
      failures.push(...(await kept.keep(policyObjects(crdProtection(words, await identity())), written)));
    }
    if (needsWayToExperimental(survey)) await this.#removeSafeUpgrades();
    for (const crd of survey.missing) await this.#try(crd, "created", failures, (one) => this.#create(one));
    for (const { expected, found } of survey.mismatching) {
      await this.#try(expected, "restored", failures, (one) => this.#restore(one, found));
    }
    if (identity && failures.length === 0) failures.push(...(await this.#keepSafeUpgrades(survey)));
    return failures;
  }

  /** From here on everybody may write again. */
  async letGo(): Promise<void> {
    const { kept, words } = this.#options;
    await kept.remove(admissionPolicyBindings, words.policyName);
    await kept.remove(admissionPolicies, words.policyName);
  }

  async #try(
    crd: KubernetesObject,
    done: string,
    failures: Failure[],
    write: (crd: KubernetesObject) => Promise<KubernetesObject>,
  ): Promise<void> {
    const what = `CustomResourceDefinition ${crd.metadata.name}`;
    if (!this.#options.canWrite()) return;
    try {
      const answer = await write(crd);
      this.#options.watch?.see(answer);
      this.#options.written(`${what} ${done}`);
    } catch (error) {
      failures.push({ what, error });
    }
  }

  #create(crd: KubernetesObject): Promise<KubernetesObject> {
    return this.#options.client.create(customResourceDefinitions, crd);
  }

  #restore(expected: KubernetesObject, found: KubernetesObject): Promise<KubernetesObject> {
    return this.#options.client.replace(customResourceDefinitions, restoredCrd(expected, found));
  }

  #keepSafeUpgrades({ channel }: CrdSurvey): Promise<readonly Failure[]> {
    const { bundle, kept, written } = this.#options;
    return kept.keep(policyObjects(withDefaults(bundle.channels[channel].safeUpgrades)), written);
  }

  async #removeSafeUpgrades(): Promise<void> {
    const { bundle, kept } = this.#options;
    const { binding } = bundle.channels.standard.safeUpgrades;
    await kept.remove(admissionPolicyBindings, binding.metadata.name);
  }
}

function needsWayToExperimental({ mismatching }: CrdSurvey): boolean {
  return mismatching.some(
    ({ expected, found }) =>
      specOf(found).group === gatewayApiGroup &&
      channelOf(expected) === "experimental" &&
      channelOf(found) !== "experimental",
  );
}

function policyObjects({
  policy,
  binding,
}: {
  readonly policy: KubernetesObject;
  readonly binding: KubernetesObject;
}): readonly KeptObject[] {
  return [
    { type: admissionPolicies, object: policy, fields: ["spec"] },
    { type: admissionPolicyBindings, object: binding, fields: ["spec"] },
  ];
}

/** The platforms that the operator knows. */
import type { KubernetesClient } from "../../kubernetes/index.ts";
import type { Compat, ProfileName } from "../profile-names.ts";
import type { Profile } from "../profile.ts";
import type { Maturity } from "../settings.ts";
import { kubernetesProfile } from "./kubernetes.ts";
import { openshiftProfile } from "./openshift.ts";

export interface ProfileOptions {
  readonly client: KubernetesClient;
  readonly maturity: Maturity;
  readonly compat: Compat;
  /** Whose Gateways have names published, beside those where they always have; OpenShift only. */
  readonly dnsNamespaces: readonly string[];
}

export function createProfile(name: ProfileName, options: ProfileOptions): Profile {
  switch (name) {
    case "kubernetes":
      return kubernetesProfile(options.client, options.maturity);
    case "openshift":
      return openshiftProfile(options);
  }
}

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
}

export function createProfile(name: ProfileName, { client, maturity, compat }: ProfileOptions): Profile {
  switch (name) {
    case "kubernetes":
      return kubernetesProfile(client, maturity);
    case "openshift":
      return openshiftProfile(client, maturity, compat);
  }
}

/*
 * The check of a release that does not manage the CRDs yet, for the next one that will: their managers must have let go of them.
 *
 *   no CRDs                     nothing to agree to; the next release may come
 *   CRDs, all as expected       the admin has to agree that they are taken over
 *   CRDs, others                and the next release must wait
 */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Channel, CrdBundle } from "./bundle.ts";
import { hasSameSpec, isGatewayApi } from "./crd-facts.ts";

export interface PreUpgrade {
  /** Whether the admin has to agree. */
  readonly needsConsent: boolean;
  /** Names of CRDs that stand in the way. Sorted. */
  readonly incompatible: readonly string[];
}

export function judgePreUpgrade(
  bundle: CrdBundle,
  channel: Channel,
  all: readonly KubernetesObject[],
): PreUpgrade {
  const found = all.filter(isGatewayApi);
  const expected = new Map(bundle.channels[channel].crds.map((crd) => [crd.metadata.name, crd]));
  return {
    needsConsent: found.length > 0,
    incompatible: found
      .filter((crd) => {
        const same = expected.get(crd.metadata.name);
        return !same || !hasSameSpec(same, crd);
      })
      .map(({ metadata }) => metadata.name)
      .toSorted(),
  };
}

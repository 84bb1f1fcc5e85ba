/** The CRDs of the Gateway API as they are in a cluster, held against those that are expected. */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Channel, CrdBundle } from "./bundle.ts";
import {
  bundleVersionOf,
  channelOf,
  gatewayApiGroup,
  isEstablished,
  isExact,
  isGatewayApi,
  specOf,
} from "./crd-facts.ts";

export interface CrdSurvey {
  readonly version: string;
  readonly channel: Channel;
  readonly missing: readonly KubernetesObject[];
  readonly mismatching: readonly Mismatch[];
  /** In the group, but not of the expected set. Sorted. */
  readonly unexpected: readonly string[];
  /** Any of either group. */
  readonly isAnyPresent: boolean;
  /** All that are expected are there and served. */
  readonly isServed: boolean;
}

export interface Mismatch {
  readonly name: string;
  readonly expected: KubernetesObject;
  readonly found: KubernetesObject;
  /** `is v1.5.1, standard channel`, completing "gateways.gateway.networking.k8s.io …". */
  readonly how: string;
  /** From the experimental channel where the standard one is expected. */
  readonly isExperimental: boolean;
}

export function surveyCrds(bundle: CrdBundle, channel: Channel, all: readonly KubernetesObject[]): CrdSurvey {
  const found = all.filter(isGatewayApi);
  const byName = new Map(found.map((crd) => [crd.metadata.name, crd]));
  const { crds } = bundle.channels[channel];
  const expectedNames = new Set(crds.map(({ metadata }) => metadata.name));
  const pairs = crds.map((expected) => ({ expected, there: byName.get(expected.metadata.name) }));
  return {
    version: bundle.version,
    channel,
    missing: pairs.filter(({ there }) => !there).map(({ expected }) => expected),
    mismatching: pairs.flatMap(({ expected, there }) =>
      there && !isExact(expected, there) ? [mismatchOf(expected, there, channel)] : [],
    ),
    unexpected: found
      .filter((crd) => specOf(crd).group === gatewayApiGroup && !expectedNames.has(crd.metadata.name))
      .map(({ metadata }) => metadata.name)
      .toSorted(),
    isAnyPresent: found.length > 0,
    isServed: pairs.every(({ there }) => there && isEstablished(there) && !there.metadata.deletionTimestamp),
  };
}

function mismatchOf(expected: KubernetesObject, found: KubernetesObject, channel: Channel): Mismatch {
  return {
    name: expected.metadata.name,
    expected,
    found,
    how: howItDiffers(expected, found),
    isExperimental:
      channel === "standard" && channelOf(found) === "experimental" && channelOf(expected) !== "experimental",
  };
}

function howItDiffers(expected: KubernetesObject, found: KubernetesObject): string {
  const version = bundleVersionOf(found);
  const channel = channelOf(found);
  if (version === undefined) return "is of no known version";
  if (version === bundleVersionOf(expected) && channel === channelOf(expected)) return "has another schema";
  return `is ${version}, ${channel ?? "no"} channel`;
}

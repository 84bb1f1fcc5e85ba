/** What is told apart in a CustomResourceDefinition, and whether two are the same. */
import { deepEqual } from "../../incremental/index.ts";
import type { KubernetesObject } from "../../kubernetes/index.ts";

export const gatewayApiGroup = "gateway.networking.k8s.io";
export const experimentalGroup = "gateway.networking.x-k8s.io";
const bundleVersion = "gateway.networking.k8s.io/bundle-version";
export const channelAnnotation = "gateway.networking.k8s.io/channel";

export interface CrdSpec {
  readonly group: string;
  readonly versions: readonly CrdVersion[];
  readonly conversion?: unknown;
  readonly [field: string]: unknown;
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly schema?: { readonly openAPIV3Schema?: unknown };
}

export function specOf(crd: KubernetesObject): CrdSpec {
  const spec = crd["spec"] as Partial<CrdSpec> | undefined;
  return { ...spec, group: spec?.group ?? "", versions: spec?.versions ?? [] };
}

export function bundleVersionOf(crd: KubernetesObject): string | undefined {
  return crd.metadata.annotations?.[bundleVersion];
}

export function channelOf(crd: KubernetesObject): string | undefined {
  return crd.metadata.annotations?.[channelAnnotation];
}

export function isGatewayApi(crd: KubernetesObject): boolean {
  const { group } = specOf(crd);
  return group === gatewayApiGroup || group === experimentalGroup;
}

/** Whether objects of it can be read and written. */
export function isEstablished(crd: KubernetesObject): boolean {
  const status = crd["status"] as { conditions?: readonly { type?: string; status?: string }[] } | undefined;
  return (status?.conditions ?? []).some(({ type, status: is }) => type === "Established" && is === "True");
}

/** The same schema. `conversion` is not compared: a webhook there is somebody's own business. */
export function hasSameSpec(expected: KubernetesObject, found: KubernetesObject): boolean {
  return deepEqual(withoutConversion(specOf(expected)), withoutConversion(specOf(found)));
}

/** The same schema, and what we say of it: version, channel. Annotations and labels of others do not matter. */
export function isExact(expected: KubernetesObject, found: KubernetesObject): boolean {
  return (
    hasSameSpec(expected, found) &&
    has(found.metadata.annotations, expected.metadata.annotations) &&
    has(found.metadata.labels, expected.metadata.labels)
  );
}

/** `found` with everything of ours put right, and everything of others kept. */
export function restoredCrd(expected: KubernetesObject, found: KubernetesObject): KubernetesObject {
  const { conversion } = specOf(found);
  return {
    ...found,
    metadata: {
      ...found.metadata,
      ...merged("annotations", found, expected),
      ...merged("labels", found, expected),
    },
    spec: { ...specOf(expected), ...(conversion !== undefined && { conversion }) },
  };
}

type Entries = Readonly<Record<string, string>> | undefined;

function has(all: Entries, some: Entries): boolean {
  return Object.entries(some ?? {}).every(
    ([key, value]) => all !== undefined && Object.hasOwn(all, key) && all[key] === value,
  );
}

function merged(field: "annotations" | "labels", found: KubernetesObject, expected: KubernetesObject) {
  const wanted = expected.metadata[field];
  return wanted ? { [field]: { ...found.metadata[field], ...wanted } } : {};
}

function withoutConversion({ conversion: _conversion, ...spec }: CrdSpec): unknown {
  return spec;
}

import type { KubernetesObject } from "../../kubernetes/index.ts";

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly fieldsV1?: { readonly "f:spec"?: Readonly<Record<string, unknown>> };
}

/**
 * The number of replicas, as long as it is ours in the eyes of the API server. An autoscaler takes the field when it first changes the
 * number; to leave it out before would mean 1.
 */
export function heldReplicas(
  deployment: KubernetesObject | undefined,
  fieldManager: string,
): number | undefined {
  const managed = deployment?.metadata["managedFields"] as readonly ManagedFields[] | undefined;
  const isOurs = managed?.some(
    ({ manager, operation, fieldsV1 }) =>
      manager === fieldManager && operation === "Apply" && fieldsV1?.["f:spec"]?.["f:replicas"] !== undefined,
  );
  return isOurs ? (deployment?.["spec"] as { readonly replicas?: number } | undefined)?.replicas : undefined;
}

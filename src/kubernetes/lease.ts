/** A Lease as far as leader election goes. Times are for people to read: nobody judges by another's clock. */
import type { KubernetesObject, ResourceType } from "./object.ts";

export const leases: ResourceType = {
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
};

export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export function specOf(lease: KubernetesObject): LeaseSpec {
  return (lease["spec"] ?? {}) as LeaseSpec;
}

/** Kubernetes' MicroTime. */
export function microTime(): string {
  return new Date().toISOString().replace("Z", "000Z");
}

import type { KubernetesClient } from "../../src/kubernetes/index.ts";

export interface GuestCluster {
  readonly kubeconfig: string;
  /** An administrator's. */
  readonly client: KubernetesClient;
  stop(): Promise<void>;
}

export function startGuestCluster(lab: {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly loadClient: (kubeconfig: string) => Promise<KubernetesClient>;
}): Promise<GuestCluster>;

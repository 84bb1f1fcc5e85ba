/** The objects of a cluster, for a gateway or a peer that does not run in it, or makes nothing in it. */
import { kubernetesClient, loadCredentials } from "../kubernetes/index.ts";
import type { ResourceKind } from "../resources/index.ts";
import { kubernetesSource, type Source } from "../sources/index.ts";
import { firstContact } from "./cluster/first-contact.ts";

export interface ClusterSourceOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** Absent: all that we know. */
  readonly kinds?: readonly ResourceKind[];
  /** Whether statuses are written. */
  readonly writes: boolean;
  readonly version: string;
  readonly trouble?: (message: string | undefined) => void;
  readonly fault?: (error: unknown) => void;
}

export interface ClusterSource {
  readonly source: Source;
  /** Address of the API server. */
  readonly server: string;
}

/** Rejects with an `EnvironmentError` where there is no way to a cluster. */
export async function clusterSource(options: ClusterSourceOptions): Promise<ClusterSource> {
  const { kubeconfig, context, kinds, writes, version, trouble, fault } = options;
  const credentials = await firstContact(
    () =>
      loadCredentials({
        ...(kubeconfig !== undefined && { kubeconfig }),
        ...(context !== undefined && { context }),
      }),
    (message) => trouble?.(message),
    () => false,
  );
  const client = kubernetesClient({
    credentials,
    userAgent: `gatewright/${version}`,
    fieldManager: "gatewright",
  });
  const source = kubernetesSource({
    client,
    canWrite: () => writes,
    ...(kinds && { kinds }),
    ...(fault && { fault }),
  });
  return {
    server: client.server,
    source: {
      name: source.name,
      start: (sink) => source.start(sink),
      writeStatuses: (statuses) => source.writeStatuses(statuses),
      want: (added, removed) => source.want(added, removed),
      async stop() {
        await source.stop();
        await client.close();
      },
    },
  };
}

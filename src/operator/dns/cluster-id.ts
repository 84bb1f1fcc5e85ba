/** What tells this cluster from all others: the uid of the namespace that every cluster has. */
import type { KubernetesClient } from "../../kubernetes/index.ts";
import { namespaces } from "../resource-types.ts";

export function clusterId(client: Pick<KubernetesClient, "get">): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    known ??= (await client.get(namespaces, "kube-system"))?.metadata.uid;
    if (known === undefined) throw new Error("there is no namespace kube-system to know the cluster by");
    return known;
  };
}

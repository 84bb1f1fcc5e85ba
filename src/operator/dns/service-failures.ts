/** Why a cloud does not give a load balancer: what its service-controller says in Events. */
import type { KubernetesClient, KubernetesObject } from "../../kubernetes/index.ts";
import { events } from "../resource-types.ts";

/** The latest; undefined: it says nothing. */
export async function readServiceFailure(
  client: Pick<KubernetesClient, "list">,
  { metadata: { namespace = "", uid = "" } }: KubernetesObject,
): Promise<string | undefined> {
  const { items } = await client.list(events, {
    namespace,
    fieldSelector: `involvedObject.uid=${uid},reason=SyncLoadBalancerFailed`,
  });
  const timeOf = (event: KubernetesObject): string => {
    const { lastTimestamp, eventTime, metadata } = event as KubernetesObject & {
      readonly lastTimestamp?: string | null;
      readonly eventTime?: string | null;
    };
    return lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? "";
  };
  const latest = items.toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))[0];
  return latest && ((latest["message"] as string | undefined) ?? "");
}

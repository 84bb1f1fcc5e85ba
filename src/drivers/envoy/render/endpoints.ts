import type { Endpoint } from "../../../model/index.ts";
import type { ClusterLoadAssignment, LbEndpoint } from "../generated/messages.ts";
import { isIpAddress, socketAddress } from "./address.ts";

export function renderEndpoints(
  name: string,
  endpoints: readonly Endpoint[],
  protocol: "TCP" | "UDP" = "TCP",
): ClusterLoadAssignment {
  return assignment(
    name,
    endpoints.map((endpoint) => renderEndpoint(endpoint, protocol)),
  );
}

export function assignment(clusterName: string, lbEndpoints: readonly LbEndpoint[]): ClusterLoadAssignment {
  return { clusterName, endpoints: lbEndpoints.length > 0 ? [{ lbEndpoints }] : [] };
}

export function renderEndpoint(
  { address, port }: Endpoint,
  protocol: "TCP" | "UDP",
  weight?: number,
): LbEndpoint {
  return {
    endpoint: { address: socketAddress(address, port, protocol) },
    ...(weight === undefined ? {} : { loadBalancingWeight: weight }),
  };
}

/** Names cannot come by endpoint discovery: Envoy resolves only those that are part of the cluster. */
export function hasNames(endpoints: readonly Endpoint[]): boolean {
  return endpoints.some(({ address }) => !isIpAddress(address));
}

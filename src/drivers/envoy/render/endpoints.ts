import type { Backend, Endpoint } from "../../../model/index.ts";
import type { ClusterLoadAssignment, LbEndpoint } from "../generated/messages.ts";
import { isIpAddress, socketAddress } from "./address.ts";
import { checkedAs } from "./health-check.ts";

/** Of a backend's own cluster. */
export function renderEndpoints(
  backend: Pick<Backend, "key" | "healthCheck">,
  endpoints: readonly Endpoint[],
): ClusterLoadAssignment {
  return assignment(
    backend.key,
    endpoints.map((endpoint) => {
      const rendered = renderEndpoint(endpoint, "TCP");
      return backend.healthCheck
        ? { ...rendered, endpoint: { ...rendered.endpoint, ...checkedAs(backend, endpoint) } }
        : rendered;
    }),
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

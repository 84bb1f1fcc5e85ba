import type { KubernetesObject } from "../../kubernetes/index.ts";
import { isSameAddress } from "../../resources/index.ts";
import type { Fleet, FleetState } from "../../translate/index.ts";
import { staticAddress } from "./static-address.ts";

type Addresses = FleetState["addresses"];

interface ServiceParts {
  readonly spec?: { readonly type?: string; readonly clusterIPs?: readonly string[] };
  readonly status?: {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
    };
  };
}

/** Where the Service can be reached: by its load balancer, or in the cluster if it has none. */
export function addressesOf(service: KubernetesObject): Addresses {
  const { spec, status } = service as ServiceParts;
  if (spec?.type === "ClusterIP") {
    return (spec.clusterIPs ?? []).filter((ip) => ip !== "" && ip !== "None").map(ipAddress);
  }
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => [
    ...(ip ? [ipAddress(ip)] : []),
    ...(hostname ? [{ type: "Hostname" as const, value: hostname }] : []),
  ]);
}

/** Did the Gateway get what it asked for? */
export function judgeAddresses(fleet: Fleet, service: string, got: Addresses): FleetState["problem"] {
  const missing = fleet.addresses.filter(
    ({ type, value }) =>
      value !== undefined && !got.some((one) => one.type === type && isSameAddress(one.value, value)),
  );
  const [first] = missing;
  if (first) return { reason: "AddressNotUsable", message: unusable(fleet, first, service, got) };
  if (got.length > 0) return undefined;
  const message =
    fleet.settings.service.type === "LoadBalancer"
      ? `Service ${service} has no address yet: the cluster's load balancer has not given one`
      : `Service ${service} has no address yet`;
  return { reason: "AddressNotAssigned", message };
}

function unusable(
  fleet: Fleet,
  { type, value }: Fleet["addresses"][number],
  service: string,
  got: Addresses,
): string {
  const given = got.length > 0 ? `it gave ${got.map((one) => one.value).join(", ")}` : "it gave none";
  if (fleet.settings.service.type !== "LoadBalancer")
    return `spec.addresses: ${value} cannot be had: Service ${service} is of type ClusterIP, which has the addresses that the cluster gives it`;
  if (type === "Hostname")
    return `spec.addresses: ${value} cannot be asked for: host names are given by the load balancer of Service ${service}, and ${given}`;
  if (staticAddress(fleet) !== value)
    return `spec.addresses: ${value} cannot be had beside ${staticAddress(fleet)}: a load balancer can be asked for one address; keep one of them`;
  return `spec.addresses: the load balancer of Service ${service} was asked for ${value}, and ${given}; is it free, and in a pool of the load balancer?`;
}

const ipAddress = (value: string) => ({ type: "IPAddress" as const, value });

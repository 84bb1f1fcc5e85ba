import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { readinessPort, statusPort } from "./proxy-container.ts";
import { networkPolicies } from "./resource-types.ts";

/** Into a proxy Pod only by the listeners' ports and those by which it tells how it is. What goes out is up to the routes. */
export function renderNetworkPolicy(fleet: Fleet, names: FleetNames): KubernetesObject {
  const listeners = fleet.ports.map(({ targetPort, transport }) => ({
    protocol: transport === "udp" ? "UDP" : "TCP",
    port: targetPort,
  }));
  const own = [statusPort, ...(names.readiness ? [readinessPort] : [])];
  return renderObject(networkPolicies, fleet, names, {
    spec: {
      podSelector: { matchLabels: names.selector(fleet) },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [...listeners, ...own.map((port) => ({ protocol: "TCP", port }))] }],
    },
  });
}

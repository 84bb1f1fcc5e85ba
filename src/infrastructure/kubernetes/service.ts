import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet, FleetPort } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { readinessPort } from "./proxy-container.ts";
import { services } from "./resource-types.ts";
import { dnsLabel } from "./safe-name.ts";
import { staticAddress } from "./static-address.ts";

/** What clients reach. Undefined without ports: the API knows no such Service. */
export function renderService(fleet: Fleet, names: FleetNames): KubernetesObject | undefined {
  if (fleet.ports.length === 0) return undefined;
  const { service } = fleet.settings;
  const balanced = service.type === "LoadBalancer";
  const address = staticAddress(fleet);
  return renderObject(services, fleet, names, {
    annotations: service.annotations,
    spec: {
      type: service.type,
      selector: names.selector(fleet),
      ports: renderPorts(fleet.ports, names),
      ...(service.type !== "ClusterIP" &&
        service.externalTrafficPolicy && { externalTrafficPolicy: service.externalTrafficPolicy }),
      ...(balanced && service.loadBalancerClass && { loadBalancerClass: service.loadBalancerClass }),
      ...(balanced &&
        service.loadBalancerSourceRanges.length > 0 && {
          loadBalancerSourceRanges: service.loadBalancerSourceRanges,
        }),
      ...(balanced && address && { loadBalancerIP: address }),
    },
  });
}

function renderPorts(ports: readonly FleetPort[], { readiness }: FleetNames) {
  // A listener that wants the port gets it.
  const isFree = !ports.some(({ port, transport }) => transport === "tcp" && port === readiness?.port);
  const told = readiness && isFree ? [{ ...readiness, targetPort: readinessPort, protocol: "TCP" }] : [];
  const taken = new Set(told.map(({ name }) => name));
  const listeners = ports.map(({ name, port, targetPort, transport, appProtocol }) => {
    const wanted = dnsLabel(name);
    const free = taken.has(wanted) ? dnsLabel(`${wanted}-${transport}-${port}`) : wanted;
    taken.add(free);
    return {
      name: free,
      port,
      targetPort,
      protocol: transport === "udp" ? "UDP" : "TCP",
      ...(appProtocol && { appProtocol }),
    };
  });
  return [...told, ...listeners];
}

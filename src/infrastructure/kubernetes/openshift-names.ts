/*
 * How OpenShift calls the objects of a Gateway. Its design and what was shipped later differ:
 *
 *              proposal                                       shipped
 *   name       <gateway>                                      <gateway>-<class>
 *   selector   istio.io/gateway-name                          gateway.networking.k8s.io/gateway-name, …/gateway-class-name
 *
 * Both have the controller's name in a label, and a `status-port` on the load balancer. Behind it is a port of the proxies that tells of
 * their readiness alone: metrics, which are on their own status port, are nobody's business outside.
 */
import type { Fleet } from "../../translate/index.ts";
import { standardNames, type FleetNames } from "./fleet-names.ts";
import { dnsLabel, safeName } from "./safe-name.ts";

export function openshiftNames(compat: "proposal" | "shipped"): FleetNames {
  const isShipped = compat === "shipped";
  const managed = ({ controllerName }: Fleet) => ({
    "gateway.istio.io/managed": safeName(controllerName.replaceAll("/", "-")),
  });
  return {
    ...standardNames,
    readiness: { name: "status-port", port: 15_021 },
    name: (fleet) => (isShipped ? standardNames.name(fleet) : dnsLabel(fleet.name)),
    selector: (fleet) =>
      isShipped ? standardNames.selector(fleet) : { "istio.io/gateway-name": safeName(fleet.name) },
    labels: (fleet) => ({
      ...standardNames.labels(fleet),
      ...standardNames.selector(fleet),
      ...managed(fleet),
    }),
  };
}

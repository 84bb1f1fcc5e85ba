/** The class that a platform has from the start. It is made if it is not there; one that is there is the admin's, whoever's class it is. */
import type { KeptObject } from "../kept-objects.ts";
import { gatewayClasses } from "../resource-types.ts";
import type { DefaultClass } from "../settings.ts";

export function defaultClass({ name, proxyConfig }: DefaultClass, controllerName: string): KeptObject {
  const parametersRef = proxyConfig && { group: "gatewright.dev", kind: "ProxyConfig", ...proxyConfig };
  return {
    type: gatewayClasses,
    // No field is ours: it is enough that it is there.
    fields: [],
    object: {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "GatewayClass",
      metadata: { name },
      spec: { controllerName, ...(parametersRef && { parametersRef }) },
    },
  };
}

/** Kubernetes' Service: the fields that traffic depends on. */
import { namespaced } from "./resource-schema.ts";
import { array, emptyRecord, map } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { boolean, integer, intOrString, oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const servicePort = object(
  {
    name: optional(string()),
    protocol: defaulted(oneOf(["TCP", "UDP", "SCTP"]), "TCP"),
    appProtocol: optional(string()),
    port: required(integer({ minimum: 1, maximum: 65535 })),
    /** Missing means the same number as `port`. */
    targetPort: optional(intOrString()),
    nodePort: optional(integer({ minimum: 0, maximum: 65535 })),
  },
  { open: true },
);
export type ServicePort = Infer<typeof servicePort>;

const ports = array(servicePort)
  .rule("ports must have names when there is more than one", (list) => {
    const nameless = list.length < 2 ? -1 : list.findIndex(({ name = "" }) => name === "");
    return nameless < 0 ? true : [nameless, "name"];
  })
  .rule("names of ports must be unique", (list) => {
    const names = list.map(({ name }) => name);
    const repeated = names.findIndex((name, i) => name !== undefined && names.indexOf(name) < i);
    return repeated < 0 ? true : [repeated, "name"];
  });

const serviceSpec = object(
  {
    type: defaulted(oneOf(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]), "ClusterIP"),
    /** Empty means that endpoints are not chosen by labels. */
    selector: defaulted(map(string()), emptyRecord),
    ports: defaulted(ports, []),
    /** `None` makes the Service headless. */
    clusterIP: optional(string()),
    clusterIPs: optional(array(string())),
    externalName: optional(string()),
    externalIPs: optional(array(string())),
    loadBalancerClass: optional(string()),
    publishNotReadyAddresses: defaulted(boolean(), false),
    sessionAffinity: defaulted(oneOf(["None", "ClientIP"]), "None"),
    trafficDistribution: optional(string()),
    internalTrafficPolicy: optional(string()),
    externalTrafficPolicy: optional(string()),
    ipFamilies: optional(array(oneOf(["IPv4", "IPv6"]))),
    ipFamilyPolicy: optional(string()),
  },
  { open: true },
).rule(
  "externalName must be specified when type is ExternalName",
  ({ type, externalName = "" }) => type !== "ExternalName" || externalName !== "" || ["externalName"],
);
export type ServiceSpec = Infer<typeof serviceSpec>;

export const service = namespaced(
  "Service",
  { spec: required(serviceSpec) },
  { open: true, nameIsLabel: true },
);
export type Service = Infer<typeof service>;

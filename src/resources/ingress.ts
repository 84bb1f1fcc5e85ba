/** Kubernetes' Ingress (`networking.k8s.io/v1`). Its API server has no schema that says all of this: the rules are those of its own validation. */
import { dnsNamePattern, wildcardHostnamePattern } from "./api-scalars.ts";
import { isIPAddress } from "./ip-address.ts";
import { namespaced } from "./resource-schema.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { integer, oneOf, string, type Pattern } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

export const networkingGroup = "networking.k8s.io";

const serviceName: Pattern = {
  source: "^[a-z]([-a-z0-9]*[a-z0-9])?$",
  is: "the name of a Service: lowercase letters, digits and hyphens",
};
const portName: Pattern = {
  source: "^[a-z0-9-]*[a-z][a-z0-9-]*$",
  is: "the name of a port: lowercase letters, digits and hyphens, with a letter",
};

const ingressHost = string({ maxLength: 253, pattern: hostPattern() }).rule(
  "must be a DNS name, not an IP address",
  (host) => !isIPAddress(host),
);

/** The empty text stands for none. */
function hostPattern(): Pattern {
  return { source: `^$|${wildcardHostnamePattern.source}`, is: wildcardHostnamePattern.is };
}

const servicePort = object({
  name: optional(string({ maxLength: 15, pattern: portName })),
  number: optional(integer({ minimum: 1, maximum: 65535 })),
}).rule(
  "must have a name or a number, and not both",
  ({ name, number }) => (name === undefined) !== (number === undefined),
);

const ingressBackend = object({
  service: optional(
    object({
      name: required(string({ minLength: 1, maxLength: 63, pattern: serviceName })),
      port: required(servicePort),
    }),
  ),
  resource: optional(
    object({
      apiGroup: optional(string()),
      kind: required(string({ minLength: 1 })),
      name: required(string({ minLength: 1 })),
    }),
  ),
}).rule(
  "must have a service or a resource, and not both",
  ({ service, resource }) => (service === undefined) !== (resource === undefined),
);
export type IngressBackend = Infer<typeof ingressBackend>;

const pathTypes = ["Exact", "Prefix", "ImplementationSpecific"] as const;
const refusedParts = ["//", "/./", "/../", "%2f", "%2F"];
const refusedEnds = ["/..", "/."];

const ingressPath = object({
  path: optional(string()),
  pathType: required(oneOf(pathTypes)),
  backend: required(ingressBackend),
})
  .rule("must be an absolute path, beginning with /", ({ path = "", pathType }) =>
    path.startsWith("/") || (path === "" && pathType === "ImplementationSpecific") ? true : ["path"],
  )
  .rule(`must not have ${refusedParts.join(", ")} in it, nor end in ${refusedEnds.join(" or ")}`, (one) => {
    const { path = "", pathType } = one;
    const isRefused =
      refusedParts.some((part) => path.includes(part)) || refusedEnds.some((end) => path.endsWith(end));
    return pathType !== "ImplementationSpecific" && isRefused ? ["path"] : true;
  });
export type IngressPath = Infer<typeof ingressPath>;

const ingressRule = object({
  host: optional(ingressHost),
  http: optional(object({ paths: required(array(ingressPath, { minItems: 1 })) })),
});
export type IngressRule = Infer<typeof ingressRule>;

const ingressTLS = object({
  hosts: optional(array(ingressHost)),
  secretName: optional(string({ maxLength: 253 })),
});
export type IngressTLS = Infer<typeof ingressTLS>;

const ingressSpec = object({
  ingressClassName: optional(string({ minLength: 1, maxLength: 253, pattern: dnsNamePattern })),
  defaultBackend: optional(ingressBackend),
  tls: optional(array(ingressTLS)),
  rules: optional(array(ingressRule)),
}).rule(
  "either defaultBackend or rules must be specified",
  ({ defaultBackend, rules = [] }) => defaultBackend !== undefined || rules.length > 0,
);
export type IngressSpec = Infer<typeof ingressSpec>;

export const ingress = namespaced("Ingress", { spec: required(ingressSpec) });
export type Ingress = Infer<typeof ingress>;

/** Kubernetes' IngressClass (`networking.k8s.io/v1`). */
import { controllerName, dnsNamePattern } from "./api-scalars.ts";
import { clusterScoped } from "./resource-schema.ts";
import { object, optional, required } from "./schema-object.ts";
import { oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const parameters = object({
  apiGroup: optional(string({ maxLength: 253, pattern: dnsNamePattern })),
  kind: required(string({ minLength: 1 })),
  name: required(string({ minLength: 1 })),
  scope: optional(oneOf(["Cluster", "Namespace"])),
  namespace: optional(string({ minLength: 1, maxLength: 63 })),
}).rule(
  "namespace is for the scope Namespace, which needs it",
  ({ scope = "Cluster", namespace }) =>
    (scope === "Namespace") === (namespace !== undefined) || ["namespace"],
);

const ingressClassSpec = object({
  controller: required(controllerName),
  parameters: optional(parameters),
});
export type IngressClassSpec = Infer<typeof ingressClassSpec>;

export const ingressClass = clusterScoped("IngressClass", { spec: required(ingressClassSpec) });
export type IngressClass = Infer<typeof ingressClass>;

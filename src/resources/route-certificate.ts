/**
 * RouteCertificate (`gatewright.dev/v1alpha1`): the certificates for the hostnames of a route, instead of those of its listener. It
 * holds on HTTPS listeners whose owner allows it by `tls.options: {gatewright.dev/route-certificates: Allow}`.
 */
import { policyTargetReference, secretObjectReference } from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { integer, oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const routeCertificateSpec = object({
  targetRefs: required(
    array(policyTargetReference, {
      minItems: 1,
      maxItems: 16,
      mapKeys: ["group", "kind", "name"],
    }).describe("HTTPRoutes and GRPCRoutes of the same namespace."),
  ),
  certificateRefs: required(
    array(secretObjectReference, { minItems: 1, maxItems: 8 }).describe(
      "Secrets of type kubernetes.io/tls. In another namespace they need a ReferenceGrant there.",
    ),
  ),
});

export const routeCertificate = namespaced("RouteCertificate", { spec: required(routeCertificateSpec) });
export type RouteCertificate = Infer<typeof routeCertificate>;

const condition = object({
  type: required(string({ minLength: 1, maxLength: 316 })),
  status: required(oneOf(["True", "False", "Unknown"])),
  reason: required(string({ minLength: 1, maxLength: 1024 })),
  message: required(string({ maxLength: 32_768 })),
  observedGeneration: optional(integer({ minimum: 0 })),
  lastTransitionTime: required(string({ maxLength: 64 })),
});

const ancestorRef = object({
  group: optional(string({ maxLength: 253 })),
  kind: optional(string({ maxLength: 63 })),
  namespace: optional(string({ maxLength: 63 })),
  name: required(string({ maxLength: 253 })),
  sectionName: optional(string({ maxLength: 253 })),
  port: optional(integer({ minimum: 1, maximum: 65_535 })),
});

export const routeCertificateStatus = object({
  ancestors: optional(
    array(
      object({
        ancestorRef: required(ancestorRef),
        controllerName: required(string({ minLength: 1, maxLength: 253 })),
        conditions: optional(array(condition, { maxItems: 8, mapKeys: ["type"] })),
      }),
      { maxItems: 16 },
    ).describe("What each Gateway makes of it."),
  ),
});

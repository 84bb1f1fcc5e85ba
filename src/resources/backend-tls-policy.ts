import { annotationValue } from "./api-scalars.ts";
import { backendTLSValidation } from "./backend-tls-validation.ts";
import {
  everyPair,
  policyTargetReferenceWithSectionName,
  type LocalPolicyTargetReferenceWithSectionName as Target,
} from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { array, map } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import type { Infer } from "./schema.ts";

const targetRefs = array(policyTargetReferenceWithSectionName, { minItems: 1, maxItems: 16 })
  .rule(
    "sectionName must be specified when targetRefs includes 2 or more references to the same target",
    (refs) =>
      everyPair(
        refs,
        (a, b) => !sameTarget(a, b) || (a.sectionName === undefined) === (b.sectionName === undefined),
      ),
  )
  .rule(
    "sectionName must be unique when targetRefs includes 2 or more references to the same target",
    (refs) => everyPair(refs, (a, b) => !sameTarget(a, b) || a.sectionName !== b.sectionName),
  );

function sameTarget(a: Target, b: Target): boolean {
  return a.group === b.group && a.kind === b.kind && a.name === b.name;
}

const backendTLSPolicySpec = object({
  targetRefs: required(targetRefs),
  validation: required(backendTLSValidation),
  options: optional(map(annotationValue, { maxProperties: 16 })),
});
export type BackendTLSPolicySpec = Infer<typeof backendTLSPolicySpec>;

export const backendTLSPolicy = namespaced("BackendTLSPolicy", { spec: required(backendTLSPolicySpec) });
export type BackendTLSPolicy = Infer<typeof backendTLSPolicy>;

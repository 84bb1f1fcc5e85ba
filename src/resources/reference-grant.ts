import { group, kind, namespaceName, objectName } from "./api-scalars.ts";
import { namespaced } from "./resource-schema.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import type { Infer } from "./schema.ts";

const referenceGrantFrom = object({
  group: required(group),
  kind: required(kind),
  namespace: required(namespaceName),
});
export type ReferenceGrantFrom = Infer<typeof referenceGrantFrom>;

const referenceGrantTo = object({ group: required(group), kind: required(kind), name: optional(objectName) });
export type ReferenceGrantTo = Infer<typeof referenceGrantTo>;

const referenceGrantSpec = object({
  from: required(array(referenceGrantFrom, { minItems: 1, maxItems: 16 })),
  to: required(array(referenceGrantTo, { minItems: 1, maxItems: 16 })),
});
export type ReferenceGrantSpec = Infer<typeof referenceGrantSpec>;

export const referenceGrant = namespaced("ReferenceGrant", { spec: required(referenceGrantSpec) });
export type ReferenceGrant = Infer<typeof referenceGrant>;

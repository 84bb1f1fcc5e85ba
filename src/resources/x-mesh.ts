import { controllerName } from "./api-scalars.ts";
import { objectReference } from "./object-reference.ts";
import { clusterScoped } from "./resource-schema.ts";
import { object, optional, required } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const xMeshSpec = object({
  controllerName: required(controllerName),
  parametersRef: optional(objectReference),
  description: optional(string({ maxLength: 64 })),
});
export type XMeshSpec = Infer<typeof xMeshSpec>;

export const xMesh = clusterScoped("XMesh", { spec: required(xMeshSpec) });
export type XMesh = Infer<typeof xMesh>;

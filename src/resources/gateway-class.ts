import { controllerName } from "./api-scalars.ts";
import { objectReference } from "./object-reference.ts";
import { clusterScoped } from "./resource-schema.ts";
import { object, optional, required } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const gatewayClassSpec = object({
  controllerName: required(controllerName),
  parametersRef: optional(objectReference),
  description: optional(string({ maxLength: 64 })),
});
export type GatewayClassSpec = Infer<typeof gatewayClassSpec>;

export const gatewayClass = clusterScoped("GatewayClass", { spec: required(gatewayClassSpec) });
export type GatewayClass = Infer<typeof gatewayClass>;

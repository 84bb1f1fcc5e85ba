import { controllerName } from "./api-scalars.ts";
import { gates } from "./gates.ts";
import { objectReference } from "./object-reference.ts";
import { clusterScoped } from "./resource-schema.ts";
import { gated, object, optional, required } from "./schema-object.ts";
import { string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";
import { meshTrustBundle } from "./trust-bundle.ts";

const outOfClusterGateways = object({
  trustBundle: required(
    meshTrustBundle.describe("Who may come into the mesh as a gateway from outside of the cluster."),
  ),
}).describe("EXPERIMENTAL (GEP-3951), not for production: gateways outside of the cluster.");

const xMeshSpec = object({
  controllerName: required(controllerName),
  parametersRef: optional(objectReference),
  description: optional(string({ maxLength: 64 })),
  ocg: gated(gates.mesh, optional(outOfClusterGateways)),
});
export type XMeshSpec = Infer<typeof xMeshSpec>;

export const xMesh = clusterScoped("XMesh", { spec: required(xMeshSpec) });
export type XMesh = Infer<typeof xMesh>;

import type { Collection, Graph } from "../incremental/index.ts";
import { objectStatus, verdict, type ObjectStatus } from "../status/index.ts";
import type { Resources } from "./resources.ts";
import type { TranslateSettings } from "./settings.ts";

/** Gatewright is no mesh: an XMesh that names our controller is told so instead of waiting for ever. */
export function meshStatuses(
  graph: Graph,
  { xMeshes }: Resources,
  { controllerNames }: TranslateSettings,
): Collection<ObjectStatus> {
  return graph.map("mesh statuses", xMeshes, (mesh) => {
    if (!controllerNames.includes(mesh.spec.controllerName)) return undefined;
    const message = `spec.controllerName: ${mesh.spec.controllerName} serves Gateways, not meshes; name a mesh's controller`;
    return objectStatus(mesh, {
      shape: "conditions",
      conditions: [verdict("Accepted", "False", "InvalidParameters", message)],
      supportedFeatures: [],
    });
  });
}

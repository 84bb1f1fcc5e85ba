export type { Fleet, FleetAddress, FleetPort, FleetSettings, FleetState, FleetStates } from "./fleets.ts";
export { serviceOfSlice, serviceLabel } from "./endpoints.ts";
export type { CrdVersions } from "./crd-versions.ts";
export type { Gates } from "./gates.ts";
export type { InvalidObjects } from "./absent-objects.ts";
export {
  migrateIngresses,
  type MigratedObject,
  type Migration,
  type MigrationNote,
} from "./ingress/migration.ts";
export { itemKey, type ItemState, type ItemStates } from "./item-states.ts";
export type { AnyRoute, Resources } from "./resources.ts";
export { findServicePort } from "./service-ports.ts";
export { defaultControllerName, type LayerSettings, type TranslateSettings } from "./settings.ts";
export type { ContourListenerPolicy } from "./contour/listener-rules.ts";
export { translate, type ModelCollections, type Translation } from "./translation.ts";

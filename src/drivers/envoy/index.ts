export { envoyDriver, type EnvoyDriver, type EnvoyDriverOptions } from "./driver.ts";
export type { EnvoyDriverError, EnvoyDriverErrorCode } from "./driver-error.ts";
export { envoyControlPlane, type EnvoyControlPlane, type FleetDescription } from "./xds/index.ts";
export { bootstrapFileNames, renderBootstrapFiles, type BootstrapOptions } from "./bootstrap.ts";
export { envoyFeatures } from "./features.ts";
export { RenderedModel, type RenderSettings } from "./render/index.ts";

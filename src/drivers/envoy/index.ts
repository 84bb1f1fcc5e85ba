export { envoyDriver, type EnvoyDriver, type EnvoyDriverOptions } from "./driver.ts";
export { EnvoyDriverError, type EnvoyDriverErrorCode } from "./driver-error.ts";
export { envoyControlPlane, type EnvoyControlPlane, type FleetDescription } from "./xds/index.ts";

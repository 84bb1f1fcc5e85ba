export { haproxyDriver, type HaproxyDescription, type HaproxyDriver } from "./driver.ts";
export { HaproxyDriverError, type HaproxyDriverErrorCode } from "./driver-error.ts";
export type { HaproxyLimits, HaproxyOptions } from "./options.ts";

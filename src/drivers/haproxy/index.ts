export { haproxyDriver, type HaproxyDescription, type HaproxyDriverWithState } from "./driver.ts";
export { HaproxyDriverError, type HaproxyDriverErrorCode } from "./driver-error.ts";
export type { HaproxyLimits, HaproxyOptions } from "./options.ts";

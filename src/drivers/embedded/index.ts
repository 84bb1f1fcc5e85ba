export {
  embeddedDriver,
  type EmbeddedDescription,
  type EmbeddedDriver,
  type ListenerDescription,
} from "./driver.ts";
export { EmbeddedDriverError, type EmbeddedDriverErrorCode } from "./driver-error.ts";
export type { EmbeddedLimits } from "./limits.ts";
export type { ListenerCounters } from "./metrics.ts";
export type { EmbeddedOptions } from "./options.ts";
export type { AccessLog, AccessRecord, HttpLimits, HttpMetrics } from "./http/index.ts";

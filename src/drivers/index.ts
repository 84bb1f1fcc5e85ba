export type { ApplyReport, BoundAddress, Driver, ItemState, Report } from "./driver.ts";
export { embeddedDriver, type EmbeddedOptions } from "./embedded/index.ts";

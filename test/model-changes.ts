export { modelChanges, type ItemsOrRemovals } from "../src/driver-kit/model-changes.ts";

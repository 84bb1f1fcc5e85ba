export type { Condition, Verdict } from "./condition.ts";
export { mergeStatus } from "./merge-status.ts";
export type { ListenerContent, ObjectStatus, ParentEntry, StatusContent } from "./object-status.ts";
export { onlyCountsDiffer } from "./only-counts-differ.ts";
export { objectStatus, statusEntry, verdict } from "./verdict.ts";

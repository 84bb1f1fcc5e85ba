export type { Condition, Verdict } from "./condition.ts";
export type { ListenerContent, ObjectStatus, ParentEntry, StatusContent } from "./object-status.ts";

/** Kubernetes' Namespace: its name and labels are what selectors look at. */
import { clusterScoped } from "./resource-schema.ts";
import type { Infer } from "./schema.ts";

export const namespace = clusterScoped("Namespace", {}, { open: true, nameIsLabel: true });
export type Namespace = Infer<typeof namespace>;

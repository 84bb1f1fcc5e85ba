import { group, kind } from "./api-scalars.ts";
import { labelSelector } from "./label-selector.ts";
import { gatewayApiGroup } from "./object-reference.ts";
import { array } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { oneOf } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const routeGroupKind = object({ group: defaulted(group, gatewayApiGroup), kind: required(kind) });
export type RouteGroupKind = Infer<typeof routeGroupKind>;

const routeNamespaces = object({
  from: defaulted(oneOf(["All", "Selector", "Same"]), "Same"),
  selector: optional(labelSelector),
});
export type RouteNamespaces = Infer<typeof routeNamespaces>;

/** Which Routes may attach to a listener. */
export const allowedRoutes = object({
  namespaces: defaulted(routeNamespaces, { from: "Same" }),
  kinds: optional(array(routeGroupKind, { maxItems: 8 })),
});
export type AllowedRoutes = Infer<typeof allowedRoutes>;

const listenerNamespaces = object({
  from: defaulted(oneOf(["All", "Selector", "Same", "None"]), "None"),
  selector: optional(labelSelector),
});
export type ListenerNamespaces = Infer<typeof listenerNamespaces>;

/** Which ListenerSets may attach to a Gateway. */
export const allowedListeners = object({ namespaces: defaulted(listenerNamespaces, { from: "None" }) });
export type AllowedListeners = Infer<typeof allowedListeners>;

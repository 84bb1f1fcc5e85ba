import { group, kind, namespaceName, objectName } from "./api-scalars.ts";
import { listeners } from "./listener.ts";
import { gatewayApiGroup } from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import type { Infer } from "./schema.ts";

const parentGatewayReference = object({
  group: defaulted(group, gatewayApiGroup),
  kind: defaulted(kind, "Gateway"),
  name: required(objectName),
  namespace: optional(namespaceName),
});
export type ParentGatewayReference = Infer<typeof parentGatewayReference>;

const listenerSetSpec = object({
  parentRef: required(parentGatewayReference),
  listeners: required(listeners),
});
export type ListenerSetSpec = Infer<typeof listenerSetSpec>;

export const listenerSet = namespaced("ListenerSet", { spec: required(listenerSetSpec) });
export type ListenerSet = Infer<typeof listenerSet>;

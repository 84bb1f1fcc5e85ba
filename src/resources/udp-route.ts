import { manyL4Rules, oneL4Rule, type L4RouteRule } from "./l4-route-rule.ts";
import { parentRefs } from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { experimental, object, optional, required } from "./schema-object.ts";
import { oneOf } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

export type UDPRouteRule = L4RouteRule;

const shared = {
  parentRefs: optional(parentRefs),
  useDefaultGateways: experimental(optional(oneOf(["All", "None"]))),
};

const udpRouteSpec = object({ ...shared, rules: required(oneL4Rule) });
export type UDPRouteSpec = Infer<typeof udpRouteSpec>;

export const udpRoute = namespaced("UDPRoute", { spec: required(udpRouteSpec) });
export type UDPRoute = Infer<typeof udpRoute>;

export const udpRouteV1Alpha2 = namespaced("UDPRoute", {
  spec: required(object({ ...shared, rules: required(manyL4Rules) })),
});

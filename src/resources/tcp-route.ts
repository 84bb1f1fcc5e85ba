import { manyL4Rules, oneL4Rule, type L4RouteRule } from "./l4-route-rule.ts";
import { parentRefs } from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { experimental, object, optional, required } from "./schema-object.ts";
import { oneOf } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

export type TCPRouteRule = L4RouteRule;

const shared = {
  parentRefs: optional(parentRefs),
  useDefaultGateways: experimental(optional(oneOf(["All", "None"]))),
};

const tcpRouteSpec = object({ ...shared, rules: required(oneL4Rule) });
export type TCPRouteSpec = Infer<typeof tcpRouteSpec>;

export const tcpRoute = namespaced("TCPRoute", { spec: required(tcpRouteSpec) });
export type TCPRoute = Infer<typeof tcpRoute>;

export const tcpRouteV1Alpha2 = namespaced("TCPRoute", {
  spec: required(object({ ...shared, rules: required(manyL4Rules) })),
});

/** What TCPRoute, UDPRoute and TLSRoute have in common: rules that only name backends. */
import { sectionName } from "./api-scalars.ts";
import { backendRef } from "./object-reference.ts";
import { haveUniqueNames, uniqueRuleNamesMessage } from "./route-rules.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import type { Infer } from "./schema.ts";

const l4RouteRule = object({
  name: optional(sectionName),
  backendRefs: required(array(backendRef, { minItems: 1, maxItems: 16 })),
});
export type L4RouteRule = Infer<typeof l4RouteRule>;

export const oneL4Rule = array(l4RouteRule, { minItems: 1, maxItems: 1 });

/** Until v1, several rules were accepted, though nothing tells them apart. */
export const manyL4Rules = array(l4RouteRule, { minItems: 1, maxItems: 16 }).rule(
  uniqueRuleNamesMessage,
  haveUniqueNames,
  { experimental: true },
);

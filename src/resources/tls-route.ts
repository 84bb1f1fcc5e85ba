import { hostname } from "./api-scalars.ts";
import { isIPAddress } from "./ip-address.ts";
import { manyL4Rules, oneL4Rule, type L4RouteRule } from "./l4-route-rule.ts";
import { parentRefs } from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { array } from "./schema-collections.ts";
import { experimental, object, optional, required } from "./schema-object.ts";
import { oneOf } from "./schema-scalars.ts";
import { Schema, type Infer, type RuleVerdict } from "./schema.ts";

export type TLSRouteRule = L4RouteRule;

const dnsName = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/;

function everyHostname(hostnames: readonly string[], holds: (hostname: string) => boolean): RuleVerdict {
  const index = hostnames.findIndex((one) => !holds(one));
  return index < 0 ? true : [index];
}

const hostnames = array(hostname, { minItems: 1, maxItems: 1024 })
  .rule("Hostnames cannot contain an IP", (list) => everyHostname(list, (one) => !isIPAddress(one)))
  .rule("Hostnames must be valid based on RFC-1123", (list) =>
    everyHostname(list, (one) => one.includes("*") || dnsName.test(one)),
  )
  .rule(
    "Wildcards on hostnames must be the first label, and the rest of hostname must be valid based on RFC-1123",
    (list) =>
      everyHostname(
        list,
        (one) => !one.includes("*") || (one.startsWith("*.") && dnsName.test(one.slice(2))),
      ),
  );

const shared = {
  parentRefs: optional(parentRefs),
  useDefaultGateways: experimental(optional(oneOf(["All", "None"]))),
};

const tlsRouteSpec = object({ ...shared, hostnames: required(hostnames), rules: required(oneL4Rule) });
/** `hostnames` is empty only in what was read as v1alpha2, where it means any hostname. */
export type TLSRouteSpec = Infer<typeof tlsRouteSpec>;

export const tlsRoute = namespaced("TLSRoute", { spec: required(tlsRouteSpec) });
export type TLSRoute = Infer<typeof tlsRoute>;

const writtenAsV1Alpha2 = namespaced("TLSRoute", {
  spec: required(
    object({
      ...shared,
      hostnames: optional(array(hostname, { maxItems: 1024 })),
      rules: required(manyL4Rules),
    }),
  ),
});

export const tlsRouteV1Alpha2 = new Schema<TLSRoute>(writtenAsV1Alpha2.node, (input, reading) => {
  const { spec, ...rest } = writtenAsV1Alpha2.read(input, reading);
  return { ...rest, spec: { ...spec, hostnames: spec?.hostnames ?? [] } };
});

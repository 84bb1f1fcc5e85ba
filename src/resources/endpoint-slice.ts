/** Kubernetes' EndpointSlice (discovery.k8s.io): the addresses behind a Service. */
import { isIPv4, isIPv6 } from "./ip-address.ts";
import type { Path } from "./problem.ts";
import { namespaced } from "./resource-schema.ts";
import { array, map } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { boolean, integer, oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

/** Spec: EndpointConditions. Unknown `ready` counts as ready, unknown `serving` as `ready`, unknown `terminating` as false. */
const endpointConditions = object(
  { ready: optional(boolean()), serving: optional(boolean()), terminating: optional(boolean()) },
  { open: true },
);
export type EndpointConditions = Infer<typeof endpointConditions>;

const endpointTarget = object(
  {
    kind: optional(string()),
    namespace: optional(string()),
    name: optional(string()),
    uid: optional(string()),
  },
  { open: true },
);

const namedHint = object({ name: required(string()) }, { open: true });
const endpointHints = object(
  { forZones: optional(array(namedHint)), forNodes: optional(array(namedHint)) },
  { open: true },
);

const endpoint = object(
  {
    addresses: required(array(string({ minLength: 1 }), { minItems: 1, maxItems: 100, unique: true })),
    conditions: defaulted(endpointConditions, {}),
    hostname: optional(string()),
    nodeName: optional(string()),
    zone: optional(string()),
    hints: optional(endpointHints),
    targetRef: optional(endpointTarget),
    deprecatedTopology: optional(map(string())),
  },
  { open: true },
);
export type Endpoint = Infer<typeof endpoint>;

const endpointPort = object(
  {
    name: defaulted(string(), ""),
    protocol: defaulted(oneOf(["TCP", "UDP", "SCTP"]), "TCP"),
    /** Missing means all ports, which only other consumers can use. */
    port: optional(integer({ minimum: 0, maximum: 65535 })),
    appProtocol: optional(string()),
  },
  { open: true },
);
export type EndpointPort = Infer<typeof endpointPort>;

export const endpointSlice = namespaced(
  "EndpointSlice",
  {
    addressType: required(oneOf(["IPv4", "IPv6", "FQDN"])),
    endpoints: defaulted(array(endpoint, { maxItems: 1000 }), []),
    ports: defaulted(array(endpointPort, { maxItems: 100 }), []),
  },
  { open: true },
)
  .rule("must be an IPv4 address such as 127.0.0.1, because addressType is IPv4", (slice) =>
    slice.addressType === "IPv4" ? findForeign(slice.endpoints, isIPv4) : true,
  )
  .rule("must be an IPv6 address such as ::1, because addressType is IPv6", (slice) =>
    slice.addressType === "IPv6" ? findForeign(slice.endpoints, isIPv6) : true,
  );

/** Where the first address is that is not of the family; an API server refuses it, too. */
function findForeign(endpoints: readonly Endpoint[], isOfFamily: (text: string) => boolean): true | Path {
  for (const [position, { addresses }] of endpoints.entries()) {
    const index = addresses.findIndex((address) => !isOfFamily(address));
    if (index >= 0) return ["endpoints", position, "addresses", index];
  }
  return true;
}

export type EndpointSlice = Infer<typeof endpointSlice>;

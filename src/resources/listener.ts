/** Listeners, as a Gateway and a ListenerSet have them. */
import { allowedRoutes } from "./allowed-routes.ts";
import { annotationValue, hostname, portNumber, protocolType, sectionName } from "./api-scalars.ts";
import { everyPair, secretObjectReference } from "./object-reference.ts";
import { array, map } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { oneOf } from "./schema-scalars.ts";
import type { Infer, RuleVerdict } from "./schema.ts";

const listenerTLSConfig = object({
  mode: defaulted(oneOf(["Terminate", "Passthrough"]), "Terminate"),
  certificateRefs: optional(array(secretObjectReference, { maxItems: 64 })),
  options: optional(map(annotationValue, { maxProperties: 16 })),
}).rule(
  "certificateRefs or options must be specified when mode is Terminate",
  ({ mode, certificateRefs = [], options = {} }) =>
    mode !== "Terminate" || certificateRefs.length > 0 || Object.keys(options).length > 0,
);
export type ListenerTLSConfig = Infer<typeof listenerTLSConfig>;

const listener = object({
  name: required(sectionName),
  hostname: optional(hostname),
  port: required(portNumber),
  protocol: required(protocolType),
  tls: optional(listenerTLSConfig),
  allowedRoutes: defaulted(allowedRoutes, { namespaces: { from: "Same" } }),
});
export type Listener = Infer<typeof listener>;

export const listeners = array(listener, { minItems: 1, maxItems: 64, mapKeys: ["name"] })
  .rule("tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']", (list) =>
    everyListener(
      list,
      "tls",
      ({ protocol, tls }) => tls === undefined || !["HTTP", "TCP", "UDP"].includes(protocol),
    ),
  )
  .rule("tls mode must be Terminate for protocol HTTPS", (list) =>
    everyListener(
      list,
      "tls",
      ({ protocol, tls }) => protocol !== "HTTPS" || tls === undefined || tls.mode === "Terminate",
    ),
  )
  .rule("tls mode must be set for protocol TLS", (list) =>
    everyListener(list, "tls", ({ protocol, tls }) => protocol !== "TLS" || tls !== undefined),
  )
  .rule("hostname must not be specified for protocols ['TCP', 'UDP']", (list) =>
    everyListener(
      list,
      "hostname",
      (one) => one.hostname === undefined || !["TCP", "UDP"].includes(one.protocol),
    ),
  )
  .rule("Listener name must be unique within the Gateway", (list) =>
    everyPair(list, (a, b) => a.name !== b.name),
  )
  .rule("Combination of port, protocol and hostname must be unique for each listener", (list) =>
    everyPair(list, (a, b) => a.port !== b.port || a.protocol !== b.protocol || a.hostname !== b.hostname),
  );

function everyListener(
  list: readonly Listener[],
  field: keyof Listener,
  holds: (one: Listener) => boolean,
): RuleVerdict {
  const index = list.findIndex((one) => !holds(one));
  return index < 0 ? true : [index, field];
}

import { allowedListeners } from "./allowed-routes.ts";
import { addressType, annotationValue, labelValue, objectName, portNumber } from "./api-scalars.ts";
import { gates } from "./gates.ts";
import { isIPAddress } from "./ip-address.ts";
import { labelSelector } from "./label-selector.ts";
import { listeners } from "./listener.ts";
import {
  everyPair,
  localObjectReference,
  objectReference,
  secretObjectReference,
} from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { array, map } from "./schema-collections.ts";
import { defaulted, experimental, gated, object, optional, required } from "./schema-object.ts";
import { oneOf, string } from "./schema-scalars.ts";
import type { Infer, RuleVerdict } from "./schema.ts";
import { gatewayTrustBundle } from "./trust-bundle.ts";

const hostnamePattern = "^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const hostnameExpression = new RegExp(hostnamePattern);

const gatewaySpecAddress = object({
  type: defaulted(addressType, "IPAddress"),
  value: optional(string({ maxLength: 253 })),
})
  .rule(
    "value must be an IPv4 or IPv6 address when type is IPAddress",
    ({ type, value }) => type !== "IPAddress" || value === undefined || isIPAddress(value) || ["value"],
    { keyword: "oneOf" },
  )
  .rule(
    `Hostname value must be empty or contain only valid characters (matching ${hostnamePattern})`,
    ({ type, value }) =>
      type !== "Hostname" || value === undefined || hostnameExpression.test(value) || ["value"],
  );
export type GatewaySpecAddress = Infer<typeof gatewaySpecAddress>;

const addresses = array(gatewaySpecAddress, { maxItems: 16 })
  .rule("IPAddress values must be unique", (list) => uniqueValues(list, "IPAddress"))
  .rule("Hostname values must be unique", (list) => uniqueValues(list, "Hostname"));

function uniqueValues(list: readonly GatewaySpecAddress[], type: string): RuleVerdict {
  return everyPair(
    list,
    (a, b) => a.type !== type || b.type !== type || a.value === undefined || a.value !== b.value,
  );
}

const keyExpression =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;

const everyKeyIsQualified = (entries: object): RuleVerdict =>
  everyKey(entries, (key) => keyExpression.test(key));
const everyPrefixIsShort = (entries: object): RuleVerdict =>
  everyKey(entries, (key) => (key.split("/", 1)[0] ?? "").length < 253);

function everyKey(entries: object, holds: (key: string) => boolean): RuleVerdict {
  const culprit = Object.keys(entries).find((key) => !holds(key));
  return culprit === undefined ? true : [culprit];
}

const gatewayInfrastructure = object({
  labels: optional(
    map(labelValue, { maxProperties: 8 })
      .rule(
        "Label keys must be in the form of an optional DNS subdomain prefix followed by a required name segment of up to 63 characters.",
        everyKeyIsQualified,
      )
      .rule(
        "If specified, the label key's prefix must be a DNS subdomain not longer than 253 characters in total.",
        everyPrefixIsShort,
      ),
  ),
  annotations: optional(
    map(annotationValue, { maxProperties: 16 })
      .rule(
        "Annotation keys must be in the form of an optional DNS subdomain prefix followed by a required name segment of up to 63 characters.",
        everyKeyIsQualified,
      )
      .rule(
        "If specified, the annotation key's prefix must be a DNS subdomain not longer than 253 characters in total.",
        everyPrefixIsShort,
      ),
  ),
  parametersRef: optional(localObjectReference),
});
export type GatewayInfrastructure = Infer<typeof gatewayInfrastructure>;

const frontendTLSValidation = object({
  caCertificateRefs: required(array(objectReference, { minItems: 1, maxItems: 16 })),
  mode: defaulted(oneOf(["AllowValidOnly", "AllowInsecureFallback"]), "AllowValidOnly"),
});
export type FrontendTLSValidation = Infer<typeof frontendTLSValidation>;

const tlsConfig = object({ validation: optional(frontendTLSValidation) });
export type TLSConfig = Infer<typeof tlsConfig>;

const tlsPortConfig = object({ port: required(portNumber), tls: required(tlsConfig) });
export type TLSPortConfig = Infer<typeof tlsPortConfig>;

const frontendTLSConfig = object({
  default: required(tlsConfig),
  perPort: optional(
    array(tlsPortConfig, { maxItems: 64, mapKeys: ["port"] }).rule(
      "Port for TLS configuration must be unique within the Gateway",
      (list) => everyPair(list, (a, b) => a.port !== b.port),
    ),
  ),
});
export type FrontendTLSConfig = Infer<typeof frontendTLSConfig>;

const gatewayBackendTLS = object({ clientCertificateRef: optional(secretObjectReference) });
export type GatewayBackendTLS = Infer<typeof gatewayBackendTLS>;

const gatewayTLSConfig = object({
  backend: optional(gatewayBackendTLS),
  frontend: optional(frontendTLSConfig),
});
export type GatewayTLSConfig = Infer<typeof gatewayTLSConfig>;

const gatewayMesh = object({
  trustBundle: required(gatewayTrustBundle.describe("Who may be a backend of a route that is meshed.")),
  labelSelector: required(
    labelSelector.describe("Routes that are meshed: by their own labels, or by those of their namespace."),
  ),
}).describe(
  "EXPERIMENTAL (GEP-3951), not for production: this Gateway is outside of the cluster and takes part in its mesh.",
);
export type GatewayMesh = Infer<typeof gatewayMesh>;

const gatewaySpec = object({
  gatewayClassName: required(objectName),
  listeners: required(listeners),
  addresses: optional(addresses),
  infrastructure: optional(gatewayInfrastructure),
  allowedListeners: optional(allowedListeners),
  tls: optional(gatewayTLSConfig),
  defaultScope: experimental(optional(oneOf(["All", "None"]))),
  mesh: gated(gates.gateway, optional(gatewayMesh)),
});
export type GatewaySpec = Infer<typeof gatewaySpec>;

export const gateway = namespaced("Gateway", { spec: required(gatewaySpec) });
export type Gateway = Infer<typeof gateway>;

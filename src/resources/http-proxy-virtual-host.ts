/** The virtual host of a root HTTPProxy: its name, its TLS and what holds for all of its routes. */
import { wildcardHostnamePattern } from "./api-scalars.ts";
import { corsPolicy, ipFilterPolicy, rateLimitPolicy } from "./http-proxy-policy.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { boolean, raw, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const secretName = string({ minLength: 1 });

const clientValidation = object({
  caSecret: optional(secretName),
  skipClientCertValidation: optional(boolean()),
  forwardClientCertificate: optional(raw()),
  crlSecret: optional(secretName),
  crlOnlyVerifyLeafCert: optional(boolean()),
  optionalClientCertificate: optional(boolean()),
});
export type HTTPProxyClientValidation = Infer<typeof clientValidation>;

const tls = object({
  secretName: optional(string()),
  minimumProtocolVersion: optional(string()),
  maximumProtocolVersion: optional(string()),
  passthrough: optional(boolean()),
  clientValidation: optional(clientValidation),
  enableFallbackCertificate: optional(boolean()),
});
export type HTTPProxyTLS = Infer<typeof tls>;

export const httpProxyVirtualHost = object({
  fqdn: required(string({ pattern: wildcardHostnamePattern })),
  tls: optional(tls),
  authorization: optional(raw()),
  corsPolicy: optional(corsPolicy),
  rateLimitPolicy: optional(rateLimitPolicy),
  jwtProviders: optional(array(raw())),
  ipAllowPolicy: optional(ipFilterPolicy),
  ipDenyPolicy: optional(ipFilterPolicy),
});
export type HTTPProxyVirtualHost = Infer<typeof httpProxyVirtualHost>;

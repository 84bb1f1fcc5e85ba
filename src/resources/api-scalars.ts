/** The named strings and numbers of the Gateway API (its shared_types.go), each with the API's own limits. */
import { integer, string, type Pattern } from "./schema-scalars.ts";

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dnsName = `${dnsLabel}(\\.${dnsLabel})*`;
const domainPath = `${dnsName}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+`;

export const dnsNamePattern: Pattern = {
  source: `^${dnsName}$`,
  is: "a lowercase DNS name, such as example.com",
};
export const wildcardHostnamePattern: Pattern = {
  source: `^(\\*\\.)?${dnsName}$`,
  is: "a lowercase DNS name, such as example.com or *.example.com",
};
export const durationPattern: Pattern = {
  source: "^([0-9]{1,5}(h|m|s|ms)){1,4}$",
  is: "a duration, such as 10s, 1m30s or 500ms",
};
const dnsLabelPattern: Pattern = { source: `^${dnsLabel}$`, is: "lowercase letters, digits and hyphens" };

/** A hostname that may start with the wildcard label `*.`. */
export const hostname = string({ minLength: 1, maxLength: 253, pattern: wildcardHostnamePattern });
/** A hostname without wildcard. */
export const preciseHostname = string({ minLength: 1, maxLength: 253, pattern: dnsNamePattern });
export const sectionName = string({ minLength: 1, maxLength: 253, pattern: dnsNamePattern });
export const group = string({
  maxLength: 253,
  pattern: { source: `^$|^${dnsName}$`, is: "an API group, such as gateway.networking.k8s.io, or empty" },
});
export const kind = string({
  minLength: 1,
  maxLength: 63,
  pattern: { source: "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$", is: "a kind, such as Service" },
});
export const objectName = string({ minLength: 1, maxLength: 253 });
export const namespaceName = string({ minLength: 1, maxLength: 63, pattern: dnsLabelPattern });
export const portNumber = integer({ minimum: 1, maximum: 65535, format: "int32" });
export const duration = string({ pattern: durationPattern });
export const controllerName = string({
  minLength: 1,
  maxLength: 253,
  pattern: { source: `^${domainPath}$`, is: "a domain and a path, such as example.com/gateway-controller" },
}).transitionRule("Value is immutable");
export const addressType = string({
  minLength: 1,
  maxLength: 253,
  pattern: {
    source: `^Hostname|IPAddress|NamedAddress|${domainPath}$`,
    is: "Hostname, IPAddress, NamedAddress or a domain and a path",
  },
});
export const protocolType = string({
  minLength: 1,
  maxLength: 255,
  pattern: {
    source: `^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$|${dnsName}\\/[A-Za-z0-9]+$`,
    is: "HTTP, HTTPS, TLS, TCP, UDP or a domain and a name",
  },
});
export const annotationValue = string({ minLength: 0, maxLength: 4096 });
export const labelValue = string({
  minLength: 0,
  maxLength: 63,
  pattern: { source: "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$", is: "a label value" },
});
export const httpHeaderName = string({
  minLength: 1,
  maxLength: 256,
  pattern: { source: "^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$", is: "an HTTP field name" },
});
/**
 * The experimental channel adds a pattern here, which we do not enforce: an object that the standard channel accepts
 * is accepted. Whoever puts the value into an HTTP message asks `isFieldValue` first.
 */
export const httpHeaderValue = string({
  minLength: 1,
  maxLength: 4096,
  experimentalPattern: "^[!-~]+([\\t ]?[!-~]+)*$",
});

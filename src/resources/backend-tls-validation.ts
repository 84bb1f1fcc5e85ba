/** How the TLS certificate of a backend is checked: of BackendTLSPolicy and of XBackend. */
import { hostname, preciseHostname } from "./api-scalars.ts";
import { localObjectReference } from "./object-reference.ts";
import { array } from "./schema-collections.ts";
import { object, optional, required } from "./schema-object.ts";
import { oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const subjectAltName = object({
  type: required(oneOf(["Hostname", "URI"])),
  hostname: optional(hostname),
  uri: optional(
    string({
      minLength: 1,
      maxLength: 253,
      pattern: {
        source: "^(([^:/?#]+):)(//([^/?#]*))([^?#]*)(\\?([^#]*))?(#(.*))?",
        is: "a URI, such as spiffe://example.com/web",
      },
    }),
  ),
})
  .rule(
    "SubjectAltName element must contain Hostname, if Type is set to Hostname",
    (name) => name.type !== "Hostname" || name.hostname !== undefined,
  )
  .rule(
    "SubjectAltName element must not contain Hostname, if Type is not set to Hostname",
    (name) => name.type === "Hostname" || name.hostname === undefined,
  )
  .rule(
    "SubjectAltName element must contain URI, if Type is set to URI",
    (name) => name.type !== "URI" || name.uri !== undefined,
  )
  .rule(
    "SubjectAltName element must not contain URI, if Type is not set to URI",
    (name) => name.type === "URI" || name.uri === undefined,
  );
export type SubjectAltName = Infer<typeof subjectAltName>;

export const backendTLSValidation = object({
  caCertificateRefs: optional(array(localObjectReference, { maxItems: 8 })),
  wellKnownCACertificates: optional(
    string({
      minLength: 1,
      maxLength: 253,
      pattern: {
        source:
          "^(System|([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]))$",
        is: "System or a domain and a name",
      },
    }),
  ),
  hostname: required(preciseHostname),
  subjectAltNames: optional(array(subjectAltName, { maxItems: 5 })),
})
  .rule(
    "must not contain both CACertificateRefs and WellKnownCACertificates",
    ({ caCertificateRefs = [], wellKnownCACertificates }) =>
      caCertificateRefs.length === 0 || wellKnownCACertificates === undefined,
  )
  .rule(
    "must specify either CACertificateRefs or WellKnownCACertificates",
    ({ caCertificateRefs = [], wellKnownCACertificates }) =>
      caCertificateRefs.length > 0 || wellKnownCACertificates !== undefined,
  );
export type BackendTLSPolicyValidation = Infer<typeof backendTLSValidation>;

import { dnsNamePattern, portNumber } from "./api-scalars.ts";
import { backendTLSValidation } from "./backend-tls-validation.ts";
import { secretObjectReference } from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { object, optional, required } from "./schema-object.ts";
import { oneOf, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const backendPort = object({
  name: optional(
    string({ maxLength: 63 }).rule(
      "Name must be a valid DNS label",
      (name) => name === "" || dnsLabel.test(name),
    ),
  ),
  port: required(portNumber),
});
export type BackendPort = Infer<typeof backendPort>;

const externalHostnameBackend = object({
  hostname: required(
    string({ minLength: 1, maxLength: 253, pattern: dnsNamePattern }).rule(
      "hostname must not be an IP address or end with .cluster.local",
      (hostname) => !hostname.endsWith(".cluster.local"),
    ),
  ),
});
export type ExternalHostnameBackend = Infer<typeof externalHostnameBackend>;

const backendTLS = object({
  mode: required(oneOf(["None", "ServerOnly", "ClientAndServer"])),
  clientCertificateRef: optional(secretObjectReference),
  validation: optional(backendTLSValidation),
}).rule(
  "clientCertificateRef must be set if and only if mode is ClientAndServer",
  ({ mode, clientCertificateRef }) => (mode === "ClientAndServer") === (clientCertificateRef !== undefined),
);
export type BackendTLS = Infer<typeof backendTLS>;

const xBackendSpec = object({
  type: required(oneOf(["ExternalHostname"])),
  externalHostname: optional(externalHostnameBackend),
  port: required(backendPort),
  protocol: optional(oneOf(["TCP", "HTTP", "HTTP2", "HTTP11", "H2C", "MCP"])),
  tls: optional(backendTLS),
}).rule(
  "externalHostname must be set when type is ExternalHostname and must be unset otherwise",
  ({ type, externalHostname }) => (type === "ExternalHostname") === (externalHostname !== undefined),
);
export type XBackendSpec = Infer<typeof xBackendSpec>;

export const xBackend = namespaced("XBackend", { spec: required(xBackendSpec) });
export type XBackend = Infer<typeof xBackend>;

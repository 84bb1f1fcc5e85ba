import { describeKind } from "../../test/resources/kind-cases.ts";

const external = {
  type: "ExternalHostname",
  externalHostname: { hostname: "api.example.com" },
  port: { port: 443 },
};
const withTls = (tls: object) => ({ ...external, tls });
const validation = { hostname: "api.example.com", wellKnownCACertificates: "System" };
const names = (...subjectAltNames: unknown[]) =>
  withTls({ mode: "ServerOnly", validation: { ...validation, subjectAltNames } });

describeKind({
  kind: "XBackend",
  valid: {
    "an external hostname": external,
    "a named port and a protocol": { ...external, port: { name: "https", port: 443 }, protocol: "HTTP2" },
    "an empty port name": { ...external, port: { name: "", port: 443 } },
    "TLS with a client certificate": withTls({
      mode: "ClientAndServer",
      clientCertificateRef: { name: "cert" },
      validation,
    }),
    "no TLS": withTls({ mode: "None" }),
  },
  invalid: {
    "a missing hostname": [
      { type: "ExternalHostname", port: { port: 443 } },
      ": externalHostname must be set when type is ExternalHostname and must be unset otherwise",
    ],
    "a hostname inside the cluster": [
      { ...external, externalHostname: { hostname: "web.shop.svc.cluster.local" } },
      "externalHostname.hostname: hostname must not be an IP address or end with .cluster.local",
    ],
    "a port name that is none": [
      { ...external, port: { name: "-a", port: 443 } },
      "port.name: Name must be a valid DNS label",
    ],
    "client certificates that do not fit the mode": [
      withTls({ mode: "ClientAndServer" }),
      "tls: clientCertificateRef must be set if and only if mode is ClientAndServer",
    ],
    "both kinds of certificates": [
      withTls({
        mode: "ServerOnly",
        validation: { ...validation, caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }] },
      }),
      "tls.validation: must not contain both CACertificateRefs and WellKnownCACertificates",
    ],
    "no certificates": [
      withTls({ mode: "ServerOnly", validation: { hostname: "api.example.com" } }),
      "tls.validation: must specify either CACertificateRefs or WellKnownCACertificates",
    ],
    "alternative names of the wrong type": [
      names({ type: "Hostname", uri: "spiffe://a/b" }, { type: "URI", hostname: "example.com" }),
      "tls.validation.subjectAltNames[0]: SubjectAltName element must contain Hostname, if Type is set to Hostname",
      "tls.validation.subjectAltNames[0]: SubjectAltName element must not contain URI, if Type is not set to URI",
      "tls.validation.subjectAltNames[1]: SubjectAltName element must not contain Hostname, if Type is not set to Hostname",
      "tls.validation.subjectAltNames[1]: SubjectAltName element must contain URI, if Type is set to URI",
    ],
    "another type": [
      { ...external, type: "externalHostname" },
      'type: must be one of ExternalHostname, not "externalHostname"; did you mean "ExternalHostname"?',
    ],
  },
});

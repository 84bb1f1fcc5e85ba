import { describe, expect, it } from "vitest";
import { describeKind } from "../../test/resources/kind-cases.ts";
import { readAs } from "../../test/resources/problems-of.ts";

const http = { name: "http", port: 80, protocol: "HTTP" };
const certificate = { certificateRefs: [{ name: "cert" }] };
const https = { name: "https", port: 443, protocol: "HTTPS", tls: certificate };
const withListeners = (...listeners: unknown[]) => ({ gatewayClassName: "c", listeners });
const withMore = (more: object) => ({ ...withListeners(http), ...more });
const named = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...http, name: `l${i}`, port: 1000 + i }));

const duplicate = "must not be in the list twice: each item needs its own name";
const hostnamePattern = "^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const combination = "Combination of port, protocol and hostname must be unique for each listener";

describeKind({
  kind: "Gateway",
  valid: {
    "one HTTP listener": withListeners(http),
    "as many listeners as there may be": withListeners(...named(64)),
    "listeners that differ in hostname only": withListeners(
      { ...http, hostname: "a.example.com" },
      { ...http, name: "other", hostname: "*.example.com" },
      { ...http, name: "any" },
    ),
    "HTTPS with certificates": withListeners(https),
    "HTTPS with options instead of certificates": withListeners({
      ...https,
      tls: { options: { "example.com/certificate": "made-for-you" } },
    }),
    "HTTPS without tls, which the API leaves to the controller": withListeners({ ...https, tls: undefined }),
    "TLS passed through": withListeners({ ...https, protocol: "TLS", tls: { mode: "Passthrough" } }),
    "TCP and UDP on one port": withListeners(
      { name: "tcp", port: 53, protocol: "TCP" },
      { name: "udp", port: 53, protocol: "UDP" },
    ),
    "a protocol of someone's own": withListeners({ ...http, protocol: "example.com/quic" }),
    "addresses of all types": withMore({
      addresses: [
        { value: "192.0.2.1" },
        { type: "IPAddress", value: "2001:db8::1" },
        { type: "IPAddress" },
        { type: "IPAddress" },
        { type: "Hostname", value: "*.example.com" },
        { type: "Hostname" },
        { type: "NamedAddress", value: "any thing" },
        { type: "example.com/pool", value: "blue" },
      ],
    }),
    "the same value as different types": withMore({
      addresses: [
        { type: "Hostname", value: "192.0.2.1" },
        { type: "IPAddress", value: "192.0.2.1" },
      ],
    }),
    "labels and annotations for what is made": withMore({
      infrastructure: {
        labels: { "example.com/a": "b", plain: "" },
        annotations: { "example.com/a": "any text at all" },
        parametersRef: { group: "example.com", kind: "Config", name: "config" },
      },
    }),
    "client certificates, by default and by port": withMore({
      tls: {
        backend: { clientCertificateRef: { name: "cert" } },
        frontend: {
          default: { validation: { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }] } },
          perPort: [{ port: 443, tls: {} }],
        },
      },
    }),
    "null where a field could be": withMore({ addresses: null, tls: null }),
    "a default scope": withMore({ defaultScope: "All" }),
  },
  invalid: {
    "no listeners": [withListeners(), "listeners: must not be empty"],
    "too many listeners": [withListeners(...named(65)), "listeners: must have at most 64 items, but has 65"],
    "an incomplete listener": [
      { gatewayClassName: "", listeners: [{}] },
      "gatewayClassName: must not be empty",
      "listeners[0].name: is required",
      "listeners[0].port: is required",
      "listeners[0].protocol: is required",
    ],
    "ports that are none": [
      withListeners(
        { ...http, port: 0 },
        { ...http, name: "b", port: 65536 },
        { ...http, name: "c", port: "80" },
      ),
      "listeners[0].port: must be between 1 and 65535, not 0",
      "listeners[1].port: must be between 1 and 65535, not 65536",
      'listeners[2].port: must be a whole number, not "80"; remove the quotes',
    ],
    "tls for HTTP": [
      withListeners({ ...http, tls: certificate }),
      "listeners[0].tls: tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']",
    ],
    "HTTPS passed through": [
      withListeners({ ...https, tls: { mode: "Passthrough" } }),
      "listeners[0].tls: tls mode must be Terminate for protocol HTTPS",
    ],
    "TLS without tls": [
      withListeners({ ...https, protocol: "TLS", tls: undefined }),
      "listeners[0].tls: tls mode must be set for protocol TLS",
    ],
    "a hostname for TCP": [
      withListeners(http, { name: "tcp", port: 53, protocol: "TCP", hostname: "example.com" }),
      "listeners[1].hostname: hostname must not be specified for protocols ['TCP', 'UDP']",
    ],
    "two listeners of one name": [
      withListeners(http, { ...http, port: 81 }),
      `listeners[1]: ${duplicate}`,
      "listeners[1]: Listener name must be unique within the Gateway",
    ],
    "two listeners of one port, protocol and hostname": [
      withListeners(http, { ...http, name: "other" }),
      `listeners[1]: ${combination}`,
    ],
    "nothing to terminate TLS with": [
      withListeners({ ...https, tls: { certificateRefs: [], options: {} } }),
      "listeners[0].tls: certificateRefs or options must be specified when mode is Terminate",
    ],
    "an address that is no IP address": [
      withMore({ addresses: [{ value: "192.0.2.256" }, { value: "" }] }),
      "addresses[0].value: value must be an IPv4 or IPv6 address when type is IPAddress",
      "addresses[1].value: value must be an IPv4 or IPv6 address when type is IPAddress",
    ],
    "a hostname that is none": [
      withMore({ addresses: [{ type: "Hostname", value: "a_b" }] }),
      `addresses[0].value: Hostname value must be empty or contain only valid characters (matching ${hostnamePattern})`,
    ],
    "repeated IP addresses": [
      withMore({ addresses: [{ value: "192.0.2.1" }, { value: "192.0.2.1" }] }),
      "addresses[1]: IPAddress values must be unique",
    ],
    "repeated hostnames": [
      withMore({
        addresses: [
          { type: "Hostname", value: "a.example" },
          { type: "Hostname", value: "a.example" },
        ],
      }),
      "addresses[1]: Hostname values must be unique",
    ],
    "keys that are no labels": [
      withMore({ infrastructure: { labels: { "a b": "c" }, annotations: { "-": "c" } } }),
      'infrastructure.labels["a b"]: Label keys must be in the form of an optional DNS subdomain prefix followed by a required name segment of up to 63 characters.',
      'infrastructure.annotations["-"]: Annotation keys must be in the form of an optional DNS subdomain prefix followed by a required name segment of up to 63 characters.',
    ],
    "keys with a long prefix": [
      withMore({
        infrastructure: {
          labels: { [`${"a".repeat(253)}/b`]: "c" },
          annotations: { [`${"a".repeat(253)}/b`]: "c" },
        },
      }),
      `infrastructure.labels["${"a".repeat(253)}/b"]: If specified, the label key's prefix must be a DNS subdomain not longer than 253 characters in total.`,
      `infrastructure.annotations["${"a".repeat(253)}/b"]: If specified, the annotation key's prefix must be a DNS subdomain not longer than 253 characters in total.`,
    ],
    "two configurations for one port": [
      withMore({
        tls: {
          frontend: {
            default: {},
            perPort: [
              { port: 443, tls: {} },
              { port: 443, tls: {} },
            ],
          },
        },
      }),
      "tls.frontend.perPort[1]: must not be in the list twice: each item needs its own port",
      "tls.frontend.perPort[1]: Port for TLS configuration must be unique within the Gateway",
    ],
  },
});

describe("Gateway defaults", () => {
  it("are those of the API", () => {
    const gateway = readAs("Gateway", {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "Gateway",
      metadata: { name: "it" },
      spec: {
        gatewayClassName: "c",
        listeners: [https, { ...http, allowedRoutes: { kinds: [{ kind: "HTTPRoute" }] } }],
        addresses: [{ value: "192.0.2.1" }],
        allowedListeners: {},
        tls: {
          frontend: {
            default: { validation: { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }] } },
          },
        },
      },
    });
    expect(gateway.spec).toEqual({
      gatewayClassName: "c",
      listeners: [
        {
          ...https,
          tls: { mode: "Terminate", certificateRefs: [{ group: "", kind: "Secret", name: "cert" }] },
          allowedRoutes: { namespaces: { from: "Same" } },
        },
        {
          ...http,
          allowedRoutes: {
            namespaces: { from: "Same" },
            kinds: [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute" }],
          },
        },
      ],
      addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
      allowedListeners: { namespaces: { from: "None" } },
      tls: {
        frontend: {
          default: {
            validation: {
              caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }],
              mode: "AllowValidOnly",
            },
          },
        },
      },
    });
  });
});

import { describeKind } from "../../test/resources/kind-cases.ts";

const parentRef = { name: "gateway" };
const http = { name: "http", port: 80, protocol: "HTTP" };
const tls = { certificateRefs: [{ name: "cert" }] };
const withListeners = (...listeners: unknown[]) => ({ parentRef, listeners });

describeKind({
  kind: "ListenerSet",
  valid: {
    "one listener": withListeners(http),
    "a parent elsewhere": { parentRef: { ...parentRef, namespace: "infra" }, listeners: [http] },
    HTTPS: withListeners({ name: "https", port: 443, protocol: "HTTPS", tls }),
  },
  invalid: {
    "no parent": [{ listeners: [http] }, "parentRef: is required"],
    "no listeners": [withListeners(), "listeners: must not be empty"],
    "a listener without port": [
      withListeners({ name: "http", protocol: "HTTP" }),
      "listeners[0].port: is required",
    ],
    "a section of the parent": [
      { parentRef: { ...parentRef, sectionName: "http" }, listeners: [http] },
      "parentRef.sectionName: is not a known field; the fields here are group, kind, name, namespace",
    ],
    "tls for UDP": [
      withListeners({ name: "dns", port: 53, protocol: "UDP", tls }),
      "listeners[0].tls: tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']",
    ],
    "HTTPS passed through": [
      withListeners({ name: "https", port: 443, protocol: "HTTPS", tls: { mode: "Passthrough" } }),
      "listeners[0].tls: tls mode must be Terminate for protocol HTTPS",
    ],
    "TLS without tls": [
      withListeners({ name: "tls", port: 443, protocol: "TLS" }),
      "listeners[0].tls: tls mode must be set for protocol TLS",
    ],
    "a hostname for UDP": [
      withListeners({ name: "dns", port: 53, protocol: "UDP", hostname: "example.com" }),
      "listeners[0].hostname: hostname must not be specified for protocols ['TCP', 'UDP']",
    ],
    "two listeners of one name": [
      withListeners(http, { ...http, port: 81 }),
      "listeners[1]: must not be in the list twice: each item needs its own name",
      "listeners[1]: Listener name must be unique within the Gateway",
    ],
    "two listeners of one port": [
      withListeners(http, { ...http, name: "other" }),
      "listeners[1]: Combination of port, protocol and hostname must be unique for each listener",
    ],
    "nothing to terminate TLS with": [
      withListeners({ name: "https", port: 443, protocol: "HTTPS", tls: {} }),
      "listeners[0].tls: certificateRefs or options must be specified when mode is Terminate",
    ],
  },
});

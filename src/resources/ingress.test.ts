import { describeKind } from "../../test/resources/kind-cases.ts";

const service = { name: "web", port: { number: 80 } };
const backend = { service };
const one = (path: object) => ({ rules: [{ http: { paths: [path] } }] });
const at = "rules[0].http.paths[0]";
const absolute = "must be an absolute path, beginning with /";
const sequences = "must not have //, /./, /../, %2f, %2F in it, nor end in /.. or /.";

describeKind({
  kind: "Ingress",
  valid: {
    "a default backend alone": { defaultBackend: backend },
    "all fields": {
      ingressClassName: "edge",
      defaultBackend: { resource: { apiGroup: "k8s.example.com", kind: "Bucket", name: "icons" } },
      tls: [{ hosts: ["a.example.com", "*.example.com"], secretName: "tls" }, {}],
      rules: [
        { host: "a.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } },
        { host: "*.example.com" },
        {
          host: "",
          http: {
            paths: [
              {
                pathType: "ImplementationSpecific",
                backend: { service: { name: "web", port: { name: "http" } } },
              },
            ],
          },
        },
      ],
    },
    "an expression": one({ path: "/a(/|$)(.*)//", pathType: "ImplementationSpecific", backend }),
  },
  invalid: {
    "neither rules nor a default backend": [
      { rules: [] },
      ": either defaultBackend or rules must be specified",
    ],
    "an address as host": [
      { rules: [{ host: "192.0.2.1" }] },
      "rules[0].host: must be a DNS name, not an IP address",
    ],
    "no paths": [{ rules: [{ http: { paths: [] } }] }, "rules[0].http.paths: must not be empty"],
    "no path type": [one({ path: "/", backend }), `${at}.pathType: is required`],
    "a relative path": [one({ path: "a", pathType: "Prefix", backend }), `${at}.path: ${absolute}`],
    "an expression that does not begin with a slash": [
      one({ path: "^/a", pathType: "ImplementationSpecific", backend }),
      `${at}.path: ${absolute}`,
    ],
    "a path that is not normal": [
      one({ path: "/a/../b", pathType: "Exact", backend }),
      `${at}.path: ${sequences}`,
    ],
    "two backends in one": [
      { defaultBackend: { service, resource: { kind: "Bucket", name: "icons" } } },
      "defaultBackend: must have a service or a resource, and not both",
    ],
    "a port by name and number": [
      { defaultBackend: { service: { name: "web", port: { name: "http", number: 80 } } } },
      "defaultBackend.service.port: must have a name or a number, and not both",
    ],
  },
});

describeKind({
  kind: "IngressClass",
  valid: {
    "a controller": { controller: "example.com/ingress" },
    "a Gateway as parameters": {
      controller: "example.com/ingress",
      parameters: {
        apiGroup: "gateway.networking.k8s.io",
        kind: "Gateway",
        name: "web",
        scope: "Namespace",
        namespace: "infra",
      },
    },
    "cluster-scoped parameters": {
      controller: "example.com/ingress",
      parameters: { kind: "Settings", name: "x" },
    },
  },
  invalid: {
    "no controller": [{}, "controller: is required"],
    "a scope without its namespace": [
      { controller: "example.com/ingress", parameters: { kind: "Gateway", name: "web", scope: "Namespace" } },
      "parameters.namespace: namespace is for the scope Namespace, which needs it",
    ],
  },
});

import { describeKind } from "../../test/resources/kind-cases.ts";

describeKind({
  kind: "GatewayClass",
  valid: {
    "a controller name": { controllerName: "example.com/controller" },
    "all fields": {
      controllerName: "example.com/a/b-c_d~e",
      description: "x".repeat(64),
      parametersRef: { group: "", kind: "ConfigMap", name: "config", namespace: "infra" },
    },
    "cluster-scoped parameters": {
      controllerName: "example.com/controller",
      parametersRef: { group: "example.com", kind: "Config", name: "config" },
    },
  },
  invalid: {
    "a missing controller name": [{}, "controllerName: is required"],
    "a controller name without a path": [
      { controllerName: "example.com" },
      'controllerName: "example.com" must be a domain and a path, such as example.com/gateway-controller (matching ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/[A-Za-z0-9\\/\\-._~%!$&\'()*+,;=:]+$)',
    ],
    "a long description, counted in characters": [
      { controllerName: "example.com/controller", description: "😀".repeat(65) },
      "description: must have at most 64 characters, but has 65",
    ],
    "incomplete parameters": [
      { controllerName: "example.com/controller", parametersRef: { name: "config" } },
      "parametersRef.group: is required",
      "parametersRef.kind: is required",
    ],
    "no spec at all": [undefined, ": is required"],
  },
});

import { describeKind } from "../../test/resources/kind-cases.ts";

describeKind({
  kind: "XMesh",
  valid: {
    "a controller name": { controllerName: "example.com/mesh" },
    "all fields": {
      controllerName: "example.com/mesh",
      description: "a mesh",
      parametersRef: { group: "example.com", kind: "MeshConfig", name: "config", namespace: "infra" },
    },
  },
  invalid: {
    "a missing controller name": [{}, "controllerName: is required"],
    "a long description": [
      { controllerName: "example.com/mesh", description: "x".repeat(65) },
      "description: must have at most 64 characters, but has 65",
    ],
  },
});

import { describeKind } from "../../test/resources/kind-cases.ts";

const from = [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: "shop" }];
const to = [{ group: "", kind: "Service" }];

for (const version of ["v1", "v1beta1"]) {
  describeKind({
    kind: "ReferenceGrant",
    version,
    valid: {
      "a whole kind": { from, to },
      "one object": { from, to: [{ group: "", kind: "Secret", name: "cert" }] },
    },
    invalid: {
      "empty lists": [{ from: [], to: [] }, "from: must not be empty", "to: must not be empty"],
      "missing parts": [
        { from: [{}], to: [{}] },
        "from[0].group: is required",
        "from[0].kind: is required",
        "from[0].namespace: is required",
        "to[0].group: is required",
        "to[0].kind: is required",
      ],
      "too much": [
        { from: Array(17).fill(from[0]), to: Array(17).fill(to[0]) },
        "from: must have at most 16 items, but has 17",
        "to: must have at most 16 items, but has 17",
      ],
    },
  });
}

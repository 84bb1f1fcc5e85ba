import { expect, it } from "vitest";
import { readMesh } from "./mesh-flags.ts";

it("1.2.6: the mesh is chosen by flags, else by the environment, else by the release", () => {
  const flags = new Map([
    ["gateway-api-operator-catalog", "own"],
    ["gateway-api-operator-version", "servicemeshoperator3.v3.5.0"],
  ]);
  const invocation = { value: (name: string) => flags.get(name) };
  const environment = {
    GATEWAY_API_OPERATOR_CATALOG: "other",
    GATEWAY_API_OPERATOR_CHANNEL: "candidates",
    ISTIO_VERSION: "v1.31",
  };
  expect(readMesh(invocation, environment)).toEqual({
    catalog: "own",
    channel: "candidates",
    version: "servicemeshoperator3.v3.5.0",
    istioVersion: "v1.31",
  });
  flags.clear();
  expect(readMesh(invocation, {})).toEqual({
    catalog: "redhat-operators",
    channel: "stable",
    version: "servicemeshoperator3.v3.4.1",
    istioVersion: "v1.30-latest",
  });
});

import { defaultMesh } from "../../controller/names/index.ts";
import type { Invocation } from "../invocation.ts";

/** Which mesh is installed: by a flag, or else the environment, or else the one that the release knows. */
export function readMesh(
  invocation: Pick<Invocation, "value">,
  environment: Readonly<Record<string, string | undefined>>,
): typeof defaultMesh {
  const given = (flag: string, variable: string, unless: string) =>
    invocation.value(flag) ?? environment[variable] ?? unless;
  return {
    catalog: given("gateway-api-operator-catalog", "GATEWAY_API_OPERATOR_CATALOG", defaultMesh.catalog),
    channel: given("gateway-api-operator-channel", "GATEWAY_API_OPERATOR_CHANNEL", defaultMesh.channel),
    version: given("gateway-api-operator-version", "GATEWAY_API_OPERATOR_VERSION", defaultMesh.version),
    istioVersion: given("istio-version", "ISTIO_VERSION", defaultMesh.istioVersion),
  };
}

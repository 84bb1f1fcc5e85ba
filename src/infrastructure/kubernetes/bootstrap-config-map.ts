import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { configMaps } from "./resource-types.ts";

export const bootstrapFile = "bootstrap.json";

/** How Envoy finds the channel. Everything else comes from there. */
export function renderBootstrapConfigMap(
  fleet: Fleet,
  names: FleetNames,
  bootstrap: string,
): KubernetesObject {
  return renderObject(configMaps, fleet, names, { data: { [bootstrapFile]: bootstrap } });
}

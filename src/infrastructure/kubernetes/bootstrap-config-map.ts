import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { configMaps } from "./resource-types.ts";

/** How Envoy finds the channel. Everything else comes from there. */
export function renderBootstrapConfigMap(
  fleet: Fleet,
  names: FleetNames,
  files: Readonly<Record<string, string>>,
): KubernetesObject {
  return renderObject(configMaps, fleet, names, { data: files });
}

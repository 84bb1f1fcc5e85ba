import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import { managedByLabel, managedByValue } from "./fleet-names.ts";
import { controllerAnnotation, gatewayAnnotation } from "./object-metadata.ts";
import { gateways } from "./resource-types.ts";

/** Which Gateway an object was made for, as `<namespace>/<name>`. */
export function fleetKeyOf({ metadata }: KubernetesObject): string | undefined {
  const name = ownerOf(metadata)?.name ?? metadata.annotations?.[gatewayAnnotation];
  return name === undefined ? undefined : `${metadata.namespace ?? ""}/${name}`;
}

/**
 * Made for this fleet: it belongs to the Gateway, or says that it did to one of that name before (a Gateway that was deleted
 * and made again gets its objects back), or that it was made for one that nobody wrote. Anything else is somebody else's, whatever its name.
 */
export function belongsTo(object: KubernetesObject, fleet: Fleet): boolean {
  const { metadata } = object;
  const owner = ownerOf(metadata);
  if (owner?.uid === fleet.uid) return true;
  const name = owner?.name ?? metadata.annotations?.[gatewayAnnotation];
  return name === fleet.name && madeBy(object, [fleet.controllerName]);
}

/** Made by a controller of one of these names. */
export function madeBy({ metadata }: KubernetesObject, controllerNames: readonly string[]): boolean {
  return (
    metadata.labels?.[managedByLabel] === managedByValue &&
    controllerNames.includes(metadata.annotations?.[controllerAnnotation] ?? "")
  );
}

export function ownerOf(metadata: KubernetesObject["metadata"]) {
  return metadata.ownerReferences?.find(
    ({ apiVersion, kind }) => kind === gateways.kind && apiVersion.startsWith(`${gateways.group}/`),
  );
}

/**
 * Objects whose fleet is gone go too, but not on a mere suspicion: a Gateway that we cannot judge for the moment (its class or
 * its parameters are missing) keeps what serves it.
 */
export function isForsaken(
  object: KubernetesObject,
  gateway: KubernetesObject | undefined,
  gatewayClass: KubernetesObject | undefined,
  controllerNames: readonly string[],
): boolean {
  if (!gateway || gateway.metadata.deletionTimestamp !== undefined) return true;
  const owner = ownerOf(object.metadata);
  if (owner && owner.uid !== gateway.metadata.uid) return true;
  const controllerName = (gatewayClass?.["spec"] as { readonly controllerName?: string } | undefined)
    ?.controllerName;
  return controllerName !== undefined && !controllerNames.includes(controllerName);
}

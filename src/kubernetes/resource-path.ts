import { KubernetesError } from "./error.ts";
import type { ResourceType } from "./object.ts";

export interface PathParts {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** `/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes/cart/status` */
export function resourcePath(type: ResourceType, { namespace, name, subresource }: PathParts = {}): string {
  let path = groupPath(type);
  if (type.namespaced && namespace !== undefined) path += `/namespaces/${segment(namespace)}`;
  path += `/${type.plural}`;
  if (name !== undefined) path += `/${segment(name)}`;
  if (subresource !== undefined) path += `/${subresource}`;
  return path;
}

export function groupPath({ group, version }: Pick<ResourceType, "group" | "version">): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** A name may come from an object that somebody else wrote: it must not lead to another place. */
function segment(name: string): string {
  if (name === "" || name === "." || name === "..") {
    throw new KubernetesError(`"${name}" is no name of an object`, { code: "KUBERNETES_BAD_NAME" });
  }
  return encodeURIComponent(name);
}

export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** For `accept`. A server that has nothing of the kind answers with the whole. */
export function metadataOf(shape: "PartialObjectMetadata" | "PartialObjectMetadataList"): string {
  return `application/json;as=${shape};v=v1;g=meta.k8s.io,application/json`;
}

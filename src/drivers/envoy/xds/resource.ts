import { hash } from "node:crypto";
import type { Cluster, Listener, Messages } from "../generated/messages.ts";
import { encodeMessage, typeUrlOf, withEncoded } from "../messages/index.ts";
import type { CausingItem, RenderedResource, ResourceType } from "../rendered-resource.ts";
import { cluster, endpoints, listener, routes, scope, secret } from "./resource-types.ts";

/** A resource as it is kept: encoded once, for all proxies. */
export interface Resource {
  readonly type: ResourceType;
  readonly name: string;
  /** A digest of the content: what is equal has the same version, also after a restart of ours. */
  readonly version: string;
  /** An entry of `DeltaDiscoveryResponse.resources`. */
  readonly entry: Buffer;
  readonly content: Buffer;
  readonly causedBy: CausingItem;
  readonly onDemandFor?: string;
  /** What Envoy will ask for because of it, and without which it is not in force. */
  readonly requires: readonly Requirement[];
}

export interface Requirement {
  readonly type: ResourceType;
  /** `*`: all of them. */
  readonly name: string;
}

export function encodeResource(rendered: RenderedResource): Resource {
  const { type, name, message, causedBy, onDemandFor } = rendered;
  return withEncoded(type, message as Messages[typeof type], (bytes) => {
    const version = hash("sha256", bytes, "base64url").slice(0, 22);
    const entry = encodeEntry(type, name, version, bytes);
    const at = entry.indexOf(bytes);
    return {
      type,
      name,
      version,
      // A view of the entry, so that the same bytes are not kept twice.
      content: entry.subarray(at, at + bytes.length),
      entry,
      causedBy,
      ...(onDemandFor !== undefined && { onDemandFor }),
      requires: requirementsOf(rendered),
    };
  });
}

/** Endpoints of a cluster that has none. */
export function emptyEndpoints(name: string): Resource {
  return encodeResource({
    type: endpoints,
    name,
    message: { clusterName: name },
    causedBy: { kind: "endpoints", key: name },
  });
}

/** The secret under the name that Envoy asked for; it looks at the name inside. The last one of a field counts. */
export function encodeAlias({ type, version, content }: Resource, name: string): Buffer {
  return encodeEntry(type, name, version, Buffer.concat([content, encodeMessage(secret, { name })]));
}

/**
 * The same scope in other bytes. When Envoy refuses a response, it remembers the scopes in it that come before the bad one as if it had taken them, but
 * never puts them to use; the same bytes once more would be skipped. The limit that tells them apart is beyond what we ever send.
 */
export function encodeAnew({ type, name, version, content }: Resource, attempt: number): Buffer {
  const mark = encodeMessage(scope, {
    routeConfiguration: { maxDirectResponseBodySizeBytes: 1_048_576 + attempt },
  });
  return encodeEntry(type, name, version, Buffer.concat([content, mark]));
}

function encodeEntry(type: ResourceType, name: string, version: string, bytes: Buffer): Buffer {
  return encodeMessage("envoy.service.discovery.v3.DeltaDiscoveryResponse", {
    resources: [{ name, version, resource: { typeUrl: typeUrlOf(type), bytes } }],
  });
}

function requirementsOf({ type, message }: RenderedResource): readonly Requirement[] {
  const found: Requirement[] = [];
  if (type === cluster) {
    const { edsClusterConfig, name = "" } = message as Cluster;
    if (edsClusterConfig) found.push({ type: endpoints, name: edsClusterConfig.serviceName || name });
    collect(message, found);
  }
  if (type === listener) collect(message as Listener, found);
  return found;
}

/** References by name, wherever they stand in the message. Secrets on demand are no requirement: they are asked for by clients. */
function collect(value: unknown, found: Requirement[]): void {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
    return;
  }
  if (value instanceof Map) {
    for (const item of value.values()) collect(item, found);
    return;
  }
  const { name, sdsConfig, routeConfigName, scopedRdsConfigSource } = value as Record<string, unknown>;
  if (sdsConfig !== undefined && typeof name === "string") found.push({ type: secret, name });
  if (typeof routeConfigName === "string") found.push({ type: routes, name: routeConfigName });
  if (scopedRdsConfigSource !== undefined) found.push({ type: scope, name: "*" });
  for (const item of Object.values(value)) collect(item, found);
}

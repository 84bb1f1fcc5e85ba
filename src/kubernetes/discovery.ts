/** What the API server serves. */
import type { KubernetesClient } from "./client.ts";
import { KubernetesError } from "./error.ts";
import type { ResourceType } from "./object.ts";
import { groupPath } from "./resource-path.ts";

export interface ServedResource {
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The versions of a group, the server's favourite first; none if the group is unknown. */
export async function servedVersions(client: KubernetesClient, group: string): Promise<readonly string[]> {
  const path = group === "" ? "/api" : `/apis/${group}`;
  const answer = await readOrNothing(client, path);
  return listOf(field(answer, "versions")).flatMap((entry) => {
    const version = typeof entry === "string" ? entry : field(entry, "version");
    return typeof version === "string" ? [version] : [];
  });
}

/** What there is in one version of a group, without subresources. */
export async function servedResources(
  client: KubernetesClient,
  groupVersion: { readonly group: string; readonly version: string },
): Promise<readonly ServedResource[]> {
  const answer = await readOrNothing(client, groupPath(groupVersion));
  return listOf(field(answer, "resources")).flatMap((entry) => {
    const [plural, kind] = [field(entry, "name"), field(entry, "kind")];
    if (typeof plural !== "string" || typeof kind !== "string" || plural.includes("/")) return [];
    return [{ plural, kind, namespaced: field(entry, "namespaced") === true }];
  });
}

/**
 * Whether the server as a whole is well and yet does not serve this type. A server that is just starting, and what may
 * stand before one, answer 404 as well, and that must not pass for a deleted CustomResourceDefinition.
 */
export async function isNotServed(client: KubernetesClient, type: ResourceType): Promise<boolean> {
  const groups = await client.request({ method: "GET", path: "/apis" });
  if (field(groups, "kind") !== "APIGroupList") return false;
  const resources = await servedResources(client, type);
  return resources.every(({ plural }) => plural !== type.plural);
}

async function readOrNothing(client: KubernetesClient, path: string): Promise<unknown> {
  try {
    return await client.request({ method: "GET", path });
  } catch (error) {
    if (error instanceof KubernetesError && error.isNotFound) return undefined;
    throw error;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

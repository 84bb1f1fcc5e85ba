/** In which version the API server serves the kinds that we read: of those we know, the newest. */
import {
  KubernetesError,
  servedResources,
  servedVersions,
  type KubernetesClient,
  type ResourceType,
} from "../../kubernetes/index.ts";
import { kinds, type KindDefinition, type ResourceKind } from "../../resources/index.ts";

/** Every server that we can talk to has these, in the one version there is. */
const builtInGroups: ReadonlySet<string> = new Set(["", "discovery.k8s.io"]);

/** Kinds that are not served are not in the answer. Throws `KubernetesError`. */
export async function findServedKinds(
  client: KubernetesClient,
  wanted: Iterable<ResourceKind>,
): Promise<ReadonlyMap<ResourceKind, ResourceType>> {
  const found = new Map<ResourceKind, ResourceType>();
  const byGroup = new Map<string, KindDefinition[]>();
  for (const kind of wanted) {
    const definition = kinds.get(kind);
    if (!definition) continue;
    if (builtInGroups.has(definition.group)) found.set(kind, typeOf(definition, definition.version));
    else byGroup.set(definition.group, [...(byGroup.get(definition.group) ?? []), definition]);
  }
  await Promise.all(
    Array.from(byGroup, async ([group, definitions]) => {
      for (const type of await findInGroup(client, group, definitions))
        found.set(type.kind as ResourceKind, type);
    }),
  );
  return found;
}

async function findInGroup(
  client: KubernetesClient,
  group: string,
  definitions: readonly KindDefinition[],
): Promise<ResourceType[]> {
  const ours = new Set(definitions.flatMap(({ versions }) => versions));
  try {
    const served = (await servedVersions(client, group)).filter((version) => ours.has(version));
    const plurals = new Map(
      await Promise.all(
        served.map(async (version) => {
          const resources = await servedResources(client, { group, version });
          return [version, new Set(resources.map(({ plural }) => plural))] as const;
        }),
      ),
    );
    return definitions.flatMap((definition) => {
      const version = definition.versions.find((each) => plurals.get(each)?.has(definition.plural));
      return version === undefined ? [] : [typeOf(definition, version)];
    });
  } catch (error) {
    if (!(error instanceof KubernetesError && error.isForbidden)) throw error;
    // Somebody who may not ask finds out by trying.
    return definitions.map((definition) => typeOf(definition, definition.version));
  }
}

function typeOf({ group, plural, kind, namespaced }: KindDefinition, version: string): ResourceType {
  return { group, version, plural, kind, namespaced };
}

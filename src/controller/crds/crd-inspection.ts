/** The CRDs of a cluster, or of files, for people: what `gatewright crds` shows. */
import {
  KubernetesError,
  kubernetesClient,
  loadCredentials,
  type KubernetesClient,
  type KubernetesObject,
} from "../../kubernetes/index.ts";
import {
  crdDifferences,
  customResourceDefinitions,
  admissionPolicies,
  admissionPolicyBindings,
  deadFields,
  exportedObject,
  isGatewayApi,
  type Channel,
  type CrdBundle,
  type CrdDifference,
  type DeadFields,
} from "../../operator/index.ts";
import { readBundle } from "../cluster/read-bundle.ts";
import { EnvironmentError } from "../environment-error.ts";
import { readObjects } from "../object-files.ts";

export interface CrdOrigin {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Instead of a cluster. */
  readonly files?: readonly string[];
}

export interface CrdComparison {
  /** `v1.6.3` */
  readonly version: string;
  readonly found: number;
  readonly differences: readonly CrdDifference[];
  readonly deadFields: readonly DeadFields[];
}

export async function compareCrds(
  origin: CrdOrigin,
  channel: Channel,
  bundle: CrdBundle = readBundle({}),
): Promise<CrdComparison> {
  const found = await findCrds(origin);
  return {
    version: bundle.version,
    found: found.length,
    differences: crdDifferences(bundle, channel, found),
    deadFields: deadFields(bundle, found),
  };
}

/** What is there, as it can be applied again; the policy that guards it comes last. */
export async function exportCrds(origin: CrdOrigin): Promise<readonly KubernetesObject[]> {
  if (origin.files) return (await findCrds(origin)).map(exportedObject);
  return withClient(origin, async (client) => {
    const crds = (await client.list(customResourceDefinitions)).items.filter(isGatewayApi);
    const name = "safe-upgrades.gateway.networking.k8s.io";
    const guards = await Promise.all([
      client.get(admissionPolicies, name),
      client.get(admissionPolicyBindings, name),
    ]);
    return [...crds, ...guards.filter((guard) => guard !== undefined)].map(exportedObject);
  });
}

/** The pinned release itself. */
export function pinnedCrds(
  channel: Channel,
  bundle: CrdBundle = readBundle({}),
): readonly KubernetesObject[] {
  const { crds, safeUpgrades } = bundle.channels[channel];
  return [...crds, safeUpgrades.policy, safeUpgrades.binding];
}

async function findCrds(origin: CrdOrigin): Promise<readonly KubernetesObject[]> {
  const all = origin.files
    ? await readObjects(origin.files)
    : await withClient(origin, async (client) => (await client.list(customResourceDefinitions)).items);
  return all.filter(({ kind }) => kind === "CustomResourceDefinition").filter(isGatewayApi);
}

async function withClient<T>(
  { kubeconfig, context }: CrdOrigin,
  work: (client: KubernetesClient) => Promise<T>,
): Promise<T> {
  try {
    const credentials = await loadCredentials({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
    });
    const client = kubernetesClient({ credentials, userAgent: "gatewright", fieldManager: "gatewright" });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  } catch (cause) {
    if (!(cause instanceof KubernetesError)) throw cause;
    throw new EnvironmentError("GATEWRIGHT_CLUSTER_UNREACHABLE", cause.message, { cause });
  }
}

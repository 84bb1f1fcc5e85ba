// The operator as its Pod runs it, on a lab's API server: its ServiceAccount, a token that is bound to a Pod, and nothing else.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCrdBundle } from "../../scripts/crd-bundle.mjs";
import {
  kubernetesClient,
  KubernetesError,
  loadCredentials,
  type KubernetesClient,
  type KubernetesObject,
  type ResourceType,
} from "../../src/kubernetes/index.ts";
import {
  createOperator,
  type CrdBundle,
  type Operator,
  type OperatorOptions,
} from "../../src/operator/index.ts";
import { customResourceDefinition, platformKind } from "../../src/resources/index.ts";
import type { Condition } from "../../src/status/index.ts";
import { until, type Lab } from "../lab/lab.ts";

const clusterScoped = (group: string, plural: string, kind: string): ResourceType => ({
  group,
  version: "v1",
  plural,
  kind,
  namespaced: false,
});
export const crdType = clusterScoped(
  "apiextensions.k8s.io",
  "customresourcedefinitions",
  "CustomResourceDefinition",
);
export const policyType = clusterScoped(
  "admissionregistration.k8s.io",
  "validatingadmissionpolicies",
  "ValidatingAdmissionPolicy",
);
export const bindingType = clusterScoped(
  "admissionregistration.k8s.io",
  "validatingadmissionpolicybindings",
  "ValidatingAdmissionPolicyBinding",
);
export const roleType = clusterScoped("rbac.authorization.k8s.io", "clusterroles", "ClusterRole");
export const safeUpgrades = "safe-upgrades.gateway.networking.k8s.io";

export const namesOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name).toSorted();

/** CRDs of the Gateway API, of both groups. */
export async function crdsIn(client: KubernetesClient): Promise<readonly KubernetesObject[]> {
  const { items } = await client.list(crdType);
  return items.filter(({ metadata }) => /[.]gateway[.]networking[.](x-)?k8s[.]io$/.test(metadata.name));
}

/** Name → spec, without `conversion`. */
export function specsOf(objects: readonly KubernetesObject[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    objects.map(({ metadata, spec }) => {
      const { conversion: _conversion, ...rest } = spec as { conversion?: unknown };
      return [metadata.name, rest];
    }),
  );
}

/** A CRD that no release has. */
export function fakeCrd(plural: string, group: string): KubernetesObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: {
        "api-approved.kubernetes.io": "https://example.com",
        "gateway.networking.k8s.io/bundle-version": "v1.6.3",
        "gateway.networking.k8s.io/channel": "standard",
      },
    },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind: "Test" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      ],
    },
  };
}

/** What came of it: `allowed`, or what the API server said. */
export function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "allowed",
    (error: unknown) => (error instanceof KubernetesError ? error.message : String(error)),
  );
}

/** Nobody is kept from anything, and there are no CRDs of the Gateway API. */
export async function wipe(lab: Lab, policyName: string): Promise<void> {
  for (const name of [policyName, safeUpgrades]) {
    await lab.client.delete(bindingType, name);
    await lab.client.delete(policyType, name);
  }
  await lab.kubectl("delete", "platform", "cluster", "--ignore-not-found");
  await until("no CRDs", async () => {
    for (const { metadata } of await crdsIn(lab.client)) {
      await lab.client.delete(crdType, metadata.name).catch(() => undefined);
    }
    return (await crdsIn(lab.client)).length === 0;
  });
}

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

export const kubernetesAccount: Account = { namespace: "gatewright-system", name: "gatewright" };
export const openshiftAccount: Account = {
  namespace: "openshift-ingress-operator",
  name: "ingress-operator",
};

/** A ServiceAccount that may do everything, and a Pod on a node that it runs in. */
export async function makeAccount(lab: Lab, { namespace, name }: Account): Promise<void> {
  const metadata = `{ name: ${name}, namespace: ${namespace} }`;
  await lab.apply(`
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: v1
kind: ServiceAccount
metadata: ${metadata}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${name}-is-admin }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects: [{ kind: ServiceAccount, name: ${name}, namespace: ${namespace} }]
---
apiVersion: v1
kind: Pod
metadata: ${metadata}
spec:
  serviceAccountName: ${name}
  containers: [{ name: main, image: registry.test/busybox:v1, command: [sleep, infinity] }]
`);
  await until("the Pod's node", async () => {
    const path = "jsonpath={.spec.nodeName}";
    return (await lab.kubectl("get", "pod", name, "-n", namespace, "-o", path)) !== "";
  });
}

/** `bound`: to the Pod of that name. */
export async function clientOf(
  lab: Lab,
  { namespace, name }: Account,
  { bound = true }: { readonly bound?: boolean } = {},
): Promise<KubernetesClient> {
  const binding = bound ? ["--bound-object-kind=Pod", `--bound-object-name=${name}`] : [];
  const token = (await lab.kubectl("create", "token", name, "-n", namespace, ...binding)).trim();
  return clientWith(lab, `${name}-${bound}`, { token });
}

/** An administrator who says to be somebody else. */
export async function clientAs(lab: Lab, as: object): Promise<KubernetesClient> {
  return clientWith(lab, `as-${JSON.stringify(as).replace(/\W+/g, "-")}`, as, true);
}

async function clientWith(lab: Lab, file: string, user: object, keep = false): Promise<KubernetesClient> {
  const config = JSON.parse(await lab.kubectl("config", "view", "--raw", "-o", "json")) as {
    users: { user: object }[];
  };
  for (const entry of config.users) entry.user = keep ? { ...entry.user, ...user } : user;
  const kubeconfig = join(lab.folder, `${file.slice(0, 100)}.kubeconfig`);
  writeFileSync(kubeconfig, JSON.stringify(config));
  return kubernetesClient({
    credentials: await loadCredentials({ kubeconfig }),
    userAgent: "gatewright-test",
    fieldManager: "gatewright",
  });
}

export async function installPlatformKind(lab: Lab): Promise<void> {
  await lab.apply(JSON.stringify(customResourceDefinition(platformKind)));
  await lab.kubectl("wait", "--for=condition=Established", "crd/platforms.gatewright.dev", "--timeout=30s");
}

export function pinnedBundle(): CrdBundle {
  const bundle = readCrdBundle();
  if (!bundle) throw new Error("The Gateway API's Go module is not here.");
  return bundle;
}

export interface RunningOperator extends Operator {
  /** What it has written, in that order. */
  readonly written: string[];
  readonly troubles: string[];
  /** Of mayWrite. */
  readonly turns: boolean[];
}

export function runOperator(
  client: KubernetesClient,
  options: Partial<Omit<OperatorOptions, "client" | "events">> = {},
): RunningOperator {
  const written: string[] = [];
  const troubles: string[] = [];
  const turns: boolean[] = [];
  const operator = createOperator({
    client,
    bundle: pinnedBundle(),
    profile: "kubernetes",
    version: "0.0.0-test",
    ...options,
    events: {
      written: (what) => written.push(what),
      trouble: (where, message) => {
        // Without a message it is over.
        if (message !== undefined) troubles.push(`${where}: ${message}`);
      },
      fault: (error) => troubles.push(String(error)),
      mayWriteChanged: (mayWrite) => turns.push(mayWrite),
    },
  });
  operator.start();
  operator.lead(true);
  return Object.assign(operator, { written, troubles, turns });
}

export interface PlatformStatus {
  readonly conditions: readonly Condition[];
  readonly unmanagedCRDs?: readonly string[];
  readonly adminGates?: readonly { readonly name: string; readonly acknowledged: boolean }[];
  readonly deadFields?: readonly {
    readonly crd: string;
    readonly version: string;
    readonly fields: readonly string[];
  }[];
  readonly versions: readonly { readonly name: string; readonly version: string }[];
}

export async function platformStatus(lab: Lab): Promise<PlatformStatus> {
  const platform = await lab.client.get({ ...platformKind }, "cluster");
  return (platform?.["status"] ?? { conditions: [], versions: [] }) as PlatformStatus;
}

/** `Degraded=True/GatewayAPICRDsDegraded` */
export function shortly(conditions: readonly Condition[], type: string): string | undefined {
  const found = conditions.find((condition) => condition.type === type);
  return found && `${type}=${found.status}/${found.reason}`;
}

export async function platformIs(lab: Lab, ...conditions: readonly string[]): Promise<void> {
  let last: readonly string[] = [];
  try {
    await until(conditions.join(", "), async () => {
      const { conditions: standing } = await platformStatus(lab);
      last = standing.map(({ type, status, reason, message }) => `${type}=${status}/${reason} ${message}`);
      return conditions.every((wanted) => shortly(standing, wanted.split("=")[0] ?? "") === wanted);
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}; it is ${last.join("; ")}`, { cause: error });
  }
}

/** Merges into the spec of Platform cluster. */
export async function askPlatform(lab: Lab, spec: object): Promise<void> {
  await lab.client.patch({ ...platformKind }, "cluster", undefined, { spec });
}

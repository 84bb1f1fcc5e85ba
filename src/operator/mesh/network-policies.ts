/** The operand's namespace may forbid all traffic that nobody allows: these allow what proxies and the mesh's control plane are there for. */
import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { KeptObject } from "../kept-objects.ts";
import { networkPolicies } from "../resource-types.ts";
import { operandNamespace, ownerOf } from "./control-plane.ts";

const everything = [{}];
/** Proxies of a Gateway with a longer name cannot have it in a label. */
const longestLabel = 63;
/** Probes, discovery in the clear and by TLS, the injector's and the validator's webhook, metrics. */
const controlPlanePorts = [8080, 15_010, 15_011, 15_012, 15_014, 15_017];

/** `gateways`: those of ours. Only those beside the control plane need one. */
export function meshNetworkPolicies(
  owner: KubernetesObject,
  gateways: readonly KubernetesObject[],
): readonly KeptObject[] {
  const beside = gateways.filter(
    ({ metadata: { namespace, name, deletionTimestamp } }) =>
      namespace === operandNamespace && !deletionTimestamp && name.length <= longestLabel,
  );
  return [
    policy({
      name: "istiod-allow",
      owner,
      podLabels: { app: "istiod" },
      ingress: [{ ports: controlPlanePorts.map((port) => ({ port, protocol: "TCP" })) }],
    }),
    ...beside.map((gateway) =>
      policy({
        name: `${gateway.metadata.name}-allow`,
        labels: { "ingress.openshift.io/owning-gateway": gateway.metadata.name },
        owner: gateway,
        podLabels: { "gateway.networking.k8s.io/gateway-name": gateway.metadata.name },
        ingress: everything,
      }),
    ),
  ];
}

interface Allowance {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly owner: KubernetesObject;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly ingress: readonly object[];
}

function policy({ name, labels, owner, podLabels, ingress }: Allowance): KeptObject {
  return {
    type: networkPolicies,
    fields: ["spec"],
    keepsOwners: true,
    among: { type: networkPolicies, namespace: operandNamespace },
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: {
        name,
        namespace: operandNamespace,
        ...(labels && { labels }),
        ownerReferences: [ownerOf(owner, "v1")],
      },
      spec: {
        podSelector: { matchLabels: podLabels },
        policyTypes: ["Ingress", "Egress"],
        ingress,
        egress: everything,
      },
    },
  };
}

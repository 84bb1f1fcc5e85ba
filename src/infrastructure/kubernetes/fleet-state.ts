import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet, FleetState } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { isReady, replicaFailure, waitingReason } from "./pod-readiness.ts";
import { addressesOf, judgeAddresses } from "./service-addresses.ts";

export interface FleetEvidence {
  readonly service: KubernetesObject | undefined;
  readonly deployment: KubernetesObject | undefined;
  readonly pods: readonly KubernetesObject[];
  /** What could not be made or looked at, worst first. */
  readonly troubles: readonly Trouble[];
}

export interface Trouble {
  /** Refused by the API server, or in the way: will not go away by waiting. */
  readonly isRefusal: boolean;
  readonly message: string;
}

/** What to say of a fleet. Of several problems, the one to act on first. */
export function judgeFleet(
  fleet: Fleet,
  names: FleetNames,
  { service, deployment, pods, troubles }: FleetEvidence,
): FleetState {
  const addresses = service ? addressesOf(service) : [];
  const problem =
    judgeRefusals(troubles, deployment) ??
    (service && wrongAddress(fleet, names, addresses)) ??
    judgePods(troubles, pods, fleet) ??
    judgeAddresses(fleet, `${fleet.namespace}/${names.name(fleet)}`, addresses);
  return { addresses, ...(problem && { problem }) };
}

function judgeRefusals(
  troubles: readonly Trouble[],
  deployment: KubernetesObject | undefined,
): FleetState["problem"] {
  const refusal = troubles.find(({ isRefusal }) => isRefusal);
  if (refusal) return { reason: "NoResources", message: refusal.message };
  const failure = replicaFailure(deployment);
  if (failure === undefined) return undefined;
  const { namespace, name } = deployment?.metadata ?? {};
  return { reason: "NoResources", message: `Deployment ${namespace}/${name}: ${failure}` };
}

function wrongAddress(fleet: Fleet, names: FleetNames, got: FleetState["addresses"]): FleetState["problem"] {
  const problem = judgeAddresses(fleet, `${fleet.namespace}/${names.name(fleet)}`, got);
  return problem?.reason === "AddressNotUsable" ? problem : undefined;
}

function judgePods(
  troubles: readonly Trouble[],
  pods: readonly KubernetesObject[],
  fleet: Fleet,
): FleetState["problem"] {
  if (fleet.ports.length === 0) return { reason: "Pending", message: "no listener has a port to open" };
  if (pods.some(isReady)) return undefined;
  return { reason: "Pending", message: troubles[0]?.message ?? waitingReason(pods) };
}

/*
 * What a Gateway's fleet means for its status: which addresses it has, and what keeps it from being programmed.
 *
 * Spec: an address that was asked for and is not had makes `Programmed` false with AddressNotUsable; none at all, with
 * AddressNotAssigned. Addresses without a value ask for any of their type.
 */
import type { Read } from "../incremental/index.ts";
import { isSameAddress } from "../resources/index.ts";
import type { FleetState, FleetStates } from "./fleets.ts";
import type { OwnGateway } from "./gateways.ts";

export interface FleetVerdict {
  readonly addresses: FleetState["addresses"];
  readonly problem: { readonly reason: string; readonly message: string } | undefined;
}

/** The API takes so many. */
const mostAddresses = 16;

export function judgeFleet(own: OwnGateway, read: Read, states: FleetStates | undefined): FleetVerdict {
  const state = states && read.one(states, own.key);
  return {
    addresses: own.usable ? (state?.addresses.slice(0, mostAddresses) ?? []) : [],
    problem: problemOf(own, state),
  };
}

function problemOf({ gateway }: OwnGateway, state: FleetState | undefined): FleetVerdict["problem"] {
  if (!state) return { reason: "Pending", message: "The proxies of this Gateway are not running yet" };
  if (state.problem) return state.problem;
  if (state.addresses.length === 0) {
    const message = "The load balancer has no address yet; see the Service of this Gateway";
    return { reason: "AddressNotAssigned", message };
  }
  for (const [index, { type, value }] of (gateway.spec.addresses ?? []).entries()) {
    const ofType = state.addresses.filter((address) => address.type === type);
    const field = `spec.addresses[${index}]`;
    const got = state.addresses.map((address) => address.value).join(", ");
    if (value === undefined || value === "") {
      if (ofType.length > 0) continue;
      const message = `${field}: the load balancer gave no address of type ${type}; it gave ${got}`;
      return { reason: "AddressNotAssigned", message };
    }
    if (!ofType.some((address) => isSameAddress(address.value, value))) {
      const message = `${field}: the load balancer cannot use ${value}; it gave ${got}. Ask for an address that it has, or for none`;
      return { reason: "AddressNotUsable", message };
    }
  }
  return undefined;
}

import type { KubernetesObject } from "../../kubernetes/index.ts";
import type { Fleet } from "../../translate/index.ts";
import type { FleetNames } from "./fleet-names.ts";
import { renderObject } from "./object-metadata.ts";
import { serviceAccounts } from "./resource-types.ts";

/** An identity without rights: proxies never talk to the API server, so no token is mounted either. */
export function renderServiceAccount(fleet: Fleet, names: FleetNames): KubernetesObject {
  return renderObject(serviceAccounts, fleet, names, { automountServiceAccountToken: false });
}

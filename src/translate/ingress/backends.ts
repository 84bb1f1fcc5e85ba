// The backends of an Ingress.
//
// Spec, Ingress: a Service with a port by number or by name, or any other object by kind, which is refused here: there is none that could be served.

import type { Collection, Index, Read } from "../../incremental/index.ts";
import type { BackendTLSPolicy, HTTPBackendRef, IngressBackend, Service } from "../../resources/index.ts";
import type { Policies } from "./policies.ts";

export interface BackendInputs {
  readonly services: Collection<Service>;
  /** By `namespace/name` of the Service. */
  readonly tlsPolicies: Index<BackendTLSPolicy>;
}

export type JudgedBackend = { readonly ref: HTTPBackendRef } | { readonly wrong: string };

export function judgeBackend(
  { service, resource }: IngressBackend,
  namespace: string,
  policies: Pick<Policies, "needsTls">,
  read: Read,
  inputs: BackendInputs,
): JudgedBackend {
  if (!service)
    return {
      wrong: `${resource?.kind} ${resource?.name} cannot be a backend: only Services can; name one with backend.service`,
    };
  const { name, port } = service;
  const found = read.one(inputs.services, `${namespace}/${name}`);
  const number = port.number ?? found?.spec.ports.find((one) => one.name === port.name)?.port;
  if (number === undefined) {
    const names = found?.spec.ports.flatMap((one) => one.name ?? []).join(", ") || "none";
    return {
      wrong: found
        ? `Service ${namespace}/${name} has no port with the name ${port.name}; its names are: ${names}`
        : `Service ${namespace}/${name} is not there, so nobody knows its port with the name ${port.name}`,
    };
  }
  if (policies.needsTls && read.all(inputs.tlsPolicies, `${namespace}/${name}`).length === 0)
    return {
      wrong: `backend-protocol asks for TLS, and certificates of backends are always verified: say by whom with a BackendTLSPolicy for Service ${namespace}/${name}`,
    };
  return { ref: { group: "", kind: "Service", namespace, name, port: number, weight: 1 } };
}

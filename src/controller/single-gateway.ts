/** Single-Gateway mode: what is read, and what becomes of the one Gateway. */
import { kinds, type ResourceKind } from "../resources/index.ts";
import type { Controller } from "./controller.ts";
import { EnvironmentError } from "./environment-error.ts";

export interface SingleGateway {
  /** `namespace/name`. Absent: nothing of the Gateway API is processed. */
  readonly gateway?: string;
}

/** GatewayClasses are not even looked at; without a Gateway, nothing of the Gateway API is. */
export function kindsInMode({ gateway }: SingleGateway): readonly ResourceKind[] {
  return [...kinds.values()]
    .filter(({ kind, group }) =>
      gateway === undefined ? !/^gateway\.networking\.(?:x-)?k8s\.io$/.test(group) : kind !== "GatewayClass",
    )
    .map(({ kind }) => kind);
}

/** To be called once everything has been read. Throws if the Gateway is not there; later it may go, which is told. */
export function followGateway(
  controller: Controller,
  { gateway }: SingleGateway,
  lost: (message: string) => void,
): void {
  if (gateway === undefined) return;
  if (!controller.find("Gateway", gateway)) {
    throw new EnvironmentError(
      "GATEWRIGHT_GATEWAY_MISSING",
      `Gateway ${gateway} does not exist. It is the one to serve (--gateway, or gateway in the settings file): create it, or name another.`,
    );
  }
  controller.statuses.subscribe((changes) => {
    const change = changes.get(`Gateway/${gateway}`);
    if (!change || change.after || !change.before) return;
    lost(
      `Gateway ${gateway} was deleted: nothing of the Gateway API is served until it is back. Ingresses and HTTPProxies are.`,
    );
  });
}

// What the translation found out about the routes and listeners of an Ingress, as remarks: its status has no place for it.

import { refusedByProxy, type ListenerOutcome, type Remark, type RouteOutcome } from "../layers.ts";
import type { JudgedIngress } from "./judged-ingress.ts";
import { RemarkList } from "./remark-list.ts";

export function outcomeRemarks(
  { ingress }: JudgedIngress,
  routes: readonly RouteOutcome[],
  listeners: readonly ListenerOutcome[],
): readonly Remark[] {
  const remarks = new RemarkList(ingress);
  for (const { accepted, resolvedRefs, partiallyInvalid, refusal } of routes) {
    for (const verdict of [accepted, resolvedRefs, partiallyInvalid]) {
      const isBad =
        verdict && (verdict === partiallyInvalid ? verdict.status === "True" : verdict.status !== "True");
      if (isBad) remarks.error(verdict.reason, "spec.rules", verdict.message);
    }
    if (refusal !== undefined) remarks.error(refusedByProxy, "spec.rules", refusal);
  }
  for (const { hostname, accepted, resolvedRefs, refusal } of listeners) {
    const field = `spec.tls: host ${hostname}`;
    if (accepted.status !== "True") remarks.warn(accepted.reason, field, accepted.message);
    if (resolvedRefs.status !== "True") remarks.error(resolvedRefs.reason, field, resolvedRefs.message);
    if (refusal !== undefined) remarks.error(refusedByProxy, field, refusal);
  }
  return remarks.all;
}

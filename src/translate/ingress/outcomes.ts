// What the translation found out about the routes and listeners of an Ingress, as remarks: its status has no place for it.

import type { ListenerOutcome, Remark, RouteOutcome } from "../layers.ts";
import type { JudgedIngress } from "./judged-ingress.ts";
import { RemarkList } from "./remark-list.ts";

export type FieldedOutcome = RouteOutcome & { readonly fields: readonly string[] };

export function outcomeRemarks(
  { ingress, hosts }: JudgedIngress,
  routes: readonly FieldedOutcome[],
  listeners: readonly ListenerOutcome[],
): readonly Remark[] {
  const remarks = new RemarkList(ingress);
  const told = hosts.flatMap(({ rules }) => rules.flatMap(({ extras }) => extras.blocked ?? []));
  const isTold = (message: string) => told.some((text) => message.includes(text));
  for (const { accepted, resolvedRefs, partiallyInvalid, fields } of routes) {
    for (const verdict of [accepted, resolvedRefs, partiallyInvalid]) {
      const isBad =
        verdict && (verdict === partiallyInvalid ? verdict.status === "True" : verdict.status !== "True");
      if (isBad && !isTold(verdict.message))
        remarks.error(verdict.reason, "spec.rules", inOwnWords(verdict.message, fields));
    }
  }
  for (const { hostname, accepted, resolvedRefs } of listeners) {
    const field = `spec.tls: host ${hostname}`;
    if (accepted.status !== "True") remarks.warn(accepted.reason, field, accepted.message);
    if (resolvedRefs.status !== "True") remarks.error(resolvedRefs.reason, field, resolvedRefs.message);
  }
  return remarks.all;
}

/** `spec.rules[2].backendRefs[0]` of the route is `spec.rules[1].http.paths[1].backend` of the Ingress. */
function inOwnWords(message: string, fields: readonly string[]): string {
  return message.replaceAll(
    /spec\.rules\[(\d+)\](\.backendRefs\[\d+\])?/g,
    (found, rule: string, backend: string | undefined) => {
      const field = fields[Number(rule)];
      return field === undefined ? found : `${field}${backend === undefined ? "" : ".backend"}`;
    },
  );
}

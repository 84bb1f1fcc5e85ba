import type { BindPlan } from "../bind/bind-plan.ts";
import { identifierOf } from "../identifiers.ts";

/** A port that was taken between our look and HAProxy's: its listener waits. Says whether that is what HAProxy complains of. */
export function refuseListener(message: string, plan: BindPlan): boolean {
  let isFound = false;
  for (const [, id] of message.matchAll(/l-([0-9a-f]{20})[^\n]*cannot bind/g)) {
    for (const [key, { listener }] of plan.planned) {
      if (identifierOf(key) !== id) continue;
      plan.refuse(key, {
        type: "refused",
        reason: "PortUnavailable",
        message: `TCP port ${listener.port} could not be opened; HAProxy says: ${message}`,
      });
      isFound = true;
    }
  }
  return isFound;
}

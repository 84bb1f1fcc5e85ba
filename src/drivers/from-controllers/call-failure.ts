import type { ItemState } from "../driver.ts";

type Refused = Extract<ItemState, { type: "refused" }>;

/** Codes of the system that the API has a reason for. */
const reasons: ReadonlyMap<unknown, NonNullable<Refused["reason"]>> = new Map([
  ["EADDRINUSE", "PortUnavailable"],
  ["EACCES", "PortUnavailable"],
  ["EADDRNOTAVAIL", "AddressNotUsable"],
]);

export function explainFailure(error: unknown): Refused {
  const message = error instanceof Error ? error.message : String(error);
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const reason = reasons.get(code);
  return { type: "refused", message, ...(reason ? { reason } : {}) };
}

import type { Gate } from "../../resources/index.ts";

/** A warning that nobody should overlook. Undefined: nothing is tried out. */
export function describeGates(gates: readonly Gate[]): string | undefined {
  if (gates.length === 0) return undefined;
  return `EXPERIMENTAL, not for production: ${gates.join(", ")} (docs/out-of-cluster.md). It may change or go in any release.`;
}

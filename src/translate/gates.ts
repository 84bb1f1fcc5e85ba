import type { Collection, Read } from "../incremental/index.ts";
import type { Gate } from "../resources/index.ts";

/** The gates that are on, by their names. They may be turned on and off while we run. */
export type Gates = Collection<true>;

export function isOn(read: Read, gates: Gates | undefined, gate: Gate): boolean {
  return gates !== undefined && read.one(gates, gate) === true;
}

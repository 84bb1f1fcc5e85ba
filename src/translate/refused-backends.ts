// What proxies have against backends: against what they are, where they are, or the certificates by which they are spoken to.
//
// Nothing is looked up for backends that nobody refuses: refusals are few, and each looks for its backend.

import type { Collection, Graph } from "../incremental/index.ts";
import type { Backend } from "../model/index.ts";
import { certificateKeys } from "./backends.ts";
import { itemKey, splitItemKey, type ItemStates } from "./item-states.ts";

/** By the backend's key: what was refused, in the proxy's own words. */
export type RefusedBackends = Collection<string>;

export function refusedBackends(
  graph: Graph,
  backends: Collection<Backend>,
  itemStates: ItemStates,
): RefusedBackends {
  const themselves = graph.derive("refused backends themselves", itemStates, (state, _read, id) => {
    const { kind, key } = splitItemKey(id);
    if (state.type !== "refused" || (kind !== "backends" && kind !== "endpoints")) return [];
    const what = kind === "backends" ? "backend" : "the endpoints of";
    return [[key, `the proxy refused ${what} ${objectIn(key)}: ${state.message}`] as const];
  });
  const byCertificates = graph.derive(
    "backends with refused certificates",
    backends,
    ({ tls }, read, key) => {
      for (const certificate of certificateKeys(tls)) {
        const state = read.one(itemStates, itemKey("certificates", certificate));
        if (state?.type !== "refused") continue;
        const why = `which it needs to speak to backend ${objectIn(key)}`;
        return [[key, `the proxy refused ${certificate}, ${why}: ${state.message}`] as const];
      }
      return [];
    },
  );
  return graph.union("refused backends", [themselves, byCertificates]);
}

/** What follows after the bar tells uses of one object apart. */
function objectIn(backend: string): string {
  return backend.split("|", 1)[0]!;
}

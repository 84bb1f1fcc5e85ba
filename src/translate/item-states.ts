import type { Collection, Read } from "../incremental/index.ts";
import type { ModelKind } from "../model/index.ts";

/** What the proxies made of an item of the model, as the last report said. */
export type ItemState =
  | {
      readonly type: "programmed";
      readonly addresses?: readonly { readonly address: string; readonly port: number }[];
    }
  | { readonly type: "pending"; readonly message: string }
  | { readonly type: "refused"; readonly reason?: string; readonly message: string };

/** By `itemKey`. */
export type ItemStates = Collection<ItemState>;

export function itemKey(kind: ModelKind, key: string): string {
  return `${kind}|${key}`;
}

export function splitItemKey(id: string): { readonly kind: string; readonly key: string } {
  const bar = id.indexOf("|");
  return { kind: id.slice(0, bar), key: id.slice(bar + 1) };
}

/** What a proxy has against a certificate that we took for good. */
export function certificateRefusal(key: string, read: Read, itemStates: ItemStates): string | undefined {
  const state = read.one(itemStates, itemKey("certificates", key));
  return state?.type === "refused" ? `the proxy refused ${key}: ${state.message}` : undefined;
}

/** The first one. */
export function refusalOfCertificates(
  keys: readonly string[],
  read: Read,
  itemStates: ItemStates,
): string | undefined {
  return keys.map((key) => certificateRefusal(key, read, itemStates)).find((words) => words !== undefined);
}

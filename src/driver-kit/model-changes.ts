import { modelKinds, type ModelChanges, type ModelItems, type ModelKind } from "../model/index.ts";

/** Items by kind; a string is the key of one that is removed. */
export type ItemsOrRemovals = { readonly [Kind in ModelKind]?: readonly (ModelItems[Kind] | string)[] };

export function modelChanges(items: ItemsOrRemovals): ModelChanges {
  const changes = modelKinds.map((kind) => {
    const entries = (items[kind] ?? []).map((item) =>
      typeof item === "string" ? ([item, undefined] as const) : ([item.key, item] as const),
    );
    return [kind, new Map<string, unknown>(entries)] as const;
  });
  return Object.fromEntries(changes) as unknown as ModelChanges;
}

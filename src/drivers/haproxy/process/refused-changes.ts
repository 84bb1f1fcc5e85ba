/*
 * Which of the changes since the last good configuration HAProxy does not take. All are taken back, then they are added again by
 * halves; a half that is refused is halved, down to the single changes that are refused. Those that refer to others
 * are added first: what breaks is then not the reference, but what it leads to.
 */
import { modelKinds } from "../../../model/index.ts";
import type { ChangedItem, ModelState } from "../model-state.ts";

/**
 * Refuses them in `state`. `check` gives HAProxy's words about the state as it is, if it does not take it. Says whether any was
 * found: if not, HAProxy does not take what it took before either.
 */
export async function refuseChanges(
  state: ModelState,
  check: () => Promise<string | undefined>,
): Promise<boolean> {
  const changed = state.changed.toSorted((a, b) => modelKinds.indexOf(b.kind) - modelKinds.indexOf(a.kind));
  const takeBack = (group: readonly ChangedItem[]) => {
    for (const { kind, key, before } of group) state.put(kind, key, before);
  };
  const putBack = (group: readonly ChangedItem[]) => {
    for (const { kind, key, after } of group) state.put(kind, key, after);
  };
  takeBack(changed);
  if (changed.length === 0 || (await check()) !== undefined) {
    putBack(changed);
    return false;
  }
  const refused = new Map<ChangedItem, string>();
  const add = async (group: readonly ChangedItem[]): Promise<void> => {
    putBack(group);
    const words = await check();
    if (words === undefined) return;
    takeBack(group);
    if (group.length === 1) {
      refused.set(group[0]!, words);
      return;
    }
    const middle = Math.ceil(group.length / 2);
    await add(group.slice(0, middle));
    await add(group.slice(middle));
  };
  await add(changed);
  for (const [change, words] of refused) state.refuse(change, `HAProxy refuses ${change.key}: ${words}`);
  return refused.size > 0;
}

/**
 * For services that take one change at a time: several at once, in an order that leaves nothing without its mark if it stops half-way. Marks are put first and removed last;
 * between them the changes of one name keep their order, and names do not wait for each other.
 */
import type { RecordSetChange } from "../provider.ts";
import { workOnEach } from "./bounded-work.ts";
import { groupBy } from "./record-values.ts";

export async function changeInWaves(
  changes: readonly RecordSetChange[],
  atOnce: number,
  apply: (change: RecordSetChange) => Promise<void>,
): Promise<void> {
  const isText = ({ set }: RecordSetChange): boolean => set.type === "TXT";
  const waves = [
    changes.filter((change) => isText(change) && change.type === "put"),
    changes.filter((change) => !isText(change)),
    changes.filter((change) => isText(change) && change.type === "remove"),
  ];
  for (const wave of waves) {
    await workOnEach(
      groupBy(wave, ({ set }) => set.name),
      atOnce,
      async (group) => {
        for (const change of group) await apply(change);
      },
    );
  }
}

import type { ShownObject } from "../../controller/index.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
}

/**
 * Of the conditions in an object's status, its own, its parents' and its ancestors': `True` if this one is true wherever it is said (for all
 * parents), otherwise what it is where it is not.
 */
export function conditionStatus({ status = {} }: ShownObject, wanted: string): string {
  const ofEntries = ["parents", "ancestors"].flatMap((field) => listOf(status[field]).flatMap(conditionsIn));
  const statuses = [...conditionsIn(status), ...ofEntries]
    .filter(({ type }) => type === wanted)
    .map((condition) => condition.status);
  return statuses.find((one) => one !== "True") ?? statuses[0] ?? "";
}

function conditionsIn(entry: Readonly<Record<string, unknown>>): Condition[] {
  return listOf(entry["conditions"]) as unknown as Condition[];
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : [];
}

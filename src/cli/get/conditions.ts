import type { ShownObject } from "../../controller/index.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface JudgedConditions {
  /** `True` if it is true wherever it is said (for all parents), `False` if it is false somewhere. */
  statusOf(type: string): string;
  /** Of the first condition that somebody should look at. */
  readonly message: string;
}

const badWhenTrue = new Set(["Conflicted", "PartiallyInvalid"]);
const badWhenNotTrue = new Set(["Accepted", "ResolvedRefs", "Programmed"]);

/** Reads the conditions in an object's status: its own, its listeners', its parents' and its ancestors'. */
export function judgeConditions({ status = {} }: ShownObject): JudgedConditions {
  const own = conditionsIn(status);
  const ofEntries = ["parents", "ancestors"].flatMap((field) => listOf(status[field]).flatMap(conditionsIn));
  const ofListeners = listOf(status["listeners"]).flatMap(conditionsIn);
  const judged = [...own, ...ofEntries];
  return {
    statusOf: (type) => {
      const statuses = judged
        .filter((condition) => condition.type === type)
        .map((condition) => condition.status);
      if (statuses.length === 0) return "";
      return statuses.every((one) => one === "True")
        ? "True"
        : (statuses.find((one) => one !== "True") ?? "");
    },
    message: [...ofListeners, ...judged].find(isBad)?.message ?? "",
  };
}

function isBad({ type, status }: Condition): boolean {
  return (badWhenTrue.has(type) && status === "True") || (badWhenNotTrue.has(type) && status !== "True");
}

function conditionsIn(entry: Readonly<Record<string, unknown>>): Condition[] {
  return listOf(entry["conditions"]) as unknown as Condition[];
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : [];
}

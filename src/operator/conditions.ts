/** Puts conditions of ours beside those that others wrote; a time of transition moves only with the status. */
import type { Condition, Verdict } from "../status/index.ts";

export interface ConditionMoment {
  readonly now: string;
  /** Absent where the kind has no place for it. */
  readonly generation?: number | undefined;
}

export function mergeConditions(
  existing: readonly Condition[],
  verdicts: readonly Verdict[],
  { now, generation }: ConditionMoment,
): readonly Condition[] {
  const wanted = new Map(verdicts.map((verdict) => [verdict.type, verdict]));
  const ours = (verdict: Verdict, old: Condition | undefined): Condition => ({
    type: verdict.type,
    status: verdict.status,
    reason: verdict.reason,
    message: verdict.message,
    ...(generation !== undefined && { observedGeneration: generation }),
    lastTransitionTime: old?.status === verdict.status ? old.lastTransitionTime : now,
  });
  const kept = existing.map((old) => {
    const verdict = wanted.get(old.type);
    wanted.delete(old.type);
    return verdict ? ours(verdict, old) : old;
  });
  return [...kept, ...[...wanted.values()].map((verdict) => ours(verdict, undefined))];
}

export function conditionsOf(
  object: { readonly [field: string]: unknown } | undefined,
): readonly Condition[] {
  const { conditions } = (object?.["status"] ?? {}) as { conditions?: unknown };
  return Array.isArray(conditions) ? (conditions as Condition[]) : [];
}

import { durationPattern } from "./api-scalars.ts";
import { parseDuration } from "./duration.ts";
import { policyTargetReference } from "./object-reference.ts";
import { namespaced } from "./resource-schema.ts";
import { array } from "./schema-collections.ts";
import { defaulted, object, optional, required } from "./schema-object.ts";
import { integer, string } from "./schema-scalars.ts";
import type { Infer } from "./schema.ts";
import { sessionPersistence } from "./session-persistence.ts";

const oneSecond = 1000;
const oneHour = 3_600_000;

function isBetween(text: string, shortest: number, longest: number): boolean {
  const length = parseDuration(text) ?? -1;
  return length >= shortest && length <= longest;
}

const budgetDetails = object({
  percent: defaulted(integer({ minimum: 0, maximum: 100 }), 20),
  interval: defaulted(
    string({ pattern: durationPattern }).rule(
      "interval cannot be greater than one hour or less than one second",
      (interval) => isBetween(interval, oneSecond, oneHour),
    ),
    "10s",
  ),
});
export type BudgetDetails = Infer<typeof budgetDetails>;

const requestRate = object({
  count: optional(integer({ minimum: 1, maximum: 1_000_000 })),
  interval: optional(
    string({ pattern: durationPattern }).rule("interval cannot be greater than one hour", (interval) =>
      isBetween(interval, 1, oneHour),
    ),
  ),
});
export type RequestRate = Infer<typeof requestRate>;

const retryConstraint = object({
  budget: defaulted(budgetDetails, { percent: 20, interval: "10s" }),
  minRetryRate: defaulted(requestRate, { count: 10, interval: "1s" }),
});
export type RetryConstraint = Infer<typeof retryConstraint>;

const xBackendTrafficPolicySpec = object({
  targetRefs: required(
    array(policyTargetReference, { minItems: 1, maxItems: 16, mapKeys: ["group", "kind", "name"] }),
  ),
  retryConstraint: optional(retryConstraint),
  sessionPersistence: optional(sessionPersistence),
});
export type XBackendTrafficPolicySpec = Infer<typeof xBackendTrafficPolicySpec>;

export const xBackendTrafficPolicy = namespaced("XBackendTrafficPolicy", {
  spec: required(xBackendTrafficPolicySpec),
});
export type XBackendTrafficPolicy = Infer<typeof xBackendTrafficPolicy>;

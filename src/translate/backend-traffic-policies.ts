// XBackendTrafficPolicy: how much a backend may be retried, and whether clients stay with one endpoint.
//
// Spec: a policy targets whole Services or XBackends, and the oldest one holds. What a rule of a route says about sessions
// comes before what a policy says.

import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import type { RetryBudget } from "../model/index.ts";
import { parseDuration, type SessionPersistence, type XBackendTrafficPolicy } from "../resources/index.ts";
import { verdict, type ObjectStatus, type Verdict } from "../status/index.ts";
import { absenceOf, type InvalidObjects } from "./absent-objects.ts";
import { targetKey } from "./backend-use.ts";
import { ageOf, compareAge, type Aged } from "./object-age.ts";
import {
  ancestorStatuses,
  mergeAncestors,
  type Ancestor,
  type AncestorsByTarget,
} from "./policy-ancestors.ts";
import { judgeSession } from "./session-persistence.ts";
import type { TranslateSettings } from "./settings.ts";

export interface JudgedTrafficPolicy {
  readonly age: Aged;
  /** `targetKey` of each target. */
  readonly targets: readonly string[];
  readonly retryBudget?: RetryBudget;
  readonly session?: SessionPersistence;
  /** Why the policy is no good for any Gateway. */
  readonly problem?: string;
}

export interface TrafficPolicies {
  readonly judged: Collection<JudgedTrafficPolicy>;
  readonly byTarget: Index<JudgedTrafficPolicy>;
}

export function trafficPolicies(graph: Graph, policies: Collection<XBackendTrafficPolicy>): TrafficPolicies {
  const judged = graph.map("backend traffic policies", policies, (policy) => judgeTrafficPolicy(policy));
  const byTarget = graph.index("backend traffic policies by target", judged, ({ targets }) => targets);
  return { judged, byTarget };
}

export function judgeTrafficPolicy({ metadata, spec }: XBackendTrafficPolicy): JudgedTrafficPolicy {
  const { retryConstraint, sessionPersistence: session } = spec;
  const problem = session && judgeSession(session, "spec.sessionPersistence");
  return {
    age: ageOf(metadata),
    targets: spec.targetRefs.map(({ group, kind, name }) => targetKey(group, kind, metadata.namespace, name)),
    ...(retryConstraint && { retryBudget: retryBudgetOf(retryConstraint) }),
    ...(session && { session }),
    ...(problem && { problem: `${problem.field}: ${problem.problem}` }),
  };
}

type RetryConstraint = NonNullable<XBackendTrafficPolicy["spec"]["retryConstraint"]>;

function retryBudgetOf({ budget, minRetryRate }: RetryConstraint): RetryBudget {
  return {
    percent: budget.percent,
    interval: parseDuration(budget.interval) ?? 10_000,
    minRetries: minRetryRate.count ?? 10,
    minInterval: parseDuration(minRetryRate.interval ?? "1s") ?? 1000,
  };
}

/** The policy that holds for a target, if the Gateway's proxy can do all that it says. */
export function trafficPolicyFor(
  policies: readonly JudgedTrafficPolicy[],
  has: (feature: string) => boolean,
): JudgedTrafficPolicy | undefined {
  const holder = oldestOf(policies);
  if (!holder || holder.problem !== undefined) return undefined;
  return neededBy(holder).every(has) ? holder : undefined;
}

function oldestOf(policies: readonly JudgedTrafficPolicy[]): JudgedTrafficPolicy | undefined {
  return policies.reduce<JudgedTrafficPolicy | undefined>(
    (oldest, policy) => (oldest && compareAge(oldest.age, policy.age) <= 0 ? oldest : policy),
    undefined,
  );
}

function neededBy({ retryBudget, session }: JudgedTrafficPolicy): string[] {
  return [...(retryBudget ? ["RetryConstraint"] : []), ...(session ? ["SessionPersistence"] : [])];
}

export interface TrafficPolicyStatusInputs {
  readonly policies: Collection<XBackendTrafficPolicy>;
  readonly trafficPolicies: TrafficPolicies;
  /** Whether a target exists. */
  readonly exists: (target: string, read: Read) => boolean;
  readonly ancestors: AncestorsByTarget;
  readonly invalidObjects: InvalidObjects | undefined;
  readonly settings: TranslateSettings;
}

export function trafficPolicyStatuses(
  graph: Graph,
  inputs: TrafficPolicyStatusInputs,
): Collection<ObjectStatus> {
  const { policies, trafficPolicies, ancestors, settings } = inputs;
  return graph.derive("backend traffic policy statuses", policies, (policy, read, key) => {
    const judged = read.one(trafficPolicies.judged, key);
    if (!judged) return [];
    const uses = judged.targets.flatMap((target) => read.all(ancestors, target));
    const report = {
      shape: "ancestors",
      ancestors: mergeAncestors(uses),
      conditionsFor: (ancestor: Ancestor) => [judgeForAncestor(judged, ancestor, read, inputs)],
    } as const;
    return ancestorStatuses(policy, report, settings);
  });
}

function judgeForAncestor(
  policy: JudgedTrafficPolicy,
  ancestor: Ancestor,
  read: Read,
  { trafficPolicies, exists, ancestors, invalidObjects }: TrafficPolicyStatusInputs,
): Verdict {
  const refuse = (reason: string, message: string) => verdict("Accepted", "False", reason, message);
  for (const [index, target] of policy.targets.entries()) {
    if (!read.all(ancestors, target).some((use) => use.ancestor.key === ancestor.key)) continue;
    const [kind = "", ...name] = target.split("/");
    const field = `spec.targetRefs[${index}]: ${kind} ${name.join("/")}`;
    if (!exists(target, read)) {
      return refuse("TargetNotFound", `${field} ${absenceOf(target, read, invalidObjects)}`);
    }
    const holder = oldestOf(read.all(trafficPolicies.byTarget, target));
    if (holder && compareAge(holder.age, policy.age) !== 0) {
      return refuse(
        "Conflicted",
        `${field} is the target of XBackendTrafficPolicy ${holder.age.name} already`,
      );
    }
  }
  if (policy.problem !== undefined) return refuse("Invalid", policy.problem);
  const missing = neededBy(policy).find((feature) => ancestor.missing.includes(feature));
  if (missing !== undefined) {
    return refuse(
      "Invalid",
      `the proxy of Gateway ${ancestor.key} cannot do this (it lacks ${missing}); nothing of the policy holds there`,
    );
  }
  return verdict("Accepted", "True", "Accepted", "The policy is accepted");
}

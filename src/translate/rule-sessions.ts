import type { SessionPersistence as ModelSession } from "../model/index.ts";
import type { SessionPersistence } from "../resources/index.ts";
import { trafficPolicyFor } from "./backend-traffic-policies.ts";
import { lacks, type Refusal } from "./content-problems.ts";
import type { RouteContext } from "./route-context.ts";
import { judgeSession, translateSession } from "./session-persistence.ts";

export interface SessionQuestion {
  /** `<Kind>/<namespace>/<name>/<rule>`, which the session belongs to. */
  readonly rule: string;
  readonly field: string;
  /** `targetKey` of each backend that may be referred to, in order. */
  readonly targets: readonly string[];
}

export interface ResolvedSession {
  /** By the path that a cookie is bound to. Absent: there are no sessions. */
  readonly sessionFor?: (path: string) => ModelSession;
  readonly refusals: readonly Refusal[];
}

/**
 * Spec: what the rule says, or else what a policy on its backends says. Of several policies the first backend's holds, and
 * it holds for all backends of the rule alike (GEP-1619 leaves this to us).
 */
export function resolveSession(
  context: RouteContext,
  ofRule: SessionPersistence | undefined,
  { rule, field, targets }: SessionQuestion,
): ResolvedSession {
  if (ofRule) {
    const problem = judgeSession(ofRule, field);
    const refusals = [...lacks(context, "SessionPersistence", field), ...(problem ? [problem] : [])];
    return { sessionFor: (path) => translateSession(ofRule, rule, path), refusals };
  }
  const { read, inputs, gateway } = context;
  for (const target of targets) {
    const policies = read.all(inputs.trafficPolicies.byTarget, target);
    const session = trafficPolicyFor(policies, (feature) => gateway.features.has(feature))?.session;
    // GEP-1619: the cookie of a policy has no path, because many routes may lead to its target.
    if (session) return { sessionFor: () => translateSession(session, rule, ""), refusals: [] };
  }
  return { refusals: [] };
}

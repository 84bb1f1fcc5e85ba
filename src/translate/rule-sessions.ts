import type { PathMatch, RuleAction, SessionPersistence as ModelSession } from "../model/index.ts";
import type { SessionPersistence } from "../resources/index.ts";
import { trafficPolicyFor } from "./backend-traffic-policies.ts";
import { lacks, type Refusal } from "./content-problems.ts";
import type { RouteContext } from "./route-context.ts";
import { ruleField } from "./rule-fields.ts";
import type { RuleBackend } from "./rule-backends.ts";
import { cookiePath, judgeSession, translatePolicySession, translateSession } from "./session-persistence.ts";

export interface SessionQuestion {
  /** Of the rule in the route. */
  readonly index: number;
  readonly backends: readonly RuleBackend[];
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
  { index, backends }: SessionQuestion,
): ResolvedSession {
  const { kind, namespace, name, read, inputs, gateway } = context;
  const rule = `${kind}/${namespace}/${name}/${index}`;
  if (ofRule) {
    const field = `${ruleField(context, index)}.sessionPersistence`;
    const problem = judgeSession(ofRule, field);
    const refusals = [...lacks(context, "SessionPersistence", field), ...(problem ? [problem] : [])];
    return { sessionFor: (path) => translateSession(ofRule, rule, path), refusals };
  }
  for (const target of backends.flatMap(({ ref }) => ref.object ?? [])) {
    const policies = read.all(inputs.trafficPolicies.byTarget, target);
    const session = trafficPolicyFor(policies, (feature) => gateway.features.has(feature))?.session;
    if (session) return { sessionFor: () => translatePolicySession(session, rule), refusals: [] };
  }
  return { refusals: [] };
}

/** All matches of a rule share one action, except that the path of a session's cookie is the match's own. */
export function withSession(
  action: RuleAction,
  { sessionFor }: ResolvedSession,
): (path: PathMatch) => RuleAction {
  if (!sessionFor) return () => action;
  const byPath = new Map<string, RuleAction>();
  return (match) => {
    const session = sessionFor(cookiePath(match));
    const known = byPath.get(session.path) ?? { ...action, session };
    byPath.set(session.path, known);
    return known;
  };
}

// What can be wrong with the content of a route, and how it is told.
//
// Two kinds: a rule that cannot be served (a refusal; the rule is dropped and the others serve on), and a reference that leads nowhere
// (the rule serves, and whatever would have gone there is answered with an error).

import { verdict, type Verdict } from "../status/index.ts";

/** Why a rule cannot be served. */
export interface Refusal {
  readonly reason: "UnsupportedValue" | "IncompatibleFilters";
  /** `spec.rules[0].matches[1].path.value` */
  readonly field: string;
  readonly problem: string;
}

/** Why a reference leads nowhere, with the API's reason for ResolvedRefs. */
export interface ReferenceProblem {
  readonly reason: string;
  readonly field: string;
  readonly problem: string;
}

export function unsupported(field: string, problem: string): Refusal {
  return { reason: "UnsupportedValue", field, problem };
}

export function incompatible(field: string, problem: string): Refusal {
  return { reason: "IncompatibleFilters", field, problem };
}

/** Whose proxy is asked for a feature. */
interface FeatureAsked {
  readonly gateway: { readonly key: string; readonly features: ReadonlySet<string> };
}

/** A refusal if the Gateway's proxy does not claim the feature. */
export function lacks({ gateway }: FeatureAsked, feature: string, field: string): Refusal[] {
  if (gateway.features.has(feature)) return [];
  const problem = `the proxy of Gateway ${gateway.key} cannot do this (it lacks ${feature}); remove it or use a GatewayClass whose proxy can`;
  return [unsupported(field, problem)];
}

/** Enough to act on; a condition's message has a limit, and so has a reader. */
const mostTold = 8;

function tell(problems: readonly { readonly field: string; readonly problem: string }[]): string {
  const told = problems.slice(0, mostTold).map(({ field, problem }) => `${field}: ${problem}`);
  const rest = problems.length - told.length;
  return told.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

const allResolved = verdict("ResolvedRefs", "True", "ResolvedRefs", "All references are resolved");

/** `notes`: what is no problem of the references themselves, but would go unnoticed otherwise. */
export function judgeResolvedRefs(
  problems: readonly ReferenceProblem[],
  notes: readonly string[] = [],
): Verdict {
  const [first] = problems;
  if (first !== undefined) return verdict("ResolvedRefs", "False", first.reason, tell(problems));
  if (notes.length === 0) return allResolved;
  const told = notes.slice(0, mostTold).join("; ");
  return { ...allResolved, message: `${allResolved.message}, but ${told}` };
}

/** Spec: when no rule is left, the route is not accepted. */
export function judgeAccepted(refusals: readonly Refusal[]): Verdict {
  const reason = refusals[0]?.reason ?? "UnsupportedValue";
  return verdict("Accepted", "False", reason, `No rule can be served: ${tell(refusals)}`);
}

/** Spec: the message of a route that lost some of its rules begins with these words. */
export function judgePartiallyInvalid(refusals: readonly Refusal[]): Verdict {
  return verdict("PartiallyInvalid", "True", "UnsupportedValue", `Dropped Rule ${tell(refusals)}`);
}

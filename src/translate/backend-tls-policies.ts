// BackendTLSPolicy: how a Gateway speaks TLS to the Services that a policy targets.
//
// Each policy is judged once, for itself. Which policy holds for a port of a Service is then a choice among those that
// target the Service. Spec: one that names the port comes before one for the whole Service, and among equals the
// oldest holds; the others are Conflicted. A policy that holds but is no good makes connections fail; it never makes room for a
// younger one, or for plain text.

import type { Collection, Graph, Index, Read } from "../incremental/index.ts";
import type { BackendTls } from "../model/index.ts";
import type { BackendTLSPolicy, Service } from "../resources/index.ts";
import { verdict, type ObjectStatus, type Verdict } from "../status/index.ts";
import { absenceOf, type InvalidObjects } from "./absent-objects.ts";
import { judgeTrust, trustRefusal, type JudgedTrust, type TrustInputs } from "./backend-trust.ts";
import { targetKey } from "./backend-use.ts";
import type { ItemStates } from "./item-states.ts";
import { ageOf, compareAge, type Aged } from "./object-age.ts";
import {
  ancestorStatuses,
  mergeAncestors,
  type Ancestor,
  type AncestorsByTarget,
} from "./policy-ancestors.ts";
import type { TranslateSettings } from "./settings.ts";

export interface JudgedTlsPolicy {
  readonly age: Aged;
  readonly targets: readonly TlsPolicyTarget[];
  readonly tls: BackendTls;
  /** Without regard to other policies and to Gateways. */
  readonly accepted: Verdict;
  readonly resolvedRefs: Verdict;
}

export interface TlsPolicyTarget {
  /** `targetKey` of the object. */
  readonly target: string;
  /** Name of a port. Absent: all ports. */
  readonly sectionName?: string;
  /** `spec.targetRefs[0]` */
  readonly field: string;
}

export interface TlsPolicies {
  readonly judged: Collection<JudgedTlsPolicy>;
  readonly byTarget: Index<JudgedTlsPolicy>;
}

export function tlsPolicies(
  graph: Graph,
  policies: Collection<BackendTLSPolicy>,
  inputs: TrustInputs,
): TlsPolicies {
  const judged = graph.map("backend TLS policies", policies, (policy, read) =>
    judgeTlsPolicy(policy, read, inputs),
  );
  const byTarget = graph.index("backend TLS policies by target", judged, ({ targets }) =>
    targets.map(({ target }) => target),
  );
  return { judged, byTarget };
}

export function judgeTlsPolicy(
  { metadata, spec }: BackendTLSPolicy,
  read: Read,
  inputs: TrustInputs,
): JudgedTlsPolicy {
  const { namespace } = metadata;
  const question = { validation: spec.validation, namespace, field: "spec.validation" };
  const trust = judgeTrust(question, read, inputs);
  return {
    age: ageOf(metadata),
    targets: spec.targetRefs.map(({ group, kind, name, sectionName }, index) => ({
      target: targetKey(group, kind, namespace, name),
      field: `spec.targetRefs[${index}]`,
      ...(sectionName !== undefined && { sectionName }),
    })),
    tls: trust.tls,
    accepted: trust.refused
      ? verdict("Accepted", "False", trust.refused.reason, trust.refused.problem)
      : verdict("Accepted", "True", "Accepted", "The policy is accepted"),
    resolvedRefs: resolvedRefsOf(trust),
  };
}

function resolvedRefsOf({ problems }: JudgedTrust): Verdict {
  const [first] = problems;
  if (!first) return verdict("ResolvedRefs", "True", "ResolvedRefs", "All references are resolved");
  const message = problems.map((problem) => problem.message).join("; ");
  return verdict("ResolvedRefs", "False", first.reason, message);
}

/** The policy that holds for a port of a Service. */
export function tlsPolicyFor(
  policies: readonly JudgedTlsPolicy[],
  target: string,
  portName: string | undefined,
): JudgedTlsPolicy | undefined {
  const named = portName ? oldestFor(policies, target, portName) : undefined;
  return named ?? oldestFor(policies, target, undefined);
}

function oldestFor(
  policies: readonly JudgedTlsPolicy[],
  target: string,
  sectionName: string | undefined,
): JudgedTlsPolicy | undefined {
  let oldest: JudgedTlsPolicy | undefined;
  for (const policy of policies) {
    if (!policy.targets.some((one) => one.target === target && one.sectionName === sectionName)) continue;
    if (!oldest || compareAge(policy.age, oldest.age) < 0) oldest = policy;
  }
  return oldest;
}

/** The features that a policy asks of a proxy, beyond those it has. */
export function missingFor({ tls }: JudgedTlsPolicy, has: (feature: string) => boolean): string | undefined {
  const needed =
    tls.subjectAltNames.length > 0
      ? ["BackendTLSPolicy", "BackendTLSPolicySANValidation"]
      : ["BackendTLSPolicy"];
  return needed.find((feature) => !has(feature));
}

export interface TlsPolicyStatusInputs {
  readonly policies: Collection<BackendTLSPolicy>;
  readonly tlsPolicies: TlsPolicies;
  readonly services: Collection<Service>;
  readonly ancestors: AncestorsByTarget;
  readonly invalidObjects: InvalidObjects | undefined;
  readonly itemStates: ItemStates;
  readonly settings: TranslateSettings;
}

export function tlsPolicyStatuses(graph: Graph, inputs: TlsPolicyStatusInputs): Collection<ObjectStatus> {
  const { policies, tlsPolicies, ancestors, itemStates, settings } = inputs;
  return graph.derive("backend TLS policy statuses", policies, (policy, read, key) => {
    const judged = read.one(tlsPolicies.judged, key);
    if (!judged) return [];
    const uses = judged.targets.flatMap(({ target }) => read.all(ancestors, target));
    const refusal = trustRefusal(judged.tls, read, itemStates);
    const resolvedRefs =
      refusal === undefined
        ? judged.resolvedRefs
        : verdict("ResolvedRefs", "False", "InvalidCACertificateRef", refusal);
    const report = {
      shape: "ancestors",
      ancestors: mergeAncestors(uses),
      conditionsFor: (ancestor: Ancestor) => [judgeForAncestor(judged, ancestor, read, inputs), resolvedRefs],
    } as const;
    return ancestorStatuses(policy, report, settings);
  });
}

function judgeForAncestor(
  policy: JudgedTlsPolicy,
  ancestor: Ancestor,
  read: Read,
  { tlsPolicies, services, ancestors, invalidObjects }: TlsPolicyStatusInputs,
): Verdict {
  const partly: string[] = [];
  for (const target of policy.targets) {
    if (!read.all(ancestors, target.target).some((use) => use.ancestor.key === ancestor.key)) continue;
    const rivals = read.all(tlsPolicies.byTarget, target.target);
    const service = serviceOf(target.target, read, services);
    const absence = service ? "" : absenceOf(target.target, read, invalidObjects);
    const refused = judgeTarget(policy, target, rivals, service, absence);
    if (refused) return refused;
    if (
      typeof service === "object" &&
      portsOf(service, target.sectionName).some((port) => port.protocol !== "TCP")
    ) {
      partly.push(target.target.replace("/", " "));
    }
  }
  const missing = missingFor(policy, (feature) => !ancestor.missing.includes(feature));
  if (missing !== undefined) {
    const message = `the proxy of Gateway ${ancestor.key} cannot do this (it lacks ${missing}), so requests to the target fail`;
    return verdict("Accepted", "False", "Invalid", message);
  }
  return withWarning(policy.accepted, partly);
}

function serviceOf(
  target: string,
  read: Read,
  services: Collection<Service>,
): Service | "other kind" | undefined {
  if (!target.startsWith("Service/")) return "other kind";
  return read.one(services, target.slice("Service/".length));
}

/** Those that a target means. */
function portsOf({ spec }: Service, sectionName: string | undefined): Service["spec"]["ports"] {
  return spec.ports.filter(({ name }) => sectionName === undefined || name === sectionName);
}

/** GEP-1897: a policy on a Service with TCP ports and others holds for the former, and its owner is warned. */
function withWarning(accepted: Verdict, partly: readonly string[]): Verdict {
  if (accepted.status !== "True" || partly.length === 0) return accepted;
  return { ...accepted, message: `${accepted.message}, for the TCP ports of ${partly.join(", ")} alone` };
}

/** Spec: a target that is not there, a target without TCP, and a target that an older policy has. */
export function judgeTarget(
  policy: JudgedTlsPolicy,
  { target, sectionName, field }: TlsPolicyTarget,
  rivals: readonly JudgedTlsPolicy[],
  service: Service | "other kind" | undefined,
  absence = "does not exist",
): Verdict | undefined {
  const refuse = (reason: string, problem: string) =>
    verdict("Accepted", "False", reason, `${field}: ${problem}`);
  const [kind = "", ...name] = target.split("/");
  const named = `${kind} ${name.join("/")}`;
  if (service === "other kind") {
    const advice = kind === "XBackend" ? "; use its own spec.tls" : "; target a Service";
    return refuse("Invalid", `${named} cannot have a BackendTLSPolicy${advice}`);
  }
  if (!service) return refuse("TargetNotFound", `${named} ${absence}`);
  const portNames = service.spec.ports.map((port) => port.name ?? "").filter((one) => one !== "");
  if (sectionName !== undefined && !portNames.includes(sectionName)) {
    const others = portNames.length > 0 ? `it has ${portNames.join(", ")}` : "its ports have no names";
    return refuse("TargetNotFound", `${named} has no port named ${sectionName}; ${others}`);
  }
  const ports = portsOf(service, sectionName);
  if (ports.length > 0 && ports.every(({ protocol }) => protocol !== "TCP")) {
    const which = sectionName === undefined ? "has no TCP port" : `port ${sectionName} is not TCP`;
    return refuse("Invalid", `${named} ${which}, and TLS is for streams`);
  }
  const holder = oldestFor(rivals, target, sectionName);
  if (holder && compareAge(holder.age, policy.age) !== 0) {
    const port = sectionName === undefined ? "" : ` port ${sectionName}`;
    return refuse("Conflicted", `BackendTLSPolicy ${holder.age.name} targets ${named}${port} already`);
  }
  return undefined;
}

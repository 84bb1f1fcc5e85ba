// What an HTTPProxy's status says.
//
// Spec: `currentStatus` is valid, invalid or orphaned, with a description; the condition `Valid` says the same, with all errors and warnings beside it. An HTTPProxy without
// virtualhost that no root leads to is orphaned. What the translation finds out later (services that are not there, a listener that cannot be had) makes it invalid too, while
// what can be served is served.

import type { Verdict } from "../../status/index.ts";
import { refusedByProxy, type ListenerOutcome, type RouteOutcome } from "../layers.ts";
import { joinFindings, type Findings } from "./findings.ts";
import { problem, type ProxyProblem } from "./proxy-problem.ts";

export interface ProxyStatus {
  readonly currentStatus: "valid" | "invalid" | "orphaned";
  readonly description: string;
  readonly conditions: readonly Verdict[];
  readonly errors: readonly ProxyProblem[];
  readonly warnings: readonly ProxyProblem[];
}

export function judgeStatus(findings: Findings | "orphaned"): ProxyStatus {
  if (findings === "orphaned") {
    const message = "this HTTPProxy is not part of a delegation chain from a root HTTPProxy";
    const errors = [problem("Orphaned", "Orphaned", message)];
    return { currentStatus: "orphaned", description: message, conditions: [invalid], errors, warnings: [] };
  }
  const { errors, warnings } = findings;
  if (errors.length === 0) {
    return { currentStatus: "valid", description: valid.message, conditions: [valid], errors, warnings };
  }
  return { currentStatus: "invalid", description: invalid.message, conditions: [invalid], errors, warnings };
}

const valid: Verdict = { type: "Valid", status: "True", reason: "Valid", message: "Valid HTTPProxy" };
const invalid: Verdict = {
  type: "Valid",
  status: "False",
  reason: "ErrorPresent",
  message: "At least one error present, see Errors for details",
};

/** Of what a proxy refuses, the version before is served: clients still have to find it. */
export function keepsAddress({ errors }: ProxyStatus): boolean {
  return errors.every(({ reason }) => reason === refusedByProxy);
}

/** What became of its routes and its listener. */
export function outcomeFindings(
  routes: readonly RouteOutcome[],
  listeners: readonly ListenerOutcome[],
): Findings {
  return joinFindings([
    ...routes.map((outcome) => ({ errors: routeErrors(outcome), warnings: [] })),
    ...listeners.map(listenerFindings),
  ]);
}

function routeErrors({
  accepted,
  resolvedRefs,
  partiallyInvalid,
  refusal,
  isStream,
}: RouteOutcome): readonly ProxyProblem[] {
  return [
    ...(accepted.status === "True"
      ? []
      : [
          accepted.reason === "UnsupportedValue"
            ? problem("RouteError", "FeatureNotSupported", accepted.message)
            : problem("ListenerError", "ErrorIdentifyingListener", accepted.message),
        ]),
    ...(resolvedRefs === undefined || resolvedRefs.status === "True"
      ? []
      : [
          problem(
            isStream ? "TCPProxyError" : "ServiceError",
            resolvedRefs.reason === "UnsupportedProtocol"
              ? "UnsupportedProtocol"
              : "ServiceUnresolvedReference",
            resolvedRefs.message,
          ),
        ]),
    ...(partiallyInvalid === undefined
      ? []
      : [problem("RouteError", "FeatureNotSupported", partiallyInvalid.message)]),
    ...(refusal === undefined
      ? []
      : [problem(isStream ? "TCPProxyError" : "RouteError", refusedByProxy, refusal)]),
  ];
}

function listenerFindings({ accepted, resolvedRefs, refusal }: ListenerOutcome): Findings {
  const lost =
    accepted.status === "True"
      ? []
      : [problem("ListenerError", "ErrorIdentifyingListener", accepted.message)];
  const unusable = [
    ...(resolvedRefs.status === "True" ? [] : [problem("TLSError", "SecretNotValid", resolvedRefs.message)]),
    ...(refusal === undefined ? [] : [problem("TLSError", refusedByProxy, refusal)]),
  ];
  // Its name is served, with another certificate than its own.
  const isServed = accepted.reason === "ServedByGateway";
  return { errors: [...(isServed ? [] : lost), ...unusable], warnings: isServed ? lost : [] };
}

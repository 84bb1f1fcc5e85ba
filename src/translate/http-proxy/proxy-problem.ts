// What can be wrong with an HTTPProxy, in the words of its API: the type of a sub-condition of `Valid` and a reason.
// Spec: detailedconditions.go of projectcontour.io/v1.

export type ProblemType =
  | "AuthError"
  | "CORSError"
  | "IPFilterError"
  | "JWTVerificationError"
  | "IncludeError"
  | "Orphaned"
  | "PrefixReplaceError"
  | "RootNamespaceError"
  | "RouteError"
  | "ServiceError"
  | "SpecError"
  | "TCPProxyIncludeError"
  | "TCPProxyError"
  | "TLSError"
  | "VirtualHostError"
  | "ListenerError";

/** A user's mistake, or something that this gateway does not do. */
export interface ProxyProblem {
  readonly type: ProblemType;
  readonly reason: string;
  /** Begins with the field. */
  readonly message: string;
}

export function problem(type: ProblemType, reason: string, message: string): ProxyProblem {
  return { type, reason, message };
}

/** Contour does it, this gateway does not: the reason is our own. */
export function notSupported(type: ProblemType, field: string, why: string): ProxyProblem {
  return { type, reason: "FeatureNotSupported", message: `${field} is not supported here: ${why}` };
}

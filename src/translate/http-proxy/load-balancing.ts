// Which endpoint gets the next request.
//
// Spec: an unknown strategy, or none, is round-robin. `Cookie` keeps a client at an endpoint by a cookie of the gateway's own. `RequestHash` hashes attributes of the request;
// of its entries, those that are wrong are left out, and without any the strategy is round-robin. After an entry that is `terminal` nothing is
// hashed if a request has that attribute; here entries after one are left out for all requests, so that those which have it stay together.

import type { HashSource, LoadBalancing } from "../../model/index.ts";
import {
  isFieldName,
  type HTTPProxyLoadBalancerPolicy,
  type SessionPersistence,
} from "../../resources/index.ts";
import type { FindingList } from "./findings.ts";
import { problem, type ProblemType } from "./proxy-problem.ts";

export interface Balancing {
  readonly loadBalancing?: LoadBalancing;
  readonly session?: SessionPersistence;
}

/** The name that clients of Contour have their cookies under. */
const cookieName = "X-Contour-Session-Affinity";

export function judgeLoadBalancing(
  policy: HTTPProxyLoadBalancerPolicy | undefined,
  field: string,
  findings: FindingList,
): Balancing {
  switch (policy?.strategy) {
    case undefined:
    case "":
      return {};
    case "Random":
      return { loadBalancing: { type: "random" } };
    case "WeightedLeastRequest":
      return { loadBalancing: { type: "least-request" } };
    case "Cookie":
      return { session: { sessionName: cookieName, type: "Cookie" } };
    case "RequestHash":
      return { loadBalancing: judgeHash(policy, field, findings) };
    default:
      return { loadBalancing: { type: "round-robin" } };
  }
}

/** Spec: streams have no requests to look into. */
export function judgeStreamBalancing(
  policy: HTTPProxyLoadBalancerPolicy | undefined,
  field: string,
  findings: FindingList,
): LoadBalancing | undefined {
  if (policy?.strategy === "Cookie" || policy?.strategy === "RequestHash") {
    const message = `${field}: ${policy.strategy} is left out, a TCP connection has nothing to hash on`;
    findings.warn(problem("TCPProxyError", "IgnoredField", message));
    return undefined;
  }
  return judgeLoadBalancing(policy, field, findings).loadBalancing;
}

function judgeHash(policy: HTTPProxyLoadBalancerPolicy, field: string, findings: FindingList): LoadBalancing {
  const ignore = (message: string, type: ProblemType = "SpecError") =>
    findings.warn(problem(type, "IgnoredField", `${field}.requestHashPolicies${message}`));
  const on = new Map<string, HashSource>();
  const entries = policy.requestHashPolicies ?? [];
  for (const [
    index,
    { terminal, headerHashOptions, queryParameterHashOptions, hashSourceIP },
  ] of entries.entries()) {
    const sources: HashSource[] = [
      ...(headerHashOptions
        ? [{ type: "header", name: headerHashOptions.headerName.toLowerCase() } as const]
        : []),
      ...(queryParameterHashOptions
        ? [{ type: "query", name: queryParameterHashOptions.parameterName } as const]
        : []),
      ...(hashSourceIP === true ? [{ type: "source" } as const] : []),
    ];
    const [source] = sources;
    if (source === undefined || sources.length > 1) {
      ignore(
        `[${index}] is left out, it must have one of headerHashOptions, queryParameterHashOptions and hashSourceIP`,
      );
      continue;
    }
    if (source.type === "header" && !isFieldName(source.name)) {
      ignore(`[${index}] is left out, ${JSON.stringify(source.name)} is not a name that a header can have`);
      continue;
    }
    const key = JSON.stringify(source);
    if (on.has(key)) {
      ignore(`[${index}] is left out, it is there twice`);
      continue;
    }
    on.set(key, source);
    if (terminal === true && index < entries.length - 1) {
      ignore(`: what comes after the terminal entry [${index}] is left out`);
      break;
    }
  }
  if (on.size > 0) return { type: "hash", on: [...on.values()] };
  ignore(" has no entry that can be used; requests are balanced by turns");
  return { type: "round-robin" };
}

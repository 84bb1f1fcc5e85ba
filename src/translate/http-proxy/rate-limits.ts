import { isFieldName, isFieldValue, type HTTPProxyRateLimitPolicy } from "../../resources/index.ts";
import type { RuleExtras } from "../layers.ts";
import { isReservedHeader } from "../reserved-headers.ts";
import type { FindingList } from "./findings.ts";
import { notSupported, problem, type ProblemType } from "./proxy-problem.ts";

const intervals = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

/** Spec: local limits are counted in each proxy by itself. Global ones ask a service; `disabled` alone asks for nothing. */
export function judgeRateLimit(
  policy: HTTPProxyRateLimitPolicy | undefined,
  { type, field }: { readonly type: ProblemType; readonly field: string },
  findings: FindingList,
): RuleExtras["rateLimit"] {
  if (policy === undefined) return undefined;
  if (asksService(policy.global)) {
    const why = "limits are counted in each proxy by itself; use rateLimitPolicy.local";
    return findings.error(notSupported(type, `${field}.global`, why));
  }
  const { local } = policy;
  if (local === undefined) return undefined;
  const { requests, unit, burst = 0, responseStatusCode = 429, responseHeadersToAdd: headers = [] } = local;
  const bad = headers.findIndex(({ name, value }) => !isFieldName(name) || !isFieldValue(value));
  if (bad >= 0) {
    const message = `${field}.local.responseHeadersToAdd[${bad}]: no header can have this name or value`;
    return findings.error(problem(type, "RateLimitPolicyNotValid", message));
  }
  const reserved = headers.findIndex(({ name }) => isReservedHeader(name));
  if (reserved >= 0) {
    const message = `${field}.local.responseHeadersToAdd[${reserved}]: ${headers[reserved]!.name} is the gateway's own to set; leave it out`;
    return findings.error(problem(type, "RateLimitPolicyNotValid", message));
  }
  return {
    requests,
    interval: intervals[unit],
    burst,
    statusCode: responseStatusCode,
    responseHeaders: headers.map(({ name, value }) => ({ name: name.toLowerCase(), value })),
  };
}

function asksService(global: unknown): boolean {
  if (typeof global !== "object" || global === null) return false;
  return !("disabled" in global && global.disabled === true && !("descriptors" in global));
}

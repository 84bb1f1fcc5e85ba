// Time-outs and retries of a route.
//
// Spec: durations are Go's; `infinity` is none; `0s` is as if the field were not there. A retry policy tries again on 5xx unless it says otherwise, once unless it says
// otherwise, and not at all for -1; a time-out for each try that is longer than that for the whole is not looked at. Failures to connect and
// resets are always among what is tried again here.

import {
  formatDuration,
  parseGoDuration,
  type HTTPProxyRetryPolicy,
  type HTTPProxyTimeoutPolicy,
  type HTTPRouteRetry,
  type HTTPRouteTimeouts,
} from "../../resources/index.ts";
import type { FindingList } from "./findings.ts";
import { problem } from "./proxy-problem.ts";

export interface RouteTimes {
  readonly timeouts: HTTPRouteTimeouts;
  readonly retry?: HTTPRouteRetry;
  /** ms; 0 is none. */
  readonly idle?: number;
  /** ms. */
  readonly idleConnection?: number;
}

interface TimesQuestion {
  readonly timeoutPolicy: HTTPProxyTimeoutPolicy | undefined;
  readonly retryPolicy: HTTPProxyRetryPolicy | undefined;
  /** `spec.routes[0]` */
  readonly field: string;
}

export function judgeTimes(
  { timeoutPolicy, retryPolicy, field }: TimesQuestion,
  findings: FindingList,
): RouteTimes {
  const read = (name: string, text: string | undefined): number | undefined => {
    const value = readDuration(text);
    if (value !== "wrong") return value;
    const message = `${field}.${name}: ${JSON.stringify(text)} is not a duration, such as 5s, of at most ${longest}, or infinity`;
    return findings.error(problem("RouteError", "TimeoutPolicyNotValid", message));
  };
  const response = read("timeoutPolicy.response", timeoutPolicy?.response);
  const idle = read("timeoutPolicy.idle", timeoutPolicy?.idle);
  const idleConnection = read("timeoutPolicy.idleConnection", timeoutPolicy?.idleConnection);
  const retry = retryPolicy && judgeRetry(retryPolicy, `${field}.retryPolicy`, findings);
  const perTry = retry && read("retryPolicy.perTryTimeout", retryPolicy.perTryTimeout);
  const each = perTry && response && perTry > response ? undefined : perTry;
  return {
    timeouts: {
      ...(response !== undefined && { request: written(response) }),
      ...(each !== undefined && { backendRequest: written(each) }),
    },
    ...(retry && { retry }),
    ...(idle !== undefined && { idle }),
    // Without a limit of the route's own, the proxy's holds; connections that carry nothing are nobody's loss.
    ...(idleConnection !== undefined && idleConnection > 0 && { idleConnection }),
  };
}

const longest = "99999h";

/** ms; 0 for none at all, undefined for what is not said. */
function readDuration(text: string | undefined): number | undefined | "wrong" {
  if (text === undefined || text === "") return undefined;
  if (text === "infinity" || text === "infinite") return 0;
  const value = parseGoDuration(text);
  if (value === undefined) return "wrong";
  if (value === 0) return undefined;
  const whole = Math.max(1, Math.round(value));
  return formatDuration(whole) === undefined ? "wrong" : whole;
}

function written(duration: number): string {
  return formatDuration(duration) ?? "0s";
}

const gatewayErrors = [502, 503, 504];
const serverErrors = Array.from({ length: 100 }, (_, index) => 500 + index);
/** On connections, which are tried again always. */
const onConnections = new Set(["reset", "reset-before-request", "connect-failure", "refused-stream"]);

function judgeRetry(
  policy: HTTPProxyRetryPolicy,
  field: string,
  findings: FindingList,
): HTTPRouteRetry | undefined {
  const { count = 1, retryOn = [], retriableStatusCodes = [] } = policy;
  if (count < 0) return undefined;
  const codes = new Set<number>();
  for (const condition of retryOn.length > 0 ? retryOn : (["5xx"] as const)) {
    if (condition === "5xx") for (const code of serverErrors) codes.add(code);
    else if (condition === "gateway-error") for (const code of gatewayErrors) codes.add(code);
    else if (condition === "retriable-4xx") codes.add(409);
    else if (condition === "retriable-status-codes") for (const code of retriableStatusCodes) codes.add(code);
    else if (!onConnections.has(condition)) {
      const message = `${field}.retryOn: ${condition} is left out, this gateway does not look at it`;
      findings.warn(problem("RouteError", "IgnoredField", message));
    }
  }
  const strange = [...codes].find((code) => code < 400 || code > 599);
  if (strange !== undefined) {
    const message = `${field}.retriableStatusCodes: ${strange} is left out, only answers from 400 to 599 are tried again`;
    findings.warn(problem("RouteError", "IgnoredField", message));
  }
  const kept = [...codes].filter((code) => code >= 400 && code <= 599).toSorted((a, b) => a - b);
  return { ...(kept.length > 0 && { codes: kept }), attempts: Math.max(1, Math.min(count, mostRetries)) };
}

/** More than this helps nobody and multiplies a backend's trouble. */
const mostRetries = 10;

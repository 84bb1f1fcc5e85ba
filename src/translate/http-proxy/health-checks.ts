import { normalizePath, type HealthCheck } from "../../model/index.ts";
import type { HTTPProxyHealthCheckPolicy, HTTPProxyTCPHealthCheckPolicy } from "../../resources/index.ts";
import type { FindingList } from "./findings.ts";
import { problem } from "./proxy-problem.ts";

/** Spec: what is not said, or zero. */
const defaults = {
  interval: 5,
  timeout: 2,
  unhealthy: 3,
  healthy: 2,
  host: "contour-envoy-healthcheck",
} as const;

export function judgeHealthCheck(
  policy: HTTPProxyHealthCheckPolicy | undefined,
  field: string,
  findings: FindingList,
): HealthCheck | undefined {
  if (policy === undefined) return undefined;
  const refuse = (message: string) =>
    findings.error(problem("RouteError", "HealthCheckPolicyInvalid", `${field}.${message}`));
  const target = normalizePath(policy.path);
  if ("refused" in target || !policy.path.startsWith("/")) {
    return refuse(`path: ${JSON.stringify(policy.path)} must be a path that begins with /`);
  }
  if (policy.host && !/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(:[0-9]{1,5})?$/.test(policy.host)) {
    return refuse(`host: ${JSON.stringify(policy.host)} is not a name that a host can have`);
  }
  const ranges = policy.expectedStatuses ?? [];
  const empty = ranges.findIndex(({ start, end }) => start >= end);
  if (empty >= 0) return refuse(`expectedStatuses[${empty}]: start must be less than end`);
  return {
    path: policy.path,
    host: policy.host || defaults.host,
    ...timesOf(policy),
    // Spec: the end is not part of the range.
    expectedStatuses: ranges.map(({ start, end }) => ({ start, end: end - 1 })),
  };
}

export function streamHealthCheck(
  policy: HTTPProxyTCPHealthCheckPolicy | undefined,
): HealthCheck | undefined {
  return policy && { ...timesOf(policy), expectedStatuses: [] };
}

function timesOf(policy: HTTPProxyTCPHealthCheckPolicy) {
  const positive = (value: number | undefined, otherwise: number) =>
    value !== undefined && value > 0 ? value : otherwise;
  return {
    interval: positive(policy.intervalSeconds, defaults.interval) * 1000,
    timeout: positive(policy.timeoutSeconds, defaults.timeout) * 1000,
    unhealthyThreshold: positive(policy.unhealthyThresholdCount, defaults.unhealthy),
    healthyThreshold: positive(policy.healthyThresholdCount, defaults.healthy),
  };
}

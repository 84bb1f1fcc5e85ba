import { describe, expect, it } from "vitest";
import type { HTTPProxyRetryPolicy, HTTPProxyTimeoutPolicy } from "../../resources/index.ts";
import { FindingList } from "./findings.ts";
import { judgeTimes } from "./timeouts-and-retries.ts";

function judge(timeoutPolicy?: HTTPProxyTimeoutPolicy, retryPolicy?: HTTPProxyRetryPolicy) {
  const findings = new FindingList();
  const times = judgeTimes({ timeoutPolicy, retryPolicy, field: "spec.routes[0]" }, findings);
  return { ...times, errors: findings.errors, warnings: findings.warnings };
}

describe("time-outs", () => {
  it.each<[HTTPProxyTimeoutPolicy, object]>([
    [{ response: "1m30s" }, { timeouts: { request: "1m30s" } }],
    [{ response: "1.5s" }, { timeouts: { request: "1s500ms" } }],
    [{ response: "infinity" }, { timeouts: { request: "0s" } }],
    [{ response: "0s" }, { timeouts: {} }],
    [{ response: "" }, { timeouts: {} }],
    [{ idle: "10s" }, { idle: 10_000 }],
    [{ idle: "infinite" }, { idle: 0 }],
    [{ idleConnection: "20s" }, { idleConnection: 20_000 }],
    [{ response: "100us" }, { timeouts: { request: "1ms" } }],
  ])("%j", (policy, expected) => {
    expect(judge(policy)).toMatchObject({ ...expected, errors: [] });
  });

  it("that are none, or longer than can be kept, are told", () => {
    for (const response of ["soon", "-5s", "100000h"]) {
      expect(judge({ response }).errors).toMatchObject([{ reason: "TimeoutPolicyNotValid" }]);
    }
  });
});

describe("retries", () => {
  it("are of 5xx, once, unless said otherwise", () => {
    const { retry } = judge(undefined, {});
    expect(retry?.attempts).toBe(1);
    expect(retry?.codes).toContain(503);
    expect(retry?.codes).toHaveLength(100);
  });

  it("may be switched off", () => {
    expect(judge(undefined, { count: -1 }).retry).toBeUndefined();
  });

  it.each<[HTTPProxyRetryPolicy, object]>([
    [{ count: 0 }, { attempts: 1 }],
    [{ count: 50 }, { attempts: 10 }],
    [{ retryOn: ["gateway-error", "reset"] }, { codes: [502, 503, 504] }],
    [{ retryOn: ["retriable-4xx"] }, { codes: [409] }],
    [{ retryOn: ["retriable-status-codes"], retriableStatusCodes: [404, 200] }, { codes: [404] }],
  ])("%j", (policy, expected) => {
    expect(judge(undefined, policy).retry).toMatchObject(expected);
  });

  it("of which a try is longer than the whole have no time-out of their own", () => {
    expect(judge({ response: "1s" }, { perTryTimeout: "2s" }).timeouts).toEqual({ request: "1s" });
    expect(judge({ response: "2s" }, { perTryTimeout: "1s" }).timeouts).toEqual({
      request: "2s",
      backendRequest: "1s",
    });
  });

  it("on what no other proxy knows are left out, and told", () => {
    expect(judge(undefined, { retryOn: ["cancelled"] }).warnings).toMatchObject([{ reason: "IgnoredField" }]);
  });
});

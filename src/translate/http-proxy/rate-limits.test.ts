import { describe, expect, it } from "vitest";
import { FindingList } from "./findings.ts";
import { judgeRateLimit } from "./rate-limits.ts";

function judge(name: string) {
  const findings = new FindingList();
  const local = {
    requests: 1,
    unit: "second",
    responseHeadersToAdd: [
      { name: "X-Limited", value: "yes" },
      { name, value: "5" },
    ],
  } as const;
  const limit = judgeRateLimit({ local }, { type: "RouteError", field: "f" }, findings);
  return { limit, errors: findings.errors };
}

describe("the headers of a limit's answer", () => {
  it("are set as they are given", () => {
    expect(judge("Retry-After").limit?.responseHeaders).toEqual([
      { name: "x-limited", value: "yes" },
      { name: "retry-after", value: "5" },
    ]);
  });

  it.each(["Content-Length", "transfer-encoding", "Connection", "Host"])(
    "leave %s to the gateway",
    (name) => {
      const { limit, errors } = judge(name);
      expect(limit).toBeUndefined();
      expect(errors).toMatchObject([
        {
          reason: "RateLimitPolicyNotValid",
          message: `f.local.responseHeadersToAdd[1]: ${name} is the gateway's own to set; leave it out`,
        },
      ]);
    },
  );
});

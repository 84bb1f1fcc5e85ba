import { describe, expect, it } from "vitest";
import {
  Content,
  httpRoute,
  service,
  toXBackend,
  trafficPolicy,
  xBackend,
  type ContentOptions,
} from "../../test/translate/content.ts";

const retryConstraint = {
  budget: { percent: 50, interval: "30s" },
  minRetryRate: { count: 3, interval: "2s" },
};
const key = "Service/shop/web/80";

function setup(objects: readonly object[], options: ContentOptions = {}) {
  const route = httpRoute([{ backendRefs: [{ name: "web", port: 80 }] }]);
  return new Content(options).set(service("web"), route, ...objects);
}

function accepted(content: Content, policy: string) {
  const status = content.items.policyStatuses.get(
    `XBackendTrafficPolicy/shop/${policy}|test.dev/controller`,
  )?.content;
  if (status?.shape !== "ancestors") return undefined;
  const [verdict] = status.entries[0]?.conditions ?? [];
  return `${verdict?.status} ${verdict?.reason}`;
}

describe("an XBackendTrafficPolicy", () => {
  it.each<[string, object, object]>([
    [
      "all that is said",
      retryConstraint,
      { percent: 50, interval: 30_000, minRetries: 3, minInterval: 2000 },
    ],
    ["the API's defaults", {}, { percent: 20, interval: 10_000, minRetries: 10, minInterval: 1000 }],
    [
      "a part of them",
      { minRetryRate: { count: 5 } },
      { percent: 20, interval: 10_000, minRetries: 5, minInterval: 1000 },
    ],
  ])("budgets retries by %s", (_, constraint, expected) => {
    const content = setup([trafficPolicy("p", { name: "web" }, { retryConstraint: constraint })]);
    expect(content.items.backends.get(key)?.retryBudget).toEqual(expected);
    expect(accepted(content, "p")).toBe("True Accepted");
  });

  it("holds for XBackends too", () => {
    const policy = trafficPolicy("p", { ...toXBackend, name: "api" }, { retryConstraint });
    const route = httpRoute([{ backendRefs: [{ ...toXBackend, name: "api" }] }], { name: "out" });
    const content = setup([policy, xBackend("api"), route]);
    expect(content.items.backends.get("XBackend/shop/api/443")?.retryBudget?.percent).toBe(50);
    expect(content.items.backends.get(key)).not.toHaveProperty("retryBudget");
  });

  it("yields to an older one", () => {
    const old = trafficPolicy(
      "z",
      { name: "web" },
      { retryConstraint },
      { creationTimestamp: "2020-01-01T00:00:00Z" },
    );
    const young = trafficPolicy(
      "a",
      { name: "web" },
      { retryConstraint: {} },
      { creationTimestamp: "2021-01-01T00:00:00Z" },
    );
    const content = setup([young, old]);
    expect(content.items.backends.get(key)?.retryBudget?.percent).toBe(50);
    expect([accepted(content, "z"), accepted(content, "a")]).toEqual(["True Accepted", "False Conflicted"]);
  });

  it.each([["RetryConstraint"], ["SessionPersistence"]])(
    "holds as a whole or not at all: without %s",
    (feature) => {
      const policy = trafficPolicy("p", { name: "web" }, { retryConstraint, sessionPersistence: {} });
      const content = setup([policy], { without: [feature] });
      expect(content.items.backends.get(`${key}|no-retry-budget`)).not.toHaveProperty("retryBudget");
      expect(content.only.rules[0]?.rule.action).not.toHaveProperty("session");
      expect(accepted(content, "p")).toBe("False Invalid");
    },
  );

  it("with a bad session is invalid", () => {
    const policy = trafficPolicy(
      "p",
      { name: "web" },
      { retryConstraint, sessionPersistence: { sessionName: "a b" } },
    );
    const content = setup([policy]);
    expect(accepted(content, "p")).toBe("False Invalid");
    expect(content.items.backends.get(key)).not.toHaveProperty("retryBudget");
  });

  it("is told of a target that is not there, and nothing of one that nobody uses", () => {
    const route = httpRoute([{ backendRefs: [{ name: "gone", port: 1 }] }], { name: "more" });
    expect(accepted(setup([trafficPolicy("p", { name: "gone" }, {}), route]), "p")).toBe(
      "False TargetNotFound",
    );
    expect(accepted(setup([trafficPolicy("p", { name: "gone" }, {})]), "p")).toBeUndefined();
  });
});

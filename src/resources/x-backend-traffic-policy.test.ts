import { expect, it } from "vitest";
import { describeKind } from "../../test/resources/kind-cases.ts";
import { readAs } from "../../test/resources/problems-of.ts";

const target = { group: "", kind: "Service", name: "web" };
const withSpec = (more: object) => ({ targetRefs: [target], ...more });
const retrying = (retryConstraint: object) => withSpec({ retryConstraint });

describeKind({
  kind: "XBackendTrafficPolicy",
  valid: {
    "a target": withSpec({}),
    "the longest and shortest budget": retrying({
      budget: { interval: "1h" },
      minRetryRate: { interval: "1ms" },
    }),
    "a budget of one second": retrying({
      budget: { interval: "1000ms", percent: 0 },
      minRetryRate: { count: 1 },
    }),
    "cookies that last": withSpec({
      sessionPersistence: { absoluteTimeout: "1h", cookieConfig: { lifetimeType: "Permanent" } },
    }),
    "sessions by header": withSpec({ sessionPersistence: { type: "Header", sessionName: "x-session" } }),
  },
  invalid: {
    "one target twice": [
      { targetRefs: [target, target] },
      "targetRefs[1]: must not be in the list twice: each item needs its own group, kind, name",
    ],
    "a short budget": [
      retrying({ budget: { interval: "999ms" } }),
      "retryConstraint.budget.interval: interval cannot be greater than one hour or less than one second",
    ],
    "a long budget": [
      retrying({ budget: { interval: "1h1ms" } }),
      "retryConstraint.budget.interval: interval cannot be greater than one hour or less than one second",
    ],
    "a rate over no time": [
      retrying({ minRetryRate: { interval: "0s" } }),
      "retryConstraint.minRetryRate.interval: interval cannot be greater than one hour",
    ],
    "permanent cookies without timeout": [
      withSpec({ sessionPersistence: { cookieConfig: { lifetimeType: "Permanent" } } }),
      "sessionPersistence: AbsoluteTimeout must be specified when cookie lifetimeType is Permanent",
    ],
    "cookies of sessions by header": [
      withSpec({ sessionPersistence: { type: "Header", cookieConfig: {} } }),
      "sessionPersistence: cookieConfig can only be set with type Cookie",
    ],
  },
});

it("XBackendTrafficPolicy defaults are those of the API", () => {
  const read = (retryConstraint: object) =>
    readAs("XBackendTrafficPolicy", {
      apiVersion: "gateway.networking.x-k8s.io/v1alpha1",
      kind: "XBackendTrafficPolicy",
      metadata: { name: "it" },
      spec: retrying(retryConstraint),
    }).spec.retryConstraint;
  expect(read({})).toEqual({
    budget: { percent: 20, interval: "10s" },
    minRetryRate: { count: 10, interval: "1s" },
  });
  expect(read({ budget: { percent: 5 }, minRetryRate: { count: 1 } })).toEqual({
    budget: { percent: 5, interval: "10s" },
    minRetryRate: { count: 1 },
  });
});

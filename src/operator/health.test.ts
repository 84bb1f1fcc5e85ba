import { describe, expect, it } from "vitest";
import { healthWhenOn, type OnFacts } from "./health.ts";
import { kubernetesProfile } from "./profiles/kubernetes.ts";
import type { KubernetesClient } from "../kubernetes/index.ts";

const facts: OnFacts = {
  words: kubernetesProfile({} as KubernetesClient, "general").words,
  maturity: "general",
  versions: [],
  stance: "managed",
  survey: {
    version: "v1.6.3",
    channel: "standard",
    missing: [],
    mismatching: [],
    unexpected: [],
    isAnyPresent: true,
    isServed: true,
  },
  failures: [],
  deadFields: [],
  conflicts: [],
  warnings: [],
  related: [],
  gates: [],
  servesClasses: true,
  waitingFor: [],
};

const upgradeable = (given: OnFacts) =>
  healthWhenOn(given).conditions.find(({ type }) => type === "Upgradeable");

describe("Upgradeable", () => {
  it("4.18: is False while an experiment is on, which it names", () => {
    expect(upgradeable(facts)?.status).toBe("True");
    const { status, reason, message } = upgradeable({ ...facts, gates: ["GatewayExtraMinimalOCG"] })!;
    expect([status, reason]).toEqual(["False", "ExperimentalGates"]);
    expect(message).toContain("GatewayExtraMinimalOCG");
  });
});

import { describe, expect, it } from "vitest";
import { findKinds, kindWords } from "./kind-names.ts";

const kindsOf = (word: string) => {
  const found = findKinds(word);
  return found.outcome === "kinds" ? found.kinds.map(({ kind }) => kind) : found;
};

describe("names of kinds", () => {
  it.each([
    ["httproutes", ["HTTPRoute"]],
    ["HTTPRoute", ["HTTPRoute"]],
    ["httproute.gateway.networking.k8s.io", ["HTTPRoute"]],
    ["gw", ["Gateway"]],
    ["gtw", ["Gateway"]],
    ["hr", ["HTTPRoute"]],
    ["svc", ["Service"]],
    ["routes", ["HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"]],
    ["policies", ["BackendTLSPolicy", "XBackendTrafficPolicy"]],
  ])("%s", (word, expected) => {
    expect(kindsOf(word)).toEqual(expected);
  });

  it("has all but Secrets in all", () => {
    expect(kindsOf("all")).toContain("Service");
    expect(kindsOf("all")).not.toContain("Secret");
  });

  it("suggests what may have been meant", () => {
    expect(kindsOf("gatways")).toEqual({ outcome: "unknown", suggestion: "gateways" });
    expect(kindsOf("constructor")).toEqual({ outcome: "unknown", suggestion: undefined });
  });

  it("finds each word that it suggests", () => {
    expect(kindWords().filter((word) => findKinds(word).outcome === "unknown")).toEqual([]);
  });
});
